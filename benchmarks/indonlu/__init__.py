"""The 12 tasks of IndoNLU (Wilie et al. 2020): their data, predictions as the benchmark takes them, results."""
