"""`hybrid` and `python -m hybrid`: the command line, which an interrupt ends quietly, from its first import on."""

import sys


def main() -> int:
    """Run the command line and return its exit code: 0, 2 where the user has to change something, 130 if stopped."""
    try:
        from hybrid.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
