"""The walk of a player with edited patterns, computed by updating an earlier walk.

A decision can change only in positions where an edited pattern fires, before or after the edit, or where an override
was added, removed or changed. Only the decisions in these positions and in new positions are recomputed. For all other
positions, the earlier walk provides the winners and the failures. The changed moves determine which positions appear or
disappear. A position that a changed move no longer reaches stays in its layer if an unchanged move still reaches it.
The walk therefore examines the replies to all unchanged moves. The resulting layers equal those of a complete walk.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from littlego.cli.arguments import ArgumentError, read_file
from littlego.engines.compiled.board import first_point, jit
from littlego.engines.compiled.states import after, canonical, ends, moves_mask
from littlego.files import short_name, write_json
from littlego.knowledge.affected import EditedPatterns
from littlego.knowledge.files import Knowledge
from littlego.knowledge.overrides import load_overrides
from littlego.knowledge.parts import indices_by_id
from littlego.knowledge.stale import Player
from littlego.rules.positionkey import LEFT_AT
from littlego.truth.labels.decider import write_overrides
from littlego.truth.labels.labels import find_places
from littlego.truth.proof.certificate import read_certificate
from littlego.truth.proof.lemmas import OPEN, settled_many
from littlego.truth.proof.walk import CERTIFICATE, NOTHING, Decided, Layer, Tell, Walk, load_layer

PATTERNS, OVERRIDES = "patterns.json", "overrides.txt"  # the files of the walk's player, beside the layers
HOW_LONG = "about half an hour on two idle cores, or less with cached values of earlier runs"


@dataclass(frozen=True)
class Earlier:
    """A player with a stored walk, and the layers loaded so far."""

    knowledge: Knowledge
    overrides: Mapping[int, int]
    folder: Path
    layers: dict[int, Layer] = field(default_factory=dict)

    def layer(self, left: int) -> Layer:
        """Return the layer with `left` moves left, or an empty layer if there is none."""
        if left not in self.layers:
            self.layers[left] = load_layer(self.folder, left)
        return self.layers[left]


def keep_player(folder: Path, knowledge: Knowledge, overrides: Mapping[int, int]) -> None:
    """Store the patterns and overrides of a walk's player beside the walk's layers.

    Raise OSError if a file cannot be written.
    """
    write_json(folder / PATTERNS, knowledge.lines)
    write_overrides(folder / OVERRIDES, overrides)


def find_earlier(walks: Path, colour: str, player: Player) -> Earlier:
    """Return the latest complete walk of this colour with the same rules/ as `player`.

    Raise ArgumentError if no such walk exists.
    """
    kept = [path for path in walks.glob(f"{colour}-*/{CERTIFICATE}") if (path.parent / PATTERNS).is_file()]
    for path in sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True):
        certificate = read_certificate(path)
        if certificate["complete"] and certificate["player"]["rules"] == player.rules:
            return _read_earlier(path.parent)
    raise ArgumentError(
        f"{short_name(walks)} has no complete walk for {colour.capitalize()} with the current rules/: run "
        f"`littlego prove {colour}` first, which takes {HOW_LONG}"
    )


class StoredLayer(NamedTuple):
    """A layer of a stored walk on disk.

    folder: the walk's folder. left: the number of moves left. size: the number of positions.
    """

    folder: Path
    left: int
    size: int

    def codes(self) -> np.ndarray:
        """Return the codes of the positions."""
        return load_layer(self.folder, self.left).codes


def stored_layers(walks: Path, player: Player) -> list[StoredLayer]:
    """Return the layers of the latest complete walk of each colour, most moves left first.

    The function find_earlier selects the walks. Raise ArgumentError if neither colour has a walk.
    """
    layers, missing = [], []
    for colour in ("black", "white"):
        try:
            folder = find_earlier(walks, colour, player).folder
        except ArgumentError as error:
            missing.append(error)
            continue
        rows = read_certificate(folder / CERTIFICATE)["layers"]
        layers += [StoredLayer(folder, row["left"], row["positions"]) for row in rows]
    if not layers:
        raise missing[0]
    return sorted(layers, key=lambda layer: -layer.left)


def _read_earlier(folder: Path) -> Earlier:
    path = folder / PATTERNS
    try:
        lines = tuple(map(str, json.loads(read_file(path))))
    except ValueError as error:
        raise ArgumentError(f"{short_name(path)} is damaged: {error}; delete {short_name(folder)}") from None
    return Earlier(Knowledge(short_name(path), lines, {}), load_overrides(folder / OVERRIDES), folder)


class Edit:
    """The positions in which the decisions of two players with the same rules/ can differ."""

    def __init__(self, earlier: Earlier, knowledge: Knowledge, overrides: Mapping[int, int]):
        old, new = earlier.knowledge, knowledge
        self.layer = earlier.layer
        self.patterns = EditedPatterns(old, new)
        differing = earlier.overrides.items() ^ overrides.items()
        self.overridden = np.array(sorted({code for code, _ in differing}), dtype=np.int64)
        now = indices_by_id(new.book)
        self.numbers = np.array([now.get(pattern.id, -1) for pattern in old.book.patterns], dtype=np.int16)

    def touches(self, codes: np.ndarray) -> np.ndarray:
        """Return, for each position, whether the two players' decisions can differ."""
        return self.patterns.fire(codes) | (find_places(codes, self.overridden) >= 0)

    def judges_anew(self, touched: np.ndarray, failed: np.ndarray) -> np.ndarray:
        """Return, for each position, whether the decision must be judged again even if unchanged.

        touched: the results of `touches`. failed: whether the earlier decision failed. A failed decision must be judged
        again where `touched` is True, because the choice of the repair depends on all patterns that fire.
        """
        return np.asarray(touched & failed)

    def renumber(self, deciders: np.ndarray) -> np.ndarray:
        """Return the earlier walk's deciders, renumbered with this walk's pattern indices."""
        result, patterns = deciders.copy(), deciders >= 0
        result[patterns] = self.numbers[deciders[patterns]]
        return result


class Again:
    """The difference between two repetitions of a walk.

    The second repetition repairs the failures of the first. layers: the layers of the first repetition. failing: the
    codes of the positions with new failures.
    """

    def __init__(self, layers: Sequence[Layer], failing: np.ndarray):
        self.layers = {layer.left: layer for layer in layers}
        self.failing = np.sort(failing)

    def layer(self, left: int) -> Layer:
        """Return the layer with `left` moves left, or an empty layer if there is none."""
        return self.layers.get(left, NOTHING)

    def touches(self, codes: np.ndarray) -> np.ndarray:
        """Return, for each position, whether the first repetition found a failure in this position."""
        return np.asarray(find_places(codes, self.failing) >= 0)

    def judges_anew(self, touched: np.ndarray, failed: np.ndarray) -> np.ndarray:
        """Return `touched`: the decisions in these positions are now known to fail, so judge them again."""
        return touched

    def renumber(self, deciders: np.ndarray) -> np.ndarray:
        """Return the deciders unchanged."""
        return deciders


@dataclass(kw_only=True)
class EditedWalk(Walk):
    """A player's walk after an edit, computed from an earlier walk.

    The walk is repeated until it finds no new failures. edit: the difference from the earlier walk. dirty: {moves left:
    indices of the positions to judge}.
    """

    edit: Edit | Again
    dirty: dict[int, np.ndarray] = field(default_factory=dict)

    def make_layer(self, codes: np.ndarray, cut: int, searched: bool) -> Layer:
        left = int(codes[0]) >> LEFT_AT
        old = self.edit.layer(left)
        at = find_places(codes, old.codes)
        decided, same = self._decide(codes, at, old)
        won = np.zeros(codes.size, dtype=bool)
        won[same] = old.won[at[same]]
        places = find_places(old.codes[old.failing], codes)
        kept = np.flatnonzero((places >= 0) & same[places])
        failing, thrown, winning = places[kept], old.thrown[kept], old.winning[kept]
        decided.moves[failing] = old.moves[old.failing[kept]]
        dirty = self.dirty[left] = np.flatnonzero(~same)
        if dirty.size:
            new = self.repair(Decided(*(column[dirty] for column in decided)), cut, searched)
            decided.moves[dirty], won[dirty] = new.moves, new.won
            failing = np.concatenate([failing, dirty[new.failing]])
            thrown, winning = np.concatenate([thrown, new.thrown]), np.concatenate([winning, new.winning])
        order = np.argsort(failing)
        return Layer(*decided, won, failing[order], thrown[order], winning[order], cut)

    def _decide(self, codes: np.ndarray, at: np.ndarray, old: Layer) -> tuple[Decided, np.ndarray]:
        """Return (decisions, whether the earlier walk's judgement of each decision is still valid).

        at: the index of each code in the earlier layer, or -1.
        """
        known = np.flatnonzero(at >= 0)
        touched = self._touched(codes[known])
        before = decisions_in(old)
        moves, deciders = np.zeros(codes.size, dtype=np.int8), np.zeros(codes.size, dtype=np.int16)
        moves[known], deciders[known] = before[at[known]], self.edit.renumber(old.deciders[at[known]])
        undecided = np.ones(codes.size, dtype=bool)
        undecided[known[~touched]] = False
        if undecided.any():
            moves[undecided], deciders[undecided] = self.decisions.of(codes[undecided])
        failed = np.zeros(old.codes.size, dtype=bool)
        failed[old.failing] = True
        same = at >= 0
        anew = self.edit.judges_anew(touched, failed[at[known]])
        same[known] = (moves[known] == before[at[known]]) & ~anew
        return Decided(codes, moves, deciders), same

    def _touched(self, codes: np.ndarray) -> np.ndarray:
        touched = np.zeros(codes.size, dtype=bool)

        def work(piece: slice) -> None:
            touched[piece] = self.edit.touches(codes[piece])

        list(self.watch.run(work, codes.size, self.jobs, "edited patterns"))
        return touched

    def following(self, layer: Layer | Decided) -> tuple[np.ndarray, int]:
        left = int(layer.codes[0]) >> LEFT_AT
        old, below = self.edit.layer(left), self.edit.layer(left - 2)
        if not below.codes.size:
            return super().following(layer)
        at = find_places(old.codes, layer.codes)
        same = at >= 0
        same[same] = layer.moves[at[same]] == old.moves[same]
        other = np.ones(layer.codes.size, dtype=bool)
        other[at[same]] = False
        gone = self.replies(old.codes[~same], old.moves[~same])
        come = self.replies(layer.codes[other], layer.moves[other])
        candidates = np.setxor1d(gone, come, assume_unique=True)
        candidates = candidates[~self._led_to(old.codes[same], old.moves[same], candidates)]
        settled = settled_many(candidates, self.values.solver.goal) != OPEN
        new = np.isin(candidates, come, assume_unique=True)
        codes = np.setdiff1d(below.codes, candidates[~new & ~settled], assume_unique=True)
        cut = below.cut + int((new & settled).sum()) - int((~new & settled).sum())
        return np.union1d(codes, candidates[new & ~settled]), cut

    def _led_to(self, codes: np.ndarray, moves: np.ndarray, asked: np.ndarray) -> np.ndarray:
        """Return, for each code in `asked`, whether a reply to one of `moves` leads to the code's position.

        asked: a sorted array of codes. codes: the positions before `moves`.
        """
        met = np.zeros(asked.size, dtype=bool)

        def work(piece: slice) -> None:
            _mark(codes[piece], moves[piece], asked, met)

        list(self.watch.run(work, codes.size if asked.size else 0, self.jobs, "unchanged moves"))
        return met

    def judge(self, layers: list[Layer], last: int, tell: Tell) -> np.ndarray:
        failing = super().judge(layers, last, tell)
        self.edit = Again(layers, failing)
        return failing

    def follow_repairs(self, layers: list[Layer], failing: np.ndarray, last: int) -> int:
        return 0  # each repetition of an edited walk is short

    def judge_layer(self, layer: Layer, below: np.ndarray, below_won: np.ndarray) -> np.ndarray:
        dirty = self.dirty[layer.left]
        layer.won[dirty] = self.keeps(layer.codes[dirty], layer.moves[dirty], below, below_won)
        return np.asarray(dirty[~layer.won[dirty]])


def decisions_in(layer: Layer) -> np.ndarray:
    """Return the player's decisions: the walk's moves, with each repair replaced by the failed decision."""
    moves = layer.moves.copy()
    moves[layer.failing] = layer.thrown
    return moves


@jit
def _mark(codes: np.ndarray, moves: np.ndarray, asked: np.ndarray, met: np.ndarray) -> None:
    """Set `met` to True for each code in the sorted array `asked` that follows a reply to one of `moves`.

    Several threads may run this function concurrently.
    """
    for index in range(codes.size):
        move = np.int64(moves[index])
        if ends(codes[index], move):
            continue
        code = after(codes[index], move)
        replies = moves_mask(code)
        while replies:
            reply: int = first_point(replies)  # type: ignore[call-arg]
            replies &= replies - 1
            if not ends(code, reply):
                wanted = canonical(after(code, reply))[0]
                place = np.searchsorted(asked, wanted)
                if place < asked.size and asked[place] == wanted:
                    met[place] = True


class Changed(NamedTuple):
    """Counts of an edit's effects on a layer.

    changed: positions met before and after the edit, with different decisions. come: positions met only after the edit.
    gone: positions met only before the edit. made: failures only after the edit. mended: failures only before the edit.
    """

    left: int
    positions: int
    changed: int
    come: int
    gone: int
    made: int
    mended: int


def compare(old: Layer, new: Layer) -> Changed:
    """Return counts of the edit's effects on a layer. old, new: the layer before and after the edit."""
    at = find_places(new.codes, old.codes)
    both = at >= 0
    changed = decisions_in(new)[both] != decisions_in(old)[at[both]]
    failed, fail = old.codes[old.failing], new.codes[new.failing]
    met, made = int(both.sum()), np.setdiff1d(fail, failed, assume_unique=True).size
    return Changed(
        new.left,
        new.codes.size,
        int(changed.sum()),
        new.codes.size - met,
        old.codes.size - met,
        made,
        made + failed.size - fail.size,
    )
