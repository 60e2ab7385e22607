"""N-best lists as rankings."""

from collections.abc import Mapping, Sequence

from hybrid.metrics import ndcg, relevance

K = 20

Ranked = Mapping[str, Sequence[Sequence[int]]]


def ranking_scores(gold: Mapping[str, Sequence[int]], rankings: Mapping[str, Ranked]) -> dict[str, dict[str, float]]:
    """Return each system's mean NDCG@20, with the ideal over its own list and over the pool of all systems' lists.

    Args:
        gold: word → labels; the gold split is in the pool even where no system has it.
        rankings: system → word → its splits, the best first.
    """
    totals = {name: {"ndcg20_list": 0.0, "ndcg20_pool": 0.0} for name in rankings}
    for word, labels in gold.items():
        lists = {name: [tuple(split) for split in ranked[word][:K]] for name, ranked in rankings.items()}
        pool = {tuple(labels), *(split for splits in lists.values() for split in splits)}
        grades = {split: relevance(labels, split) for split in pool}
        for name, splits in lists.items():
            own = [grades[split] for split in splits]
            totals[name]["ndcg20_list"] += ndcg(own, k=K) / len(gold)
            totals[name]["ndcg20_pool"] += ndcg(own, k=K, pool=list(grades.values())) / len(gold)
    return totals


def oracle(gold: Mapping[str, Sequence[int]], ranked: Ranked, k: int) -> dict[str, Sequence[int]]:
    """Return, for each word, the best of its first k splits by the contest's score."""
    from hybrid.metrics import span_f1

    return {word: max(ranked[word][:k], key=lambda split: span_f1(labels, split)) for word, labels in gold.items()}
