"""`python -m hybrid` is `hybrid`."""

import sys

from hybrid.cli import main

sys.exit(main())
