"""Measurements on data that the user names: `python -m benchmarks VERB`."""
