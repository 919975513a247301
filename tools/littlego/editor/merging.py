"""A three-way merge of texts by lines, with a conflict for lines that the sides changed differently."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

Lines = Sequence[str]
BLOCK = 10_000  # number of characters to compare at once


@dataclass(frozen=True)
class Conflict:
    """A place where both sides changed the same lines differently.

    start, end: the bounds of `mine` in the merged text, in characters. mine, theirs, base: the three versions of the
    lines.
    """

    start: int
    end: int
    mine: str
    theirs: str
    base: str


class Region(NamedTuple):
    """Corresponding ranges of lines in the three texts of a merge."""

    base: Lines
    mine: Lines
    theirs: Lines

    @property
    def is_conflict(self) -> bool:
        return self.mine != self.base and self.theirs != self.base and self.mine != self.theirs

    @property
    def merged(self) -> Lines:
        """The lines of the merged text; in a conflict, the lines of `mine`."""
        return self.theirs if self.mine == self.base else self.mine


def merge(base: str, mine: str, theirs: str) -> tuple[str, list[Conflict]]:
    """Return the merged text and the conflicts."""
    parts, conflicts, at = [], [], 0
    for region in regions(*(text.splitlines(keepends=True) for text in (base, mine, theirs))):
        text = "".join(region.merged)
        if region.is_conflict:
            conflicts.append(Conflict(at, at + len(text), text, "".join(region.theirs), "".join(region.base)))
        parts.append(text)
        at += len(text)
    return "".join(parts), conflicts


def regions(base: Lines, mine: Lines, theirs: Lines) -> Iterator[Region]:
    """Yield the regions of three texts, in order.

    A region is unchanged, changed by one side, or changed by both sides.
    """
    at = [0, 0, 0]
    for *starts, count in _synchronized(base, mine, theirs):
        region = Region(base[at[0] : starts[0]], mine[at[1] : starts[1]], theirs[at[2] : starts[2]])
        if any(region):
            yield region
        if same := base[starts[0] : starts[0] + count]:
            yield Region(same, same, same)
        at = [start + count for start in starts]


def _synchronized(base: Lines, mine: Lines, theirs: Lines) -> Iterator[tuple[int, int, int, int]]:
    """Yield (index in base, in mine, in theirs, number of lines) for each block of common lines.

    A block is common to all three texts. The last item is an empty block at the ends of the texts.
    """
    left, right = matches(base, mine), matches(base, theirs)
    i = j = 0
    while i < len(left) and j < len(right):
        (a, b, n), (c, d, m) = left[i], right[j]
        start, end = max(a, c), min(a + n, c + m)
        if start < end:
            yield start, b + start - a, d + start - c, end - start
        if a + n < c + m:
            i += 1
        else:
            j += 1
    yield len(base), len(mine), len(theirs), 0


def matches(base: Lines, other: Lines) -> list[tuple[int, int, int]]:
    """Return (index in base, index in other, number of lines) for each block of equal lines.

    The last item is an empty block at the ends of both texts.
    """
    blocks: list[tuple[int, int, int]] = []
    for i, j in _pairs(base, other, 0, 0):
        if blocks and (blocks[-1][0] + blocks[-1][2], blocks[-1][1] + blocks[-1][2]) == (i, j):
            blocks[-1] = *blocks[-1][:2], blocks[-1][2] + 1
        else:
            blocks.append((i, j, 1))
    return [*blocks, (len(base), len(other), 0)]


def _pairs(base: Lines, other: Lines, i: int, j: int) -> Iterator[tuple[int, int]]:
    """Yield (index in base, index in other) for each pair of equal lines in the whole texts.

    i, j: the indexes of the first lines of `base` and `other` in the whole texts.

    After matching the common start and end, the algorithm ("patience diff") matches the lines that occur exactly once
    in each text, such as the line of a pattern's id. Only the lines in between are compared by difflib, which would
    take seconds for thousands of equal lines, such as rows of boards.
    """
    before = _common(zip(base, other, strict=False))
    yield from ((i + n, j + n) for n in range(before))
    after = _common(zip(reversed(base[before:]), reversed(other[before:]), strict=False))
    ends = len(base) - after, len(other) - after
    inner, theirs = base[before : ends[0]], other[before : ends[1]]
    anchors = _anchors(inner, theirs)
    if anchors:
        at = (0, 0)
        for m, n in [*anchors, (len(inner), len(theirs))]:
            yield from _pairs(inner[at[0] : m], theirs[at[1] : n], i + before + at[0], j + before + at[1])
            if m < len(inner):
                yield i + before + m, j + before + n
            at = (m + 1, n + 1)
    else:
        for m, n, size in SequenceMatcher(None, inner, theirs, autojunk=False).get_matching_blocks():
            yield from ((i + before + m + k, j + before + n + k) for k in range(size))
    yield from ((i + ends[0] + n, j + ends[1] + n) for n in range(after))


def _common(pairs: Iterable[tuple[str, str]]) -> int:
    """Return the number of pairs of equal lines before the first pair of unequal lines."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _anchors(base: Lines, other: Lines) -> list[tuple[int, int]]:
    """Return (index in base, index in other) for the lines that anchor a merge.

    The lines are the longest common subsequence of the lines that are unique in both texts.
    """
    counts, others = Counter(base), Counter(other)
    places = {line: n for n, line in enumerate(other) if others[line] == 1}
    ends: list[int] = []  # for each length of a common subsequence, its lowest last index in `other`
    series: list[tuple[int, int, int]] = []  # (place in base, place in other, index of the previous item or -1)
    tops: list[int] = []  # the index in `series` of each end
    for m, line in enumerate(base):
        if counts[line] == 1 and line in places:
            length = bisect_left(ends, places[line])
            series.append((m, places[line], tops[length - 1] if length else -1))
            ends[length : length + 1] = [places[line]]
            tops[length : length + 1] = [len(series) - 1]
    found, top = [], tops[-1] if tops else -1
    while top >= 0:
        m, n, top = series[top]
        found.append((m, n))
    return found[::-1]


def common_ends(before: str, after: str) -> tuple[int, int, int]:
    """Return (start, end, by): the bounds of the differing part of `before`, and the change in length.

    The texts are equal before `start`, and `before[end:]` equals `after[end + by :]`.
    """
    most = min(len(before), len(after))
    start = _count_equal(most, lambda begin, end: before[begin:end] == after[begin:end])
    below = _count_equal(
        most - start,
        lambda begin, end: (
            before[len(before) - end : len(before) - begin] == after[len(after) - end : len(after) - begin]
        ),
    )
    return start, len(before) - below, len(after) - len(before)


def _count_equal(most: int, is_equal: Callable[[int, int], bool]) -> int:
    """Return the number of equal characters before the first difference, at most `most`.

    is_equal(begin, end): returns whether the texts are equal from `begin` to `end` (exclusive).
    """
    equal = 0
    while equal < most and is_equal(equal, min(equal + BLOCK, most)):
        equal = min(equal + BLOCK, most)
    end = min(equal + BLOCK, most)
    while equal < end:
        middle = (equal + end + 1) // 2
        if is_equal(equal, middle):
            equal = middle
        else:
            end = middle - 1
    return equal
