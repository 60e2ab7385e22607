"""Run a command; print its seconds, its largest resident set in bytes and its exit status, as JSON.

A script of its own, and small: a process that is started counts its parent's memory as its own until it is replaced.
"""

import json
import os
import subprocess
import sys
import time

if __name__ == "__main__":
    begin = time.perf_counter()
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begin
    peak = usage.ru_maxrss if sys.platform == "darwin" else usage.ru_maxrss * 1024
    json.dump({"seconds": seconds, "peak": peak, "status": os.waitstatus_to_exitcode(status)}, sys.stdout)
