"""The model that ships: any German word, split where it should be. `build.py` makes it anew, README.md tells of it."""

from pathlib import Path

FOLDER = Path(__file__).parent / "de"
"""The model's folder."""
