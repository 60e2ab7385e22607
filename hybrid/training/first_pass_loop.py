"""The compiled loop in which the first pass learns, one word after the other."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybrid.compiling import compiled
from hybrid.firstpass import kernels
from hybrid.firstpass.arrays import Array
from hybrid.firstpass.kernels import HIGHEST, LONGEST, LOWEST, SEGMENTS
from hybrid.firstpass.splitter import FirstSplitter
from hybrid.firstpass.weights import FirstPass

if TYPE_CHECKING:
    from hybrid.training.first_pass import Targets

_BY_COUNT, _BY_FLAGS, _BY_BOTH, _BY_MEMORY = 0, 256, 768, 1280
_FACTORS = 1280 + 512

_SMALL = 1e-5
"""A difference of probabilities that teaches nothing."""

_HASHED, _ALL, _PART = 0.3, 1.0, 1e-2
"""What the sums of squares begin with: the more, the slower a number that is seldom met."""


class Numbers(NamedTuple):
    """What is learnt, and the sums of squared gradients so far."""

    hashed: Array
    segments: Array
    factors: Array
    around: Array
    meetings: Array


@dataclass(frozen=True)
class Learnt:
    """A first pass while it learns: a segment is worth the sum of what it is, and of four things that it has."""

    numbers: Numbers
    squares: Numbers

    def weights(self, sure: float) -> FirstPass:
        """Return what was learnt, the sums taken."""
        n = self.numbers
        total = n.segments + sum(n.factors[factor] for factor in _factors(np.arange(SEGMENTS)))
        hashed, segments, around, meetings = (x.astype(np.float32) for x in (n.hashed, total, n.around, n.meetings))
        return FirstPass(hashed, segments, around, meetings, sure)


def new_factors(blank: FirstPass) -> Learnt:
    """Return a first pass that has learnt nothing, of the sizes of another."""

    def zeros() -> Numbers:
        sizes = [len(blank.hashed), SEGMENTS, _FACTORS, len(blank.around), len(blank.meetings)]
        return Numbers(*(np.zeros(size, np.float64) for size in sizes))

    return Learnt(zeros(), zeros())


def learn(order: NDArray[np.int64], targets: "Targets", splitter: FirstSplitter, learnt: Learnt, rate: float) -> float:
    """Show words once, and return the sum of their losses.

    Args:
        order: which words, in which order.
        targets: all words with what the nets say.
        splitter: for what it reads; its own tables are not used.
        learnt: what is changed.
        rate: the size of steps.
    """
    scratch = kernels.new_scratch(splitter.tables.windows)
    score, wanted = np.zeros((2, LONGEST + 1, LONGEST + 1))
    loop = compiled(_learn, (*kernels.JITTED, _factors, _move, _score, _step), keep=False)
    return float(loop(order, targets, splitter.known, splitter.memory, splitter.tables, scratch, score, wanted,
                      learnt.numbers, learnt.squares, rate))  # fmt: skip


def _learn(
    order: Array, targets: Any, known: Any, memory: Any, tables: Any, x: Any, score: Array, wanted: Array,
    numbers: Any, squares: Any, rate: float,
) -> float:  # fmt: skip
    loss = 0.0
    for b in order:
        first = targets.starts[b]
        n = targets.starts[b + 1] - first
        for t in range(n):
            x.own[t] = targets.own[first + b + t]
        found = kernels.walk(targets.symbols, first, n, known, x.hits)
        kernels.read_word(targets.symbols, first, n, found, memory, tables, x)
        _score(n, numbers, x, score)
        kernels.sum_paths(n, x)
        z = x.alpha[n]
        loss += math.log(z)
        segments = range(targets.first[b], targets.first[b + 1])
        for r in segments:
            wanted[targets.start[r], targets.end[r]] = targets.probability[r]
            loss -= targets.probability[r] * score[targets.start[r], targets.end[r]]
        _step(n, z, wanted, numbers, squares, x, rate)
        for r in segments:
            wanted[targets.start[r], targets.end[r]] = 0.0
    return loss


def _factors(code: Any) -> tuple[Any, Any, Any, Any]:
    """Return the places of the four things that a segment has; the bits are those of `kernels.ROLE` and so on."""
    memory, flags, count, length, role = code & 7, code >> 3 & 15, code >> 7 & 7, code >> 10 & 7, code >> 13
    return (
        _BY_COUNT + (role << 6 | length << 3 | count),
        _BY_FLAGS + (role << 7 | count << 4 | flags),
        _BY_BOTH + (role << 7 | length << 4 | flags),
        _BY_MEMORY + (role << 7 | memory << 4 | flags),
    )


def _score(n: int, numbers: Any, x: Any, score: Array) -> None:
    """Fill score and weight."""
    for t in range(1, n + 1):
        of_node = 0.0
        if t < n:
            of_node = numbers.meetings[x.meet[t]]
            for w in range(x.near.shape[1]):
                of_node += numbers.hashed[x.near[t, w]]
        for s in range(t):
            code = x.code[t, s]
            total = of_node + numbers.segments[code]
            for factor in _factors(code):
                total += numbers.factors[factor]
            total += numbers.around[kernels.role_of(s, t, n) * 4 + x.side[t, 0] * 2 + x.side[s, 1]]
            if x.same[t, s] >= 0:
                total += numbers.hashed[x.same[t, s]]
            score[s, t] = total
    for affix in x.affix:
        score[0, n] += numbers.hashed[affix]
    for t in range(1, n + 1):
        for s in range(t):
            x.weight[t, s] = math.exp(min(max(score[s, t], LOWEST), HIGHEST))


def _step(n: int, z: float, wanted: Array, numbers: Any, squares: Any, x: Any, rate: float) -> None:
    """Change the numbers by what one word teaches."""
    for t in range(1, n + 1):
        of_node = 0.0
        for s in range(t):
            gradient = x.alpha[s] * x.weight[t, s] * x.beta[t] / z - wanted[s, t]
            if abs(gradient) < _SMALL:
                continue
            of_node += gradient
            code = x.code[t, s]
            _move(numbers.segments, squares.segments, code, gradient, rate, _ALL)
            for factor in _factors(code):
                _move(numbers.factors, squares.factors, factor, gradient, rate, _PART)
            sides = kernels.role_of(s, t, n) * 4 + x.side[t, 0] * 2 + x.side[s, 1]
            _move(numbers.around, squares.around, sides, gradient, rate, _PART)
            if x.same[t, s] >= 0:
                _move(numbers.hashed, squares.hashed, x.same[t, s], gradient, rate, _HASHED)
            if t - s == n:
                for affix in x.affix:
                    _move(numbers.hashed, squares.hashed, affix, gradient, rate, _HASHED)
        if t < n and abs(of_node) >= _SMALL:
            _move(numbers.meetings, squares.meetings, x.meet[t], of_node, rate, _PART)
            for w in range(x.near.shape[1]):
                _move(numbers.hashed, squares.hashed, x.near[t, w], of_node, rate, _HASHED)


def _move(numbers: Array, squares: Array, at: int, gradient: float, rate: float, before: float) -> None:
    squares[at] += gradient * gradient
    numbers[at] -= rate * gradient / math.sqrt(squares[at] + before)
