"""The first pass's loops: what the lexicon and the characters say of a word, its segments' weights, its best split.

Every function runs as plain Python too, with the same results: a few words are split sooner than compiled code is
loaded. All that is compiled stands in this one file, for numba keeps compiled code until the file it was in changes.
Sums over paths are taken with weights, not with their logarithms: weights are clipped, so that the 2 ** 39 paths of a
word of `LONGEST` characters can't leave the range of a float64.
"""

import math

import numpy as np

from hybrid.firstpass.arrays import Array, Known, Memory, Scratch, Splits, Tables

LONGEST = 40
"""Characters of a word that the first pass reads; `hybrid.lattice.LONGEST_SEGMENT`."""

INITIAL, MEDIAL, FINAL, WHOLE = range(4)

OTHER, CUT, FLAG, COUNT, LENGTH, ROLE = 0, 1, 3, 7, 10, 13
"""Where a segment's code has: whether the stretch before its end was cut elsewhere (1 bit), how often at its start (2),
flags (4), its count in its role (3), its length (3), its role (2)."""

SEGMENTS = 1 << 15
"""Size of the table of segments."""

AROUND = 16
"""Size of the table of a role and the words on both sides."""

MEETINGS = 256
"""Size of the table of what ends and begins at a node."""

AFFIXES = 5
"""A word's beginnings and endings, of 2 … AFFIXES + 1 characters, are looked up."""

HIGHEST = 14.0
"""Nats that a sum of scores is clipped to."""

LOWEST = -24.0

HEAVIEST = math.exp(17.0)
"""The most that a segment weighs: `LONGEST` of them weigh e ** 680."""

_ATTESTED, _ATTESTED_LINKED, _LISTED, _LINKED = 1 << FLAG, 2 << FLAG, 4 << FLAG, 8 << FLAG
_COUNTED = 7 << COUNT
_ANYTHING = 15 << FLAG | _COUNTED
_PRIME = 0x01000193
_MASK = 0xFFFFFFFF
_SAME, _BEGIN, _END, _NEAR, _HERE = 0x5BD1E995, 0x1B873593, 0x2545F491, 0x27D4EB2F, 77


def role_of(s: int, t: int, n: int) -> int:
    """Return the role of the segment [s, t) of a word of n characters."""
    if s == 0:
        return WHOLE if t == n else INITIAL
    return FINAL if t == n else MEDIAL


def mix(h: int, x: int) -> int:
    """Return a hash of 32 bits of h and x (FNV-1a's step)."""
    return ((h ^ x) * _PRIME) & _MASK


def place(h: int, bits: int) -> int:
    """Return the place of a hash in a table of 2 ** bits entries."""
    h ^= h >> 15
    h = (h * 0x2C1B3C6D) & _MASK
    h ^= h >> 12
    h = (h * 0x297A2D39) & _MASK
    return (h ^ (h >> 15)) & ((1 << bits) - 1)


def length_class(length: int) -> int:
    """Return 0 … 7: 1, 2, 3, 4, to 6, to 8, to 12, more."""
    if length <= 4:
        return length - 1
    if length <= 8:
        return 4 if length <= 6 else 5
    return 6 if length <= 12 else 7


def count_class(count: int) -> int:
    """Return 0 … 7: 0, 1, 2, to 4, to 8, to 16, to 64, more."""
    if count <= 2:
        return max(count, 0)
    if count <= 8:
        return 3 if count <= 4 else 4
    if count <= 16:
        return 5
    return 6 if count <= 64 else 7


def walk(symbols: Array, first: int, n: int, known: Known, hits: Array) -> int:
    """Fill hits with the known segments of a word, by start and then by end, and return how many there are.

    Args:
        symbols: of all words; the trie knows neither 0 nor those above `lexicon.flat.MOST_SYMBOLS`.
        first: where this word's begin.
        n: its length.
        known: the strings.
        hits: what is filled.
    """
    found = 0
    for s in range(n):
        at = 0
        for t in range(s + 1, n + 1):
            at = step(known, at, int(symbols[first + t - 1]))
            if at == 0:
                break
            if int(known.node[at, 0]) & 1:
                k = known.key[at]
                hits[found, 0] = s
                hits[found, 1] = t
                hits[found, 2] = known.string[k]
                hits[found, 3] = known.says[k, role_of(s, t, n)]
                for i in range(4, 8):
                    hits[found, i] = known.says[k, i]
                found += 1
    return found


def read_word(symbols: Array, first: int, n: int, found: int, memory: Memory, tables: Tables, x: Scratch) -> None:
    """Fill code, same, near, meet, side, seen and affix of a word of 1 … `LONGEST` characters.

    Args:
        symbols: of all words.
        first: where this word's begin.
        n: its length.
        found: how many known segments there are in hits.
        memory: how stretches were cut.
        tables: for their sizes, the windows and the letters.
        x: where hits and own are filled.
    """
    code, same, seen, meet, side = x.code, x.same, x.seen, x.meet, x.side
    bits = 0
    while 1 << bits < len(tables.hashed):
        bits += 1
    for t in range(n + 1):
        seen[t] = meet[t] = side[t, 0] = side[t, 1] = 0
        role = (FINAL if t == n else MEDIAL) << ROLE
        for s in range(t):
            code[t, s] = role | length_class(t - s) << LENGTH
            same[t, s] = -1
        if t:
            code[t, 0] = role_of(0, t, n) << ROLE | length_class(t) << LENGTH
    read_hits(symbols, first, n, found, bits, tables, x)
    read_memory(n, found, memory, x)
    read_meetings(n, x)
    read_characters(symbols, first, n, bits, tables, x)


def read_hits(symbols: Array, first: int, n: int, found: int, bits: int, tables: Tables, x: Scratch) -> None:
    """Fill code but for what was cut, same and seen from the known segments; the word does not count itself."""
    hits, code, same, seen, own = x.hits, x.code, x.same, x.seen, x.own
    letters = tables.letters
    head = itself = 0
    for t in range(1, n):
        if own[0] and own[t]:
            head = t
    for h in range(found):
        if hits[h, 1] - hits[h, 0] == n:
            itself = int(hits[h, 4])
    for h in range(found):
        s, t, k = int(hits[h, 0]), int(hits[h, 1]), int(hits[h, 2])
        inside = t - s < n
        if hits[h, 7] and inside:
            code[t, s] |= _ATTESTED
            link(symbols, first, n, s, t, letters, _ATTESTED_LINKED, code)
        if k < 0:
            continue
        code[t, s] |= count_class(int(hits[h, 3]) - is_own(s, t, n, own)) << COUNT
        same[t, s] = place(mix(mix(_SAME, k), role_of(s, t, n)), bits)
        if hits[h, 4] and inside:
            code[t, s] |= _LISTED
            link(symbols, first, n, s, t, letters, _LINKED, code)
        if hits[h, 5] > (itself if s == 0 and loses_ending(symbols, first, n, t, letters) else 0):
            code[t, s] |= _LINKED
        if s == 0:
            seen[t] = int(hits[h, 6]) - (1 if own[0] and t == head else 0)


def is_own(s: int, t: int, n: int, own: Array) -> int:
    """Return 1 if the segment is one of the parts with which the word was counted."""
    if not own[0] or (s > 0 and not own[s]) or (t < n and not own[t]):
        return 0
    for v in range(s + 1, t):
        if own[v]:
            return 0
    return 1


def loses_ending(symbols: Array, first: int, n: int, t: int, letters: Array) -> bool:
    """Return whether the word is its first t characters and e or en (`lexicon.linking.DROPPED_ENDINGS`)."""
    last = symbols[first + n - 1]
    if t == n - 1:
        return last == letters[2]
    return t == n - 2 and last == letters[1] and symbols[first + n - 2] == letters[2]


def link(symbols: Array, first: int, n: int, s: int, t: int, letters: Array, flag: int, code: Array) -> None:
    """Set a flag of the segments that are [s, t) and a linking element, and don't close the word."""
    left = n - t
    x = int(symbols[first + t]) if left > 0 else 0
    y = int(symbols[first + t + 1]) if left > 1 else 0
    z = int(symbols[first + t + 2]) if left > 2 else 0
    es, en, e, er = letters[0], letters[1], letters[2], letters[3]
    if left > 1 and x in (es, en, e):
        code[t + 1, s] |= flag
    if left > 2 and ((x == e and y in (en, es, er)) or (x == en and y == es)):
        code[t + 2, s] |= flag
    if left > 3 and x == en and y == e and z == en:
        code[t + 3, s] |= flag


def read_memory(n: int, found: int, memory: Memory, x: Scratch) -> None:
    """Add to the codes how often the stretch before t was cut at s, and whether elsewhere.

    For a last part: how often the stretch before it was seen.
    """
    hits, code, seen, own = x.hits, x.code, x.seen, x.own
    head = several = 0
    for t in range(1, n):
        if own[0] and own[t]:
            several = head
            head = t
    for t in range(1, n):
        if seen[t] > 0:
            code[n, t] |= min(seen[t], 2) << CUT
            for s in range(t):
                code[t, s] |= 1 << OTHER
    for h in range(found):
        s, t, k = int(hits[h, 0]), int(hits[h, 1]), int(hits[h, 2])
        if s > 0 or t == n or k < 0 or hits[h, 6] == 0:
            continue
        for r in range(memory.cut_ptr[k], memory.cut_ptr[k + 1]):
            cut = int(memory.cut_at[r])
            count = int(memory.cut_count[r])
            if own[0] and t == head and (own[cut] if cut else several == 0):
                count -= 1
            if count > 0:
                code[t, cut] |= min(count, 2) << CUT
            if 0 < seen[t] <= count:
                code[t, cut] &= ~(1 << OTHER)


def read_meetings(n: int, x: Scratch) -> None:
    """Fill meet and side from the codes: what is known to end and to begin at each node."""
    code, meet, side = x.code, x.meet, x.side
    for t in range(1, n + 1):
        for s in range(t):
            bits = int(code[t, s])
            if bits & _ANYTHING == 0 or t - s == n:
                continue
            known = 1 if bits & _COUNTED else 0
            word = 1 if bits & (_ATTESTED | _ATTESTED_LINKED) else 0
            if s == 0:
                modifier = 1 if bits & (_LISTED | _LINKED) else 0
                side[t, 0] |= modifier
                meet[t] |= modifier | known << 1 | word << 3
            elif t == n:
                head = 1 if bits & _LISTED else 0
                side[s, 1] |= head
                meet[s] |= head << 4 | known << 5 | word << 7
            elif known or t - s > 2:
                meet[t] |= 1 << 2
                meet[s] |= 1 << 6


def read_characters(symbols: Array, first: int, n: int, bits: int, tables: Tables, x: Scratch) -> None:
    """Fill near and affix; what lies beyond the word is one more character."""
    near, affix, left, right = x.near, x.affix, x.left, x.right
    windows = tables.windows
    reach = len(left) - 1
    for t in range(1, n):
        left[0] = right[0] = _NEAR
        for i in range(1, reach + 1):
            left[i] = mix(left[i - 1], int(symbols[first + t - i]) + 1 if t >= i else 0)
            right[i] = mix(right[i - 1], int(symbols[first + t + i - 1]) + 1 if t + i <= n else 0)
        for w in range(len(windows)):
            h = mix(left[windows[w, 0]], w) ^ (right[windows[w, 1]] >> 3)
            near[t, w] = place((h * _PRIME) & _MASK, bits)
    begin, end = _BEGIN, _END
    for i in range(AFFIXES + 1):
        begin = mix(begin, int(symbols[first + i]) if i < n else 0)
        end = mix(end, int(symbols[first + n - 1 - i]) if i < n else 0)
        if i:
            affix[i - 1] = place(begin, bits)
            affix[AFFIXES + i - 1] = place(end, bits)


def weigh_word(n: int, tables: Tables, x: Scratch) -> None:
    """Fill weight from all that `read_word` fills."""
    code, same, near, meet, side, affix, weight = x.code, x.same, x.near, x.meet, x.side, x.affix, x.weight
    hashed, segments, around, meetings = tables.hashed, tables.segments, tables.around, tables.meetings
    for t in range(1, n + 1):
        score = 0.0
        if t < n:
            score = np.float64(meetings[meet[t]])
            for w in range(len(tables.windows)):
                score += np.float64(hashed[near[t, w]])
        factor = math.exp(min(max(score, LOWEST), HIGHEST))
        role = FINAL if t == n else MEDIAL
        for s in range(t):
            sides = role * 4 + side[t, 0] * 2 + side[s, 1]
            weight[t, s] = factor * segments[code[t, s]] * around[sides]
        sides = role_of(0, t, n) * 4 + side[t, 0] * 2 + side[0, 1]
        weight[t, 0] = factor * segments[code[t, 0]] * around[sides]
        for s in range(t):
            if same[t, s] >= 0:
                weight[t, s] *= math.exp(min(max(np.float64(hashed[same[t, s]]), LOWEST), HIGHEST))
            weight[t, s] = min(weight[t, s], HEAVIEST)
    score = 0.0
    for place_of in affix:
        score += np.float64(hashed[place_of])
    weight[n, 0] = min(weight[n, 0] * math.exp(min(max(score, LOWEST), HIGHEST)), HEAVIEST)


def sum_paths(n: int, x: Scratch) -> None:
    """Fill alpha, beta, best and back; of equal paths the one with the longer last part is the best."""
    alpha, beta, best, back, weight = x.alpha, x.beta, x.best, x.back, x.weight
    alpha[0] = best[0] = beta[n] = 1.0
    for t in range(1, n + 1):
        total, top, arg = 0.0, -1.0, 0
        for s in range(t):
            total += alpha[s] * weight[t, s]
            if best[s] * weight[t, s] > top:
                top = best[s] * weight[t, s]
                arg = s
        alpha[t] = total
        best[t] = top
        back[t] = arg
    for t in range(n):
        beta[t] = 0.0
    for t in range(n, 0, -1):
        for s in range(t):
            beta[s] += weight[t, s] * beta[t]


def split_word(
    symbols: Array, first: int, n: int, b: int, found: int, memory: Memory, tables: Tables, x: Scratch, splits: Splits
) -> None:
    """Fill what `Splits` has of word b, whose known segments are in hits."""
    read_word(symbols, first, n, found, memory, tables, x)
    weigh_word(n, tables, x)
    sum_paths(n, x)
    z = x.alpha[n]
    splits.probability[b] = x.best[n] / z
    splits.log_z[b] = math.log(z)
    splits.uncut[b] = x.weight[n, 0] / z
    t = x.back[n]
    while t > 0:
        splits.cuts[first + t] = x.alpha[t] * x.beta[t] / z
        t = x.back[t]


def split_words(
    symbols: Array, starts: Array, known: Known, memory: Memory, tables: Tables, x: Scratch, splits: Splits
) -> None:
    """Fill what `Splits` has of B words.

    Args:
        symbols: (T,) uint8, of all words.
        starts: (B + 1,) int64, where each word's symbols begin; a word of none or more than `LONGEST` is passed over.
        known: the strings.
        memory: how stretches were cut.
        tables: what everything is worth.
        x: room for one word; own is 0.
        splits: what is filled.
    """
    for b in range(len(starts) - 1):
        first = starts[b]
        n = starts[b + 1] - first
        if 0 < n <= LONGEST:
            found = walk(symbols, first, n, known, x.hits)
            split_word(symbols, first, n, b, found, memory, tables, x, splits)


def score_word(
    symbols: Array, first: int, n: int, at: int, found: int, memory: Memory, tables: Tables, x: Scratch, scores: Array
) -> int:
    """Fill scores from place `at` on with those of a word's segments, in nats, and return the place behind them."""
    read_word(symbols, first, n, found, memory, tables, x)
    weigh_word(n, tables, x)
    for t in range(1, n + 1):
        for s in range(t):
            scores[at] = math.log(x.weight[t, s])
            at += 1
    return at


def score_words(
    symbols: Array, starts: Array, known: Known, memory: Memory, tables: Tables, x: Scratch, scores: Array
) -> None:
    """Fill scores (E,) float64, in nats, of the edges of the words' lattice (`hybrid.lattice`); arguments as above."""
    at = 0
    for b in range(len(starts) - 1):
        n = starts[b + 1] - starts[b]
        found = walk(symbols, starts[b], n, known, x.hits)
        at = score_word(symbols, starts[b], n, at, found, memory, tables, x, scores)


def may_respell(symbols: Array, first: int, n: int, known: Known, digraphs: Array, stack: Array) -> bool:
    """Return whether a word of the dictionary, of 3 letters or more, holds a digraph of the word read as one letter.

    If none does, `lexicon.respelling.respell` leaves the word as it is.

    Args:
        symbols: of all words.
        first: where this word's begin.
        n: its length.
        known: the strings.
        digraphs: (D, 3) int64, two symbols and the one that they may be read as; 0: none.
        stack: (2 · LONGEST, 3) int64, room for node, place and letters so far.
    """
    for p in range(n - 1):
        letter = fold(symbols, first + p, digraphs)
        if letter == 0:
            continue
        for s in range(p + 1):
            at = 0
            for t in range(s, p):
                at = step(known, at, int(symbols[first + t]))
                if at == 0:
                    break
            if at == 0 and s < p:
                continue
            at = step(known, at, letter)
            if at == 0:
                continue
            stack[0, 0], stack[0, 1], stack[0, 2] = at, p + 2, p - s + 1
            top = 1
            while top:
                top -= 1
                at, t, letters = stack[top, 0], stack[top, 1], stack[top, 2]
                if int(known.node[at, 0]) & 1 and letters > 2 and known.says[known.key[at], 7]:
                    return True
                if t >= n:
                    continue
                following = step(known, at, int(symbols[first + t]))
                if following:
                    stack[top, 0], stack[top, 1], stack[top, 2] = following, t + 1, letters + 1
                    top += 1
                other = fold(symbols, first + t, digraphs) if t + 1 < n else 0
                following = step(known, at, other) if other else 0
                if following:
                    stack[top, 0], stack[top, 1], stack[top, 2] = following, t + 2, letters + 1
                    top += 1
    return False


def fold(symbols: Array, at: int, digraphs: Array) -> int:
    """Return the symbol that the two at a place may be read as, or 0."""
    for d in range(len(digraphs)):
        if symbols[at] == digraphs[d, 0] and symbols[at + 1] == digraphs[d, 1]:
            return int(digraphs[d, 2])
    return 0


def step(known: Known, at: int, symbol: int) -> int:
    """Return the node that a symbol leads to, or 0."""
    bits = int(known.node[at, 0])
    bit = 1 << symbol
    if bit == 1 or bits & bit == 0:
        return 0
    x = bits & (bit - 1) & 0xFFFFFFFE
    x -= (x >> 1) & 0x55555555  # the number of bits
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = ((((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101) & _MASK) >> 24
    return int(known.node[at, 1]) + x


def find_digraphs(symbols: Array, starts: Array, known: Known, digraphs: Array, found: Array) -> None:
    """Fill found (B,) bool: whether the word may have to be respelt; see `may_respell`."""
    stack = np.zeros((2 * LONGEST, 3), np.int64)
    for b in range(len(starts) - 1):
        n = starts[b + 1] - starts[b]
        found[b] = n <= LONGEST and may_respell(symbols, starts[b], n, known, digraphs, stack)


def new_scratch(windows: Array) -> Scratch:
    """Return room for one word; `windows` as in `Tables`."""
    size = LONGEST + 1
    square, whole, small, reals = (size, size), np.int64, np.int32, np.float64
    return Scratch(
        hits=np.zeros((LONGEST * size // 2, 8), small), code=np.zeros(square, small), same=np.zeros(square, small),
        near=np.zeros((size, len(windows)), small), meet=np.zeros(size, whole), side=np.zeros((size, 2), whole),
        seen=np.zeros(size, whole), affix=np.zeros(2 * AFFIXES, small), own=np.zeros(size, whole),
        weight=np.zeros(square, reals), alpha=np.zeros(size, reals), beta=np.zeros(size, reals),
        best=np.zeros(size, reals), back=np.zeros(size, whole), left=np.zeros(int(windows.max()) + 1, whole),
        right=np.zeros(int(windows.max()) + 1, whole),
    )  # fmt: skip


JITTED = (role_of, mix, place, length_class, count_class, step, walk, fold, may_respell, read_word, read_hits, is_own,
          loses_ending, link, read_meetings, read_memory, read_characters, weigh_word, sum_paths, split_word,
          score_word)  # fmt: skip
"""What the loops over many words call."""
