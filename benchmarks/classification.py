"""What splitting is worth to a classifier of short texts: headlines into topics, with scikit-learn. An illustration."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.circumstances import circumstances
from benchmarks.measures import paired_interval
from benchmarks.results import make_folder, write_result
from benchmarks.tables import footer, markdown_table
from hybrid.errors import DataError
from hybrid.integrations.sklearn import CompoundTokenizer
from hybrid.integrations.wanted import wanted
from lexicon.textfile import entries, read_lines

with wanted("sklearn"):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline, make_union

HEADLINES = Path(__file__).parent / "headlines.tsv"

FOLDS = 5
"""The headlines are cut into so many; a classifier is trained on all but one of them, or on one alone."""

PLAIN, LETTERS = "words", "letters, 3 to 5 in a row"
"""What all are compared with: what scikit-learn does by itself, and what else finds parts of words."""


def systems() -> dict[str, TfidfVectorizer | FeatureUnion]:
    """Return what makes columns of a headline, by name."""
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5))

    def tokens(**choice: Any) -> TfidfVectorizer:
        return TfidfVectorizer(tokenizer=CompoundTokenizer(**choice), token_pattern=None)

    return {
        PLAIN: TfidfVectorizer(),
        LETTERS: letters,
        "parts": tokens(),
        "parts, dictionary forms": tokens(form="lemma"),
        "words and parts": tokens(emit="both"),
        "words and parts, dictionary forms": tokens(emit="both", form="lemma"),
        "letters, and parts' dictionary forms": make_union(letters, tokens(form="lemma")),
    }


def read_headlines(path: Path = HEADLINES) -> tuple[list[str], list[str]]:
    """Return headlines and their topics.

    Raises:
        DataError: the file is missing, or a line is not a topic and a headline with a tab between.
    """
    rows = [(number, line.split("\t")) for number, line in entries(read_lines(path, "topics and headlines", DataError))]
    for number, fields in rows:
        if len(fields) != 2:
            raise DataError(f"{path}: line {number}: {len(fields)} fields; topic, tab, headline is right")
    return [headline for _, (_, headline) in rows], [topic for _, (topic, _) in rows]


def run_classification(out: Path, *, rounds: int, seed: int) -> dict[str, Any]:
    """Measure all systems, and write `out`/classification.json and `out`/classification.md.

    Args:
        out: folder for the results, made if it is not there.
        rounds: how often the headlines are dealt into folds anew.
        seed: of the first round, and for the intervals.

    Raises:
        DataError: the headlines are not what they should be.
    """
    make_folder(out)
    texts, topics = map(np.array, read_headlines())
    result = {
        "headlines": len(texts),
        "topics": sorted(set(topics.tolist())),
        "rounds": rounds,
        "trained_on": {
            size: _compared(texts, topics, swap=swap, rounds=rounds, seed=seed)
            for size, swap in ((f"{len(texts) * (FOLDS - 1) // FOLDS}", False), (f"{len(texts) // FOLDS}", True))
        },
        "seed": seed,
        **circumstances("cpu"),
    }  # fmt: skip
    write_result(out, "classification", result)
    (out / "classification.md").write_text(classification_markdown(result), encoding="utf-8")
    return result


def _right(
    pipeline: Pipeline, texts: NDArray[np.str_], topics: NDArray[np.str_], *, swap: bool, rounds: int, seed: int
) -> NDArray[np.float64]:
    """Return (rounds, N): how often each of N headlines was put right in a round, 0 … 1.

    Args:
        pipeline: the classifier, trained anew for each fold.
        texts: (N,) headlines.
        topics: (N,) their topics.
        swap: train on one fold and try the others, in place of the other way round.
        rounds: how often the folds are dealt anew.
        seed: of the first round.
    """
    right, tried = np.zeros((rounds, len(texts))), np.zeros((rounds, len(texts)))
    for i in range(rounds):
        for rest, fold in StratifiedKFold(FOLDS, shuffle=True, random_state=seed + i).split(texts, topics):
            train, test = (fold, rest) if swap else (rest, fold)
            right[i, test] += pipeline.fit(texts[train], topics[train]).predict(texts[test]) == topics[test]
            tried[i, test] += 1
    return right / tried


def _compared(
    texts: NDArray[np.str_], topics: NDArray[np.str_], *, swap: bool, rounds: int, seed: int
) -> list[dict[str, Any]]:
    """Return a row of measures for each system; arguments as for `_right`."""
    right = {
        name: _right(make_pipeline(columns, LogisticRegression(max_iter=1000)), texts, topics,
                     swap=swap, rounds=rounds, seed=seed)
        for name, columns in systems().items()
    }  # fmt: skip
    mean = {name: of.mean(axis=0) for name, of in right.items()}
    return [
        {
            "name": name,
            "columns": columns.fit_transform(texts).shape[1],
            "accuracy": float(right[name].mean()),
            "of_rounds": [float(right[name].mean(axis=1).min()), float(right[name].mean(axis=1).max())],
            "against_words": paired_interval(mean[name], mean[PLAIN], seed=seed),
            "against_letters": paired_interval(mean[name], mean[LETTERS], seed=seed),
        }
        for name, columns in systems().items()
    ]


def classification_markdown(result: Mapping[str, Any]) -> str:
    """Return benchmarks/results/classification.md."""
    topics = result["topics"]
    lines = [
        "# What splitting is worth to a classifier",
        "",
        f"An illustration, and a small one: {result['headlines']} German headlines on {len(topics)} topics, equally "
        f"many on each ({', '.join(topics)}; by chance {1 / len(topics):.1f} are right), written for this purpose "
        "before anything was measured (CC0, `benchmarks/headlines.tsv`). They are of no newspaper, and a newspaper's "
        "may give other figures. The classifier is logistic regression over tf-idf, all settings scikit-learn's own; "
        "nothing was tuned. `python -m benchmarks classification`",
        "",
    ]
    for size, rows in result["trained_on"].items():
        lines += [
            f"## Trained on {size} headlines, tried on the other {result['headlines'] - int(size)}",
            "",
            *markdown_table(
                [
                    "columns are",
                    "columns",
                    "accuracy",
                    "least and most of a round",
                    "− words [95 %]",
                    "− letters [95 %]",
                ],
                [_row(row) for row in rows],
            ),
            "",
        ]
    lines += [
        f"{result['rounds']} rounds of {FOLDS} folds, stratified, dealt anew in each. The last columns are differences "
        "of accuracy with intervals, by a paired bootstrap over headlines, each with its mean over all rounds. “words” "
        "is `TfidfVectorizer()`, “letters” its `analyzer='char_wb'`, “parts” and all below it are its "
        "`tokenizer=CompoundTokenizer(...)`. Columns: of all headlines.",
        "",
        footer(result),
        "",
    ]
    return "\n".join(lines)


def _row(row: Mapping[str, Any]) -> list[str]:
    least, most = row["of_rounds"]
    differences = [
        "" if row["name"] == other else f"{difference:+.3f} [{low:+.3f}, {high:+.3f}]"
        for other, (difference, low, high) in ((PLAIN, row["against_words"]), (LETTERS, row["against_letters"]))
    ]
    return [row["name"], f"{row['columns']:,}", f"{row['accuracy']:.3f}", f"{least:.3f} – {most:.3f}", *differences]
