"""A small set of German compounds with splits made by rule, in the contest's format; `README.md` says what it is."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Holds train.json, val.json and test.json."""
