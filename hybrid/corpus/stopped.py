"""What a run that is stopped, or can't read or write, says last: how to go on."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from hybrid.disk_errors import NO_ROOM

log = logging.getLogger(__name__)

GOES_ON = "the same command goes on after the last finished block"


@contextmanager
def told_how_to_go_on() -> Iterator[None]:
    """Tell a user who stops a run, whose disk is full, or the like, how to go on.

    Raises:
        OSError: as inside, its words longer by that.
    """
    try:
        yield
    except KeyboardInterrupt:
        log.warning("stopped; %s", GOES_ON)
        raise
    except OSError as error:
        full = error.errno in NO_ROOM
        reason = os.strerror(error.errno) if full and error.errno else error.strerror or str(error)
        told = f"{reason}; once {'there is room' if full else 'that is mended'}, {GOES_ON}"
        raise OSError(error.errno, told, error.filename) from error
