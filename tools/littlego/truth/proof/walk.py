"""The walk of a proof: every position that the player can meet, in layers, with judged decisions.

A layer contains all positions of the walk with the player to move and a given number of moves left. The positions are
stored as a sorted array of the codes of canonical images; rules/positionkey defines the codes. From each position, the
player's move and then any reply, passes included, lead to a position in the next layer.

The walk first goes down through the layers, then judges the decisions on the way back up. A move keeps the win if every
reply leads to a won position in the next layer or to a position settled as a win (see lemmas). If a move does not keep
the win, the solver checks whether another move wins. Far from the end of the game, few positions need this check. If
another move wins, the decision is a failure, and the next walk continues with a winning move in place of the failed
move. Walks are repeated until a walk finds no new failures. The overrides must cover the failures of all walks.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from littlego.arrays import DAMAGES, write_arrays
from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.board import first_point, jit
from littlego.engines.compiled.states import after, canonical, ends, moves_mask
from littlego.files import short_name
from littlego.knowledge.overrides import EXACT
from littlego.rules.position import opening
from littlego.rules.positionkey import LEFT_AT, POINTS, pack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.decider import BY_OVERRIDE, Decider
from littlego.truth.labels.labels import canonical_many, find_places
from littlego.truth.proof.forecast import DECISIONS, JUDGED, REPLIES
from littlego.truth.proof.lemmas import OPEN, judge, settled_many
from littlego.truth.proof.threads import Watch, concatenate, when_due
from littlego.truth.proof.values import KnownValues, Values

MERGED_FROM = 30_000_000  # minimum number of codes to collect before a merge into the sorted array
Tell = Callable[[str], None]
LAST = EXACT + 1  # minimum moves left in a judged position


class Decided(NamedTuple):
    """Positions with a player's moves. deciders: the deciding patterns' indices, see Decider.decide."""

    codes: np.ndarray
    moves: np.ndarray
    deciders: np.ndarray


class Layer(NamedTuple):
    """The positions of a layer and their results.

    codes: the positions' codes, ascending. moves: the moves with which the walk continues. A failed decision is
    replaced by a winning move. deciders: see Decider. won: whether each position is won for the player. failing: the
    indices of positions where the player's decision gave the win away. thrown: these failed decisions. winning: the
    masks of winning moves in the positions of `failing`, see Values.repairs. cut: the number of settled positions
    omitted from the layer, see lemmas.
    """

    codes: np.ndarray
    moves: np.ndarray
    deciders: np.ndarray
    won: np.ndarray
    failing: np.ndarray
    thrown: np.ndarray
    winning: np.ndarray
    cut: int

    @property
    def left(self) -> int:
        """The number of moves left in the layer's positions."""
        return int(self.codes[0]) >> LEFT_AT

    @property
    def overruled(self) -> int:
        """The number of positions where an override replaced the patterns' move."""
        return int((self.deciders == BY_OVERRIDE).sum())

    @property
    def digest(self) -> str:
        """The SHA-256 digest of the codes and moves. See digest_of."""
        return digest_of(self.codes, self.moves)


def digest_of(codes: np.ndarray, moves: np.ndarray) -> str:
    """Return the SHA-256 digest of a layer: sorted codes (8 bytes, little-endian) and moves (1 byte each)."""
    return sha256(codes.astype("<i8").tobytes() + moves.astype("i1").tobytes()).hexdigest()


_CODES, _MOVES = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int8)
NOTHING = Layer(  # a layer without positions
    _CODES, _MOVES, np.zeros(0, dtype=np.int16), np.zeros(0, dtype=bool), _CODES, _MOVES, np.zeros(0, dtype=np.int32), 0
)


class SortedCodes:
    """A sorted array of distinct codes, built from many arrays.

    New arrays are merged in batches that grow with the array. Merging each array as soon as it is added would sort a
    layer of millions of positions a thousand times.
    """

    def __init__(self, least: int):
        self.least = least  # a merge needs more collected codes than this, and than half the sorted array
        self.sorted = np.zeros(0, dtype=np.int64)
        self.waiting: list[np.ndarray] = []

    def add(self, codes: np.ndarray) -> None:
        """Add an array of codes. Any thread may call this method."""
        self.waiting.append(codes)

    def join(self, now: bool = False) -> None:
        """Merge the collected arrays if they are large enough or `now` is true."""
        if now or sum(array.size for array in self.waiting) > max(self.least, self.sorted.size // 2):
            number = len(self.waiting)
            self.sorted = np.unique(concatenate([self.sorted, *self.waiting[:number]]))
            del self.waiting[:number]  # other threads may have added arrays in the meantime

    def all(self) -> np.ndarray:
        """Return all codes, sorted."""
        self.join(now=True)
        return self.sorted


@dataclass
class Walk:
    """The walk of one player.

    decisions: the player's moves. values: the solver's values of positions. jobs: the number of threads. searched_from:
    with at least this many moves left, the solver judges each decision immediately, because continuing the walk from a
    wrong move can take longer than judging the move.
    """

    decisions: Decisions
    values: Values
    jobs: int
    watch: Watch = field(default_factory=Watch)
    searched_from: int = LITTLE_GO.length

    def layers(self, roots: np.ndarray, down_to: int = 0, tell: Tell = lambda line: None) -> list[Layer]:
        """Return the layers from the roots down to the last layer where a decision could be wrong.

        roots: codes of positions with the same number of moves left. down_to: the minimum number of moves left in a
        layer, for a walk that ends early. tell: a function that receives progress lines.
        """
        last = max(down_to, LAST)
        while True:
            layers = []
            for layer in self._walk_down(canonical_unique(roots), last):
                layers.append(layer)
                tell(
                    f"{layer.left:2} moves left: {layer.codes.size:,} positions, {layer.failing.size:,} known failures"
                )
            new = self.judge(layers, last, tell)
            if not new.size:
                return layers
            further = self.follow_repairs(layers, new, last)
            behind = f"; {further:,} more after repairs" if further else ""
            tell(f"{new.size:,} new failures{behind}: repeating the walk with winning moves instead")

    def _walk_down(self, codes: np.ndarray, last: int) -> Iterator[Layer]:
        """Yield the layers from the roots down.

        The solver judges the last layer, and each layer with at least `searched_from` moves left, before the layer is
        yielded. Later, `judge` judges all layers except the last.
        """
        codes, cut = self._leave_out_settled(codes)
        while codes.size:
            left = int(codes[0]) >> LEFT_AT
            self.watch.left = left
            layer = self.make_layer(codes, cut, left >= self.searched_from or left - 2 < last)
            yield layer
            if left - 2 < last:
                return
            codes, cut = self.following(layer)

    def following(self, layer: Layer | Decided) -> tuple[np.ndarray, int]:
        """Return (positions, omitted): the unsettled positions after all replies to a layer's moves.

        omitted: the number of settled positions, which are left out.
        """
        return self._leave_out_settled(self.replies(layer.codes, layer.moves))

    def decided(self, roots: np.ndarray) -> Iterator[Decided]:
        """Yield the layers from the roots down with the player's decisions, neither judged nor repaired."""
        codes, _ = self._leave_out_settled(canonical_unique(roots))
        while codes.size:
            self.watch.left = int(codes[0]) >> LEFT_AT
            layer = Decided(codes, *self.decisions.of(codes))
            yield layer
            if self.watch.left - 2 < LAST:
                return
            codes, _ = self.following(layer)

    def make_layer(self, codes: np.ndarray, cut: int, searched: bool) -> Layer:
        """Return a layer with repairs in place of known failures. searched: whether the solver judges each decision."""
        return self.repair(Decided(codes, *self.decisions.of(codes)), cut, searched)

    def repair(self, decided: Decided, cut: int, searched: bool) -> Layer:
        """Return the Layer of `decided`, with winning moves in place of the decisions known to fail.

        The method overwrites `decided.moves`. cut: see Layer. searched: see make_layer.
        """
        codes, moves, deciders = decided
        if searched:
            won = self.values.keeps(codes, moves)
            failing = np.flatnonzero(~won)
            failing = failing[self.values.wins(codes[failing])]
            won[failing] = True
        else:
            won, failing = np.zeros(codes.size, dtype=bool), self.values.known_to_fail(codes, moves)
        thrown = moves[failing]
        winning, moves[failing] = self.values.repairs(codes[failing], self.decisions.decider)
        return Layer(codes, moves, deciders, won, failing, thrown, winning, cut)

    def judge(self, layers: list[Layer], last: int, tell: Tell) -> np.ndarray:
        """Judge the layers above the last, from the bottom up, and fill in `won`. Return the codes of new failures."""
        new: list[np.ndarray] = []
        codes, won = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
        for layer in reversed(layers):
            self.watch.left = layer.left
            if layer.left - 2 >= last:
                doubtful = self.judge_layer(layer, codes, won)
                failing = self._find_failures(layer, doubtful)
                new.append(layer.codes[failing])
                given = f"{failing.size:,} of these moves give a win away"
                tell(f"{layer.left:2} moves left: {doubtful.size:,} moves lose; {given}")
            codes, won = layer.codes, layer.won
        return concatenate(new)

    def judge_layer(self, layer: Layer, below: np.ndarray, below_won: np.ndarray) -> np.ndarray:
        """Record which moves keep the win. Return the indices of the moves that do not keep the win.

        below: the codes of the next layer. below_won: whether each position of the next layer is won.
        """
        layer.won[:] = self.keeps(layer.codes, layer.moves, below, below_won)
        return np.flatnonzero(~layer.won)

    def _find_failures(self, layer: Layer, doubtful: np.ndarray) -> np.ndarray:
        """Return the indices of losing moves in won positions, and cache these moves as failures."""
        failing = doubtful[self.values.wins(layer.codes[doubtful])]
        layer.won[failing] = True
        self.values.learn_failures(layer.codes[failing], layer.moves[failing])
        return np.asarray(failing)

    def follow_repairs(self, layers: list[Layer], failing: np.ndarray, last: int) -> int:
        """Find and cache failures in positions that only repaired moves reach; return the number of failures.

        layers: the judged layers. failing: the codes of the new failures in these layers. To avoid repeating the whole
        walk, which would take hours, the method visits only positions that were not met before, until no new position
        fails.
        """
        met = {layer.left: (layer.codes, layer.won) for layer in layers}
        lefts, number = [*range(layers[0].left, last - 1, -2)], 0
        while failing.size:
            fresh = self._walk_repairs(lefts, failing, met)
            results = []
            for left in reversed(lefts):
                layer, (codes, won) = fresh[left], met.get(left, (_CODES, NOTHING.won))
                if layer.codes.size and left - 2 >= last:
                    doubtful = self.judge_layer(layer, *met.get(left - 2, (_CODES, NOTHING.won)))
                    results.append(layer.codes[self._find_failures(layer, doubtful)])
                at = np.searchsorted(codes, layer.codes)
                met[left] = np.insert(codes, at, layer.codes), np.insert(won, at, layer.won)
            failing = concatenate(results)
            number += failing.size
        return number

    def _walk_repairs(
        self, lefts: list[int], failing: np.ndarray, met: Mapping[int, tuple[np.ndarray, np.ndarray]]
    ) -> dict[int, Layer]:
        """Return {moves left: layer of the new positions that follow from the repairs of failures}."""
        fresh, codes = {}, _CODES
        for left in lefts:
            self.watch.left = left
            known, _ = met.get(left, (_CODES, NOTHING.won))
            codes = codes[find_places(codes, known) < 0]
            searched = left >= self.searched_from or left == lefts[-1]
            layer = fresh[left] = self.make_layer(codes, 0, searched) if codes.size else NOTHING
            mended = failing[failing >> LEFT_AT == left]
            _, moves = self.values.repairs(mended, self.decisions.decider)
            played = concatenate([layer.codes, mended]), np.concatenate([layer.moves, moves])
            codes, _ = self._leave_out_settled(self.replies(*played))
        return fresh

    def keeps(self, codes: np.ndarray, moves: np.ndarray, below: np.ndarray, below_won: np.ndarray) -> np.ndarray:
        """Return a bool for each move: whether the move keeps the win."""
        kept = np.zeros(codes.size, dtype=bool)

        def work(piece: slice) -> None:
            judge(codes[piece], moves[piece], below, below_won, self.values.solver.goal, kept[piece])

        list(self.watch.run(work, kept.size, self.jobs, JUDGED))
        return kept

    def replies(self, codes: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return the canonical codes of the positions after every reply of the opponent to these moves."""
        result = SortedCodes(MERGED_FROM)

        def work(piece: slice) -> None:
            room = np.empty((piece.stop - piece.start) * (POINTS + 1), dtype=np.int64)
            result.add(np.unique(room[: _replies(codes[piece], moves[piece], room)]))

        for _ in self.watch.run(work, codes.size, self.jobs, REPLIES):
            result.join()
        return result.all()

    def _leave_out_settled(self, codes: np.ndarray) -> tuple[np.ndarray, int]:
        """Return (positions that are not settled, number of settled positions)."""
        closed = settled_many(codes, self.values.solver.goal) != OPEN
        return codes[~closed], int(closed.sum())


@jit
def _replies(codes: np.ndarray, moves: np.ndarray, found: np.ndarray) -> int:
    """Write to `found` the canonical codes of the positions after each move and each reply to this move.

    Return the number of codes. A move or a reply that ends the game gives no code.
    """
    number = 0
    for index in range(codes.size):
        move = np.int64(moves[index])
        if not ends(codes[index], move):
            number = _moves_from(after(codes[index], move), found, number)
    return number


@jit
def _moves_from(code: int, found: np.ndarray, number: int) -> int:
    moves = moves_mask(code)
    while moves:
        move: int = first_point(moves)  # type: ignore[call-arg]
        moves &= moves - 1
        if not ends(code, move):
            found[number] = canonical(after(code, move))[0]
            number += 1
    return number


def is_complete(layers: list[Layer], down_to: int) -> bool:
    """Return whether a walk reached its end instead of stopping early at `down_to` moves left."""
    following = layers[-1].left - 2 if layers else 0
    return following < LAST or following >= down_to


def canonical_unique(codes: np.ndarray) -> np.ndarray:
    """Return the distinct canonical codes, sorted."""
    return np.unique(canonical_many(codes))


def followers(code: int) -> np.ndarray:
    """Return the sorted canonical codes of the positions after each move that does not end the game."""
    room = np.empty(POINTS + 1, dtype=np.int64)
    return np.unique(room[: _moves_from(np.int64(code), room, 0)])


SAVED_EVERY = 60.0  # seconds
DECIDER_AT = 8  # number of low bits with the move; higher bits of a cached number: the deciding pattern's index + 1


class Decisions:
    """A player's moves, computed on demand. folder: the disk cache of the patterns' moves, without overrides."""

    def __init__(self, decider: Decider, folder: Path, jobs: int, watch: Watch | None = None):
        self.decider = decider
        self.known = KnownValues(folder, "moves", np.int32)
        self.jobs = jobs
        self.watch = watch or Watch()

    def of(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (moves, deciders) as Decider.decide does. All codes must have the same number of moves left."""
        left = int(codes[0]) >> LEFT_AT
        known, numbers = self.known.look_up(codes, left)
        numbers[~known] = self._decide(codes[~known], left)
        moves, deciders = numbers & (1 << DECIDER_AT) - 1, (numbers >> DECIDER_AT) - 1
        return self.decider.overrule(codes, moves.astype(np.int8), deciders.astype(np.int16))

    def _decide(self, codes: np.ndarray, left: int) -> np.ndarray:
        numbers, done = np.empty(codes.size, dtype=np.int32), np.zeros(codes.size, dtype=bool)
        due = when_due(SAVED_EVERY)

        def work(piece: slice) -> None:
            moves, deciders = self.decider.by_patterns(codes[piece])
            numbers[piece] = moves | deciders.astype(np.int32) + 1 << DECIDER_AT

        def keep() -> None:
            self.known.add(codes[done], numbers[done], left)
            self.known.save()

        try:
            for piece in self.watch.run(work, codes.size, self.jobs, DECISIONS):
                done[piece] = True
                if due():
                    keep()
        finally:
            keep()
        return numbers


CERTIFICATE = "certificate.json"
MOST = 8  # number of stored folders; the oldest are deleted


def layer_file(folder: Path, left: int) -> Path:
    """Return the file of the layer with `left` moves left."""
    return folder / f"layer-{left:02}.npz"


def save_layer(folder: Path, layer: Layer) -> None:
    """Write a layer atomically. Raise OSError if the file cannot be written."""
    write_arrays(layer_file(folder, layer.left), **layer._asdict())


def load_layer(folder: Path, left: int) -> Layer:
    """Return a stored layer, or an empty layer if none is stored. Raise ArgumentError for a damaged file."""
    path = layer_file(folder, left)
    if not path.exists():
        return NOTHING
    try:
        with np.load(path, allow_pickle=False) as file:
            columns = {name: file[name] for name in Layer._fields}
            return Layer(**{**columns, "cut": int(columns["cut"])})
    except DAMAGES as error:
        raise ArgumentError(f"{short_name(path)} is damaged: {error}; delete {short_name(folder)}") from None


def make_folder(folder: Path, wanted: str) -> Path:
    """Create and return the subfolder `wanted` of a folder. Keep only the MOST newest subfolders; delete the others."""
    chosen = folder / wanted
    chosen.mkdir(parents=True, exist_ok=True)
    chosen.touch()
    kept = sorted((path for path in folder.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for old in kept[:-MOST]:
        shutil.rmtree(old, ignore_errors=True)
    return chosen


def roots_of(colour: str) -> np.ndarray:
    """Return the canonical codes of the positions where a player of this colour makes its first move."""
    start = pack(opening(LITTLE_GO))
    return canonical_unique(np.array([start])) if colour == "black" else followers(start)


def find_certificate(folder: Path, certificate: Mapping[str, Any]) -> Path | None:
    """Return the subfolder whose stored walk has this certificate, or None."""
    kept = (path for path in sorted(folder.glob(f"*/{CERTIFICATE}")) if json.loads(path.read_bytes()) == certificate)
    return next((path.parent for path in kept), None)
