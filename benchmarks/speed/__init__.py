"""How fast words and texts are split, beside how well; run by `python -m benchmarks speed`."""
