"""Nets and weights from labelled words."""

from hybrid.training.config import TrainingConfig
from hybrid.training.train import train

__all__ = ["TrainingConfig", "train"]
