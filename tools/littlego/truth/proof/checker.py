"""An independent checker of certificates: slow, simple code that shares little with the walk.

The checker shares the threading code and the solver with the walk. The threading code (littlego.truth.proof.threads)
only distributes work and reports progress, so it cannot change a result. The solver is shared because no other code in
this repository solves positions with more than six moves left. The checker can also compare the values from the solver
and the walk with values from an independent solver (`vectors`). For a move made with at most six moves left, the
checker does not use the solver, but plays out all games after the move.

The checker verifies that the layers match the certificate's digests and that no opening is missing. For a sample of
each layer, the checker also verifies three properties. First, the player's move, recomputed by rules/ in plain Python,
equals the recorded move. Second, every reply leads to a position that is settled or in the next layer. Third, the
recorded winner is correct and, in a won position, the recorded move wins. The checker verifies the third property in
only some of the sampled positions, by the solver or, near the end, by an exhaustive search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.board import count, first_point, jit_as, legal_moves
from littlego.engines.compiled.states import after, ends, parts
from littlego.files import short_name
from littlego.knowledge.overrides import EXACT
from littlego.parallel import each, with_progress
from littlego.rules.positionkey import LEFT_AT, PASS_POINT
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.proof.replayed import Files, Replayed, image_of, is_settled, replay
from littlego.truth.proof.threads import Watch
from littlego.truth.solver.solver import Solver
from littlego.truth.solver.vectors import Vector

BRUTE_FORCE = 6  # a move made with at most this many moves left is judged by playing out all games
# (maximum moves left, sample size): positions per layer whose values are recomputed.
VALUED = ((10, 10_000), (12, 2000), (14, 300), (16, 30), (18, 3))
Row = Mapping[str, Any]  # the counts of one layer in a certificate
BATCH = 50  # positions per task of a process
VALUES_AT_ONCE = 10  # positions per task of a thread that recomputes values
SHOWN = 5  # reported faults per layer


class Sheet(NamedTuple):
    """The columns that the checker uses from a layer's file: see walk.Layer."""

    codes: np.ndarray
    moves: np.ndarray
    won: np.ndarray
    failing: np.ndarray
    thrown: np.ndarray

    @property
    def digest(self) -> str:
        """The SHA-256 digest of codes and moves."""
        return sha256(self.codes.astype("<i8").tobytes() + self.moves.astype("i1").tobytes()).hexdigest()


@dataclass
class Checked:
    """The results of checking one layer.

    sampled: the number of recomputed decisions. valued: the number of sampled positions whose values were recomputed.
    known: the number of known values that were compared with the solver's results. The positions of these values have
    the layer's number of moves left or one move fewer. met: the number of known values for positions in the layer.
    faults: at most SHOWN messages.
    """

    left: int
    positions: int
    sampled: int = 0
    valued: int = 0
    known: int = 0
    met: int = 0
    faults: list[str] = field(default_factory=list)

    def fault(self, text: str) -> None:
        """Record a fault, unless SHOWN faults are recorded already."""
        if len(self.faults) < SHOWN:
            self.faults.append(text)


def load_sheet(folder: Path, left: int) -> Sheet:
    """Return the layer with `left` moves left. Raise ArgumentError for an unreadable file."""
    path = folder / f"layer-{left:02}.npz"
    try:
        with np.load(path, allow_pickle=False) as file:
            return Sheet(*(file[name] for name in Sheet._fields))
    except Exception as error:  # the kind of exception depends on where the file is damaged
        raise ArgumentError(f"cannot read the layer {short_name(path)}: {error}; `littlego prove` creates it") from None


@dataclass(frozen=True)
class Checker:
    """The check of one certificate.

    openings: the codes of the positions at which the walk must begin. folder: the folder of the layers. files: the
    player's files. samples: the maximum number of decisions to recompute per layer. jobs: the number of processes, and
    the number of solver threads. vectors: known values, computed independently, to compare with the solver and the
    walk.
    """

    certificate: Mapping[str, Any]
    openings: set[int]
    folder: Path
    files: Files
    solver: Solver
    samples: int
    jobs: int
    vectors: Sequence[Vector] = ()

    def layers(self) -> Iterator[Checked]:
        """Check the layers in order and yield the result of each."""
        rows = self.certificate["layers"]
        sheet = load_sheet(self.folder, rows[0]["left"])
        for row, following in zip(rows, [*rows[1:], None], strict=True):
            below = load_sheet(self.folder, following["left"]) if following else None
            checked = Checked(row["left"], sheet.codes.size)
            self._whole(row, following, sheet, checked)
            if row is rows[0]:
                self._openings(sheet, checked)
            self._hold_to_vectors(sheet, checked)
            self._sample(sheet, below, checked)
            yield checked
            if below is not None:
                sheet = below

    def _whole(
        self, row: Mapping[str, Any], following: Mapping[str, Any] | None, sheet: Sheet, checked: Checked
    ) -> None:
        """Compare a layer's counts, digest and number of moves left with the certificate.

        The next layer must have two fewer moves left.
        """
        result = sheet.codes.size, int(sheet.won.sum()), sheet.failing.size, sheet.digest
        if result != (row["positions"], row["won"], row["failures"], row["digest"]):
            checked.fault("the layer differs from the certificate in its digest or its counts")
        if (np.diff(sheet.codes) <= 0).any() or (sheet.codes >> LEFT_AT != row["left"]).any():
            checked.fault("the layer's codes are not sorted, or differ in moves left")
        if following and following["left"] != row["left"] - 2:
            checked.fault(f"the next layer has {following['left']} moves left; expected {row['left'] - 2}")

    def _openings(self, sheet: Sheet, checked: Checked) -> None:
        """Compare the game's openings with the certificate's openings and with the first layer."""
        if set(self.certificate["openings"]) != self.openings:
            checked.fault("the certificate's openings differ from the openings of the game")
        if not _within(np.array(sorted(self.openings)), sheet.codes).all():
            checked.fault("an opening is not in the first layer")

    def _sample(self, sheet: Sheet, below: Sheet | None, checked: Checked) -> None:
        number = min(self.samples, sheet.codes.size)
        chosen = sorted(Random(sheet.digest).sample(range(sheet.codes.size), number))
        pairs = [(int(sheet.codes[index]), int(sheet.moves[index])) for index in chosen]
        tasks = [(self.files, tuple(pairs[at : at + BATCH])) for at in range(0, number, BATCH)]
        done = with_progress(each(replay, tasks, self.jobs), len(tasks), f" part of {checked.left:2} left")
        replayed = sorted(one for _, result in done for one in result)
        checked.sampled = len(replayed)
        self._decisions(replayed, sheet, checked)
        self._replies(replayed, below, checked)
        self._values(replayed, sheet, dict(zip(sheet.codes[chosen].tolist(), chosen, strict=True)), checked)

    def _decisions(self, replayed: list[Replayed], sheet: Sheet, checked: Checked) -> None:
        """Compare the recomputed decisions with the decisions that the layer stores.

        In the layer's moves, repairs replace the failed decisions, which the layer stores separately.
        """
        decided = dict(zip(sheet.codes.tolist(), sheet.moves.tolist(), strict=True))
        decided.update(zip(sheet.codes[sheet.failing].tolist(), sheet.thrown.tolist(), strict=True))
        for one in replayed:
            if one.image != one.code:
                checked.fault(f"{one.code} is not canonical")
            if one.move != decided[one.code]:
                checked.fault(
                    f"{one.code}: the player plays {one.move}, but the layer has the move {decided[one.code]}"
                )

    def _replies(self, replayed: list[Replayed], below: Sheet | None, checked: Checked) -> None:
        """Check that every reply leads to a position that is settled or in the next layer."""
        if below is None and (checked.left - 2 <= EXACT or not self.certificate["complete"]):
            return
        for one in replayed:
            replies = np.array(one.replies, dtype=np.int64)
            missing = replies[~_within(replies, below.codes)] if below else replies
            for code in missing.tolist():
                if not is_settled(code):
                    checked.fault(f"{one.code}: the reply {code} is not in the next layer")

    def _values(self, replayed: list[Replayed], sheet: Sheet, known: Mapping[int, int], checked: Checked) -> None:
        """Recompute the values of some of the sampled positions.

        In a position recorded as won, the recorded move must win. A position recorded as lost must be lost.
        """
        chosen = Random(sheet.digest).sample(replayed, min(_to_value(checked.left), len(replayed)))

        def work(piece: slice) -> None:
            for one in chosen[piece]:
                kept = one.won if one.after is None else not self._wins(one.after)
                won = bool(sheet.won[known[one.code]])
                if won and not kept:
                    checked.fault(f"{one.code}: the move played gives the win away")
                if not won and (kept or self._wins(one.code)):
                    checked.fault(f"{one.code}: won, but the layer records a loss")

        list(Watch(checked.left).run(work, len(chosen), self.jobs, "values again", VALUES_AT_ONCE))
        checked.valued = len(chosen)

    def _hold_to_vectors(self, sheet: Sheet, checked: Checked) -> None:
        """Compare the known values (`vectors`) with the layer's values and with the solver's results."""
        known = [one for one in self.vectors if one.left in (checked.left, checked.left - 1)]
        for number, one in enumerate(known):
            code = image_of(one.position)
            at = int(np.searchsorted(sheet.codes, code).clip(max=sheet.codes.size - 1))
            if sheet.codes[at] == code:
                checked.met += 1
                if sheet.won[at] != one.mover_wins:
                    checked.fault(f"{code}: the layer disagrees with line {one.line} of the known values")
            if number >= _to_value(checked.left):
                continue
            if self.solver.wins(code) != one.mover_wins:
                checked.fault(f"line {one.line} of the known values: the solver disagrees")
            checked.known += 1

    def _wins(self, code: int) -> bool:
        """Return whether the side to move wins in the position with this code."""
        if code >> LEFT_AT >= BRUTE_FORCE:
            return self.solver.wins(code)
        bonus2 = LITTLE_GO.komi2 if code >> LEFT_AT & 1 else -LITTLE_GO.komi2
        return bool(2 * final_lead(np.int64(code)) + bonus2 > 0)


def _to_value(left: int) -> int:
    """Return the maximum number of positions with `left` moves left whose values are recomputed."""
    return next((number for most, number in VALUED if left <= most), 0)


def _within(codes: np.ndarray, layer: np.ndarray) -> np.ndarray:
    """Return, for each code, whether it is in a layer. layer: the sorted codes of the layer's positions."""
    at = np.searchsorted(layer, codes).clip(max=layer.size - 1)
    return np.asarray(layer[at] == codes, dtype=bool)


@jit_as("int64(int64)")
def final_lead(code: int) -> int:
    """Return the mover's final lead in stones, without komi, if both sides maximize their leads."""
    own, theirs, ko, _, _ = parts(code)
    best = -100
    moves = legal_moves(own, theirs, ko) | 1 << PASS_POINT
    while moves:
        move: int = first_point(moves)  # type: ignore[call-arg]
        moves &= moves - 1
        child = after(code, move)
        if ends(code, move):
            own_after, theirs_after, _, _, _ = parts(child)  # from the opponent's side
            lead = count(theirs_after) - count(own_after)
        else:
            lead = -final_lead(child)
        best = max(best, lead)
    return best
