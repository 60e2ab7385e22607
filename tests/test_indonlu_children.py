"""Processes that learn tasks: interrupted without a word, and gone when the one that began them is."""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

BEGIN = """
import os, signal, sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from benchmarks.children import end_with_parent, interrupts_wait

pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=end_with_parent)
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a session of its own; it is over when all its processes have closed their output."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEGIN + textwrap.dedent(script)],
        capture_output=True, text=True, check=False, timeout=60, start_new_session=True,
        cwd=Path(__file__).parent.parent,
    )  # fmt: skip


def test_an_interrupt_while_processes_begin_ends_all_without_a_word() -> None:
    done = run(
        """
        try:
            with interrupts_wait():
                pool.submit(time.sleep, 600)
                os.killpg(0, signal.SIGINT)  # as a terminal does
                print("waits", flush=True)
            time.sleep(600)
        except KeyboardInterrupt:
            print("told", flush=True)
            os._exit(130)
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "waits\ntold\n", "")


def test_no_process_outlives_the_one_that_began_it() -> None:
    done = run(
        """
        pool.submit(int).result()
        pool.submit(time.sleep, 600)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    assert done.returncode == -signal.SIGKILL
