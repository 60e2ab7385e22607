"""Verbs of the benchmark harness."""

import argparse
import logging
import sys
from pathlib import Path

from benchmarks.contest import run_contest
from hybrid.errors import HybridError
from hybrid.training import TrainingConfig

RESULTS = Path(__file__).parent / "results"


def main() -> int:
    """Run the verb named and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    verbs = parser.add_subparsers(metavar="VERB", required=True, dest="verb")
    contest = verbs.add_parser("contest", help="train on train.json, score on val.json or on a slice of train.json")
    contest.add_argument("data_dir", type=Path, metavar="DATA_DIR")
    contest.add_argument("--slice", type=int, default=0, metavar="N", dest="kept",
                         help="score on N words of train.json, kept from training, not on val.json")  # fmt: skip
    contest.add_argument("--plain", action="store_true", help="don't tell the lexicon which words will be segmented")
    contest.add_argument("--seed", type=int, default=0, help="for everything random (default: 0)")
    contest.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    contest.add_argument("--out", type=Path, default=RESULTS, help="folder for the results (default: %(default)s)")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        run_contest(
            options.data_dir,
            options.out,
            kept=options.kept,
            told=not options.plain,
            config=TrainingConfig(seed=options.seed),
            device=options.device,
        )
    except HybridError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
