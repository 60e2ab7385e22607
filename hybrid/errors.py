"""The errors that this package raises for its users; each message says what, where, and what would be right."""


class HybridError(ValueError):
    """The base: catch this one to catch them all."""


class DataError(HybridError):
    """A data file or a labelled word is not what it should be."""


class ModelError(HybridError):
    """A model folder is damaged, incomplete, of another format or of a newer version."""


class NoPathError(HybridError):
    """Every way through a lattice is forbidden."""


class CutError(HybridError):
    """A forced or forbidden cut is not possible in its word."""
