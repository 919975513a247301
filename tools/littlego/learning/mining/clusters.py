"""Clusters of overrides with a common cause: a part of the board that makes the same move right.

The cause of an override is a move and a sub-board, which is a set of board points with their contents. Rotations and
reflections count as the same sub-board. The search starts with the whole board of the override and removes one point
after another. Each step removes the point whose removal lets the sub-board match the most other overrides. The search
considers only overrides with the same colour to move, the same number of moves left, and the same class of the
overruled decision. A point stays if the sub-board without it would match a known position where the move loses.
Therefore every remaining point is necessary. The known positions are the labelled positions of the working part and
other solved positions. One third of the boards is held out; the known positions on these boards show how often the move
is right in unseen positions that match the sub-board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np

from littlego.engines.compiled.board import jit
from littlego.engines.compiled.engine import compile_book, decide_many
from littlego.engines.compiled.states import TABLES, image, parts
from littlego.games.boards import move_text
from littlego.knowledge.model import NO_PATTERN
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Book
from littlego.rules.position import BLACK, WHITE
from littlego.rules.positionkey import PASS_POINT, POINTS, unpack_move
from littlego.truth.labels.labels import Labels, legal_many, moves_left
from littlego.truth.labels.positions import held_out

SYMMETRIES = len(TABLES)
TURNS = np.array([[*table, PASS_POINT] for table in TABLES], dtype=np.int64)
KEPT, BLUNDERED = 1, 0  # results of moves: the move keeps the win, or gives it away
UNKNOWN, MOVE = "?", "*"  # in a drawn sub-board: any point; the move


class Rows(NamedTuple):
    """Moves on boards in all orientations, sorted by the point of the move, as int64 arrays.

    own, theirs: the masks of the mover's and the opponent's stones. source: the index of the position, override or move
    to which a row belongs; see Part. starts: int [POINTS + 2], the first row of each point, where point 25 is the pass.
    """

    own: np.ndarray
    theirs: np.ndarray
    source: np.ndarray
    starts: np.ndarray

    def at(self, point: int) -> slice:
        """Return the slice of the rows whose move is `point`."""
        return slice(int(self.starts[point]), int(self.starts[point + 1]))


def rows_of(codes: np.ndarray, moves: np.ndarray, source: np.ndarray) -> Rows:
    """Return the rows for moves in positions, in all orientations.

    moves: the move in each position, 25 for a pass. source: for each position, the index to store as `Rows.source`.
    """
    own, theirs = _images(np.ascontiguousarray(codes, np.int64))
    points = TURNS[:, moves.astype(np.int64)].T.ravel()
    order = np.argsort(points, kind="stable")
    starts = np.searchsorted(points[order], np.arange(POINTS + 2))
    return Rows(own[order], theirs[order], np.repeat(source, SYMMETRIES)[order], starts)


@jit
def _images(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own, theirs = np.empty(8 * codes.size, np.int64), np.empty(8 * codes.size, np.int64)
    for k in range(codes.size):
        mine, others, _, _, _ = parts(codes[k])
        for symmetry in range(8):
            own[8 * k + symmetry] = image(mine, symmetry)
            theirs[8 * k + symmetry] = image(others, symmetry)
    return own, theirs


class Part(NamedTuple):
    """Overrides that may have the same cause, and the known positions for testing a cause.

    All overrides have the same colour to move, number of moves left and class of the overruled decision. records: rows
    of the overrides; a row's source is an index into Records.codes. against: rows of the losing moves in known
    positions that are not held out. held: rows of all moves in held-out positions. wins: whether a move wins, indexed
    by the source of a row of `held`.
    """

    records: Rows
    against: Rows
    held: Rows
    wins: np.ndarray


@dataclass(frozen=True)
class Cluster:
    """A sub-board and the overrides that it covers.

    code: the code of the position from which the sub-board comes. move: the move's point, or 25 for a pass. points: the
    mask of the sub-board. kind: the class of the overruled decisions. by: the pattern overruled most often. members:
    indices of the overrides, ascending. known: the number of known held-out positions that match the sub-board. right:
    the number of these positions where the move wins.
    """

    code: int
    move: int
    points: int
    kind: str
    by: str
    members: tuple[int, ...]
    right: int
    known: int

    @property
    def left(self) -> int:
        """The number of moves left in the position of `code`."""
        return int(moves_left(np.array([self.code]))[0])

    @property
    def colour(self) -> int:
        """The colour to move, BLACK or WHITE."""
        return WHITE if self.left % 2 else BLACK

    def rows(self) -> list[str]:
        """Return the rows of a drawing of the sub-board.

        The symbols are `X` for the mover, `O` for the opponent, `.` for an empty point, `*` for the move, and `?` for a
        point outside the sub-board.
        """
        own, theirs, _, _, _ = parts(self.code)
        signs = [
            MOVE
            if point == self.move
            else UNKNOWN
            if not self.points >> point & 1
            else "X"
            if own >> point & 1
            else "O"
            if theirs >> point & 1
            else "."
            for point in range(POINTS)
        ]
        return ["".join(signs[start : start + 5]) for start in range(0, POINTS, 5)]

    def as_json(self) -> dict[str, Any]:
        """Return the cluster as plain JSON values."""
        return {
            "colour": "black" if self.colour == BLACK else "white",
            "left": self.left,
            "class": self.kind,
            "overruled": self.by,
            "move": move_text(unpack_move(self.move), 5),
            "board": self.rows(),
            "records": len(self.members),
            "right": self.right,
            "known": self.known,
        }


class Records:
    """A file's overrides, the patterns that they overrule, and the known positions.

    overrides: {canonical code: move}. known: solved positions with winning and losing moves, without the test part.
    """

    def __init__(self, overrides: Mapping[int, int], known: Labels, book: Book):
        self.codes = np.array([*overrides], dtype=np.int64)
        self.moves = np.array([*overrides.values()], dtype=np.int64)
        self.known = known
        _, leading = decide_many(self.codes, compile_book(book))
        names = [(pattern.id, pattern.kind) for pattern in book.patterns]
        self.by = [names[one] if one >= 0 else (NO_PATTERN, NO_PATTERN) for one in leading.tolist()]
        self.kinds = np.array([kind for _, kind in self.by])
        self._parts: dict[tuple[int, str], Part] = {}
        self._known: dict[int, tuple[Rows, Rows, np.ndarray]] = {}

    @cached_property
    def left(self) -> np.ndarray:
        """The number of moves left in the position of each override."""
        return np.asarray(moves_left(self.codes))

    def part(self, left: int, kind: str) -> Part:
        """Return the Part of all overrides with `left` moves left and overruled decisions of class `kind`."""
        key = left, kind
        if key not in self._parts:
            chosen = np.flatnonzero((self.left == left) & (self.kinds == kind))
            records = rows_of(self.codes[chosen], self.moves[chosen], chosen)
            if left not in self._known:
                self._known[left] = self._known_at(left)
            self._parts[key] = Part(records, *self._known[left])
        return self._parts[key]

    def _known_at(self, left: int) -> tuple[Rows, Rows, np.ndarray]:
        here = self.known.where(moves_left(self.known.codes) == left)
        held = held_out(here.codes)
        position, move, wins = _legal(here)
        lose = ~wins & ~held[position]
        against = rows_of(here.codes[position[lose]], move[lose], position[lose])
        rest = held[position]
        held_rows = rows_of(here.codes[position[rest]], move[rest], np.flatnonzero(rest))
        return against, held_rows, wins

    def cluster_of(self, record: int) -> Cluster:
        """Return the cluster of an override: the override and all overrides with the same cause."""
        name, kind = self.by[record]
        part = self.part(int(self.left[record]), kind)
        code, move = int(self.codes[record]), int(self.moves[record])
        records, against, held = (_differences(code, rows, move) for rows in (part.records, part.against, part.held))
        points = _least(records, against)
        members = np.unique(part.records.source[part.records.at(move)][records & points == 0])
        known = np.unique(part.held.source[part.held.at(move)][held & points == 0])
        names = Counter(self.by[one][0] for one in members.tolist())
        by = max(names, key=lambda one: (names[one], one == name, one))
        return Cluster(code, move, points, kind, by, tuple(members.tolist()), int(part.wins[known].sum()), known.size)


def _legal(labels: Labels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (position indices, moves, whether each move wins): arrays with one item per legal move."""
    position, move = np.nonzero(legal_many(labels.codes)[:, None] >> np.arange(PASS_POINT + 1) & 1)
    return position, move, (labels.winning[position] >> move & 1).astype(bool)


def _differences(code: int, rows: Rows, move: int) -> np.ndarray:
    """Return, for each row whose move is `move`, the mask of the points where the row differs from `code`."""
    own, theirs, _, _, _ = parts(code)
    here = rows.at(move)
    return np.asarray((rows.own[here] ^ own) | (rows.theirs[here] ^ theirs))


def _least(records: np.ndarray, against: np.ndarray) -> int:
    """Return the mask of a minimal sub-board that matches no row of `against`.

    records, against: for each row, the mask of the points where the row differs from the override's position. Each step
    removes the point whose removal lets the most overrides match; in a tie, the last such point.
    """
    points = (1 << POINTS) - 1
    while True:
        records, against = records & points, against & points
        free = points & ~_only_points(against)
        if not free:
            return points
        alone = records[(records & (records - 1) == 0) & (records != 0)]
        let_in = {point: int((alone == 1 << point).sum()) for point in points_of(free)}
        points &= ~(1 << max(let_in, key=lambda point: (let_in[point], point)))


def _only_points(differences: np.ndarray) -> int:
    """Return the mask of the points that must stay because each is the only difference in some row."""
    alone = differences[differences & (differences - 1) == 0]
    return int(np.bitwise_or.reduce(alone)) if alone.size else 0


def find_clusters(records: Records, number: int, seed: int) -> Iterator[Cluster]:
    """Yield the clusters of at most `number` overrides, which are drawn at random with the given seed."""
    chosen = Random(seed).sample(range(records.codes.size), min(number, records.codes.size))
    yield from map(records.cluster_of, sorted(chosen))


class Share(NamedTuple):
    """Statistics of the overrides that overrule decisions of one class.

    records: the number of overrides. looked_at: the number of examined overrides. largest, median: the largest and the
    median size of the clusters of the examined overrides. needed: the estimated number of sub-boards that together
    cover all overrides: `records` times the mean of 1 / (size of the cluster).
    """

    kind: str
    records: int
    looked_at: int
    largest: int
    median: int
    needed: int


def shares(records: Records, clusters: Sequence[Cluster]) -> list[Share]:
    """Return the Share of each class with at least one examined override, most overrides first."""
    counts = Counter(kind for _, kind in records.by)
    results = []
    for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        sizes = sorted(len(cluster.members) for cluster in clusters if cluster.kind == kind)
        if sizes:
            needed = round(count * sum(1 / size for size in sizes) / len(sizes))
            results.append(Share(kind, count, len(sizes), sizes[-1], sizes[len(sizes) // 2], needed))
    return results


def best_first(clusters: Sequence[Cluster], most: int) -> list[tuple[Cluster, int]]:
    """Return at most `most` pairs (cluster, number of newly covered overrides).

    The clusters are chosen greedily. The number counts the cluster's overrides that no earlier cluster covers; clusters
    that cover no new override are omitted.
    """
    left, covered = [*clusters], set[int]()
    results: list[tuple[Cluster, int]] = []
    while left and len(results) < most:
        best = max(left, key=lambda one: (len({*one.members} - covered), -one.code))
        new = {*best.members} - covered
        if not new:
            break
        covered |= new
        left.remove(best)
        results.append((best, len(new)))
    return results
