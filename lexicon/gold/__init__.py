"""German words with their parts, annotated by the guidelines in this folder: a data set of its own (CC0)."""

from lexicon.gold.annotation import Leaf, Node, leaves, parse, write
from lexicon.gold.read import GoldWord, read_gold

__all__ = ["GoldWord", "Leaf", "Node", "leaves", "parse", "read_gold", "write"]
