"""The 12 tasks of IndoNLU (Wilie et al. 2020, arXiv 2009.05387), in the paper's order."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Kind = Literal["classification", "sequence"]

MEANS: Mapping[Kind, str] = MappingProxyType(
    {"classification": "classification", "sequence": "sequence labelling"},
)
"""The two kinds of tasks, each with a mean of its own, and what they are called."""

SINGLE = ("label",)
"""The aspects of a task that has but one label."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        name: the paper's.
        folder: of its files, as published.
        kind: whether a text has a label, or each word of a sentence has.
        ending: of its files: csv with a header; tsv without one, text and label; txt a word a line.
        texts: columns of a csv file with what is to be labelled.
        aspects: columns with its labels, `SINGLE` where it has but one label (whatever that column is called).
        context: column with words that are read but not labelled, "" for none.
    """

    name: str
    folder: str
    kind: Kind
    ending: Literal["csv", "tsv", "txt"]
    texts: tuple[str, ...] = ()
    aspects: tuple[str, ...] = SINGLE
    context: str = ""


_CASA = ("fuel", "machine", "others", "part", "price", "service")
_HOASA = ("ac", "air_panas", "bau", "general", "kebersihan", "linen", "service", "sunrise_meal", "tv", "wifi")

TASKS: Mapping[str, Task] = MappingProxyType(
    {
        task.name: task
        for task in (
            Task("EmoT", "emot_emotion-twitter", "classification", "csv", ("tweet",)),
            Task("SmSA", "smsa_doc-sentiment-prosa", "classification", "tsv", ("text",)),
            Task("CASA", "casa_absa-prosa", "classification", "csv", ("sentence",), _CASA),
            Task("HoASA", "hoasa_absa-airy", "classification", "csv", ("review",), _HOASA),
            Task("WReTE", "wrete_entailment-ui", "classification", "csv", ("sent_A", "sent_B")),
            Task("POSP", "posp_pos-prosa", "sequence", "txt"),
            Task("BaPOS", "bapos_pos-idn", "sequence", "txt"),
            Task("TermA", "terma_term-extraction-airy", "sequence", "txt"),
            Task("KEPS", "keps_keyword-extraction-prosa", "sequence", "txt"),
            Task("NERGrit", "nergrit_ner-grit", "sequence", "txt"),
            Task("NERP", "nerp_ner-prosa", "sequence", "txt"),
            Task("FacQA", "facqa_qa-factoid-itb", "sequence", "csv", ("passage",), ("seq_label",), "question"),
        )
    }
)
"""The tasks by name."""
