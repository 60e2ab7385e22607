"""What a figure depends on besides the code: versions, machine, commit."""

import platform
import resource
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import torch

import hybrid

PACKAGES = ("numpy", "numba", "marisa-trie")


def circumstances(device: str) -> dict[str, str | int]:
    """Return the commit, the versions and the machine; "+" after the commit: with changes not committed."""
    return {
        "commit": _commit(),
        "hybrid": hybrid.__version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        **{name: version(name) for name in PACKAGES},
        "machine": f"{platform.system()} {platform.machine()}, {torch.get_num_threads()} cores",
        "device": device,
    }


def peak_memory() -> int:
    """Return the process's largest resident set so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def processor() -> str:
    """Return the name of the processor, as far as the system tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _commit() -> str:
    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], capture_output=True, text=True, check=False, cwd=Path(__file__).parent
        )
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "../hybrid", "../lexicon", ".", ":!results")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")
