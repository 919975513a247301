"""Blunders that our player would make without the move count, in the positions of Black's proof.

The walk must equal the certificate's walk, so the module compares the digest of every layer with the certificate. The
player is assumed to know only what the position itself shows: the stones, and whether the last move was a pass or a
capture that makes a ko. A real player knows at least as much, since the boards before and after the last move may also
show captures that make no ko.

`decide_many` computes the decisions of rules.uncounted for many codes. tests/truth/proof/test_uncounted_walk.py
compares the two implementations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, write_results
from littlego.cli.terminal import console, new_table
from littlego.engines.compiled.engine import winning_endings
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.rules.positionkey import KO_AT, LEFT_AT, PASSED_AT, POINTS, WHITE_AT
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import MOST_HIDDEN
from littlego.rules.uncounted import EXACT, LAST
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import find_places
from littlego.truth.proof import walk
from littlego.truth.proof.certificate import certificate_of, read_certificate
from littlego.truth.proof.forecast import DECISIONS
from littlego.truth.proof.proving import make_walk, per_million
from littlego.truth.proof.settings import Settings
from littlego.truth.proof.threads import Watch, concatenate

if TYPE_CHECKING:
    from littlego.truth.proof.values import Values

COLOUR = "black"  # the functions below count only positions with Black to move
PART = 1 << 20  # positions whose scores are in memory at a time
LEGEND = (
    "hidden: positions that do not show how many moves are left, because both sides lost stones or passed. by stones: "
    "wins given away if the player assumes the largest number of moves left that the stones allow; given away: wins "
    "that our player gives away. With two moves left, only hidden positions are counted."
)


class Row(NamedTuple):
    """The counts of one layer.

    hidden: positions that do not show their number of moves left. former: wins given away if the player assumes the
    largest number of moves left that the stones allow. given_away: wins that our player gives away. most_hidden: the
    largest number of moves that left no trace on a position's board.
    """

    left: int
    positions: int
    hidden: int
    former: int
    given_away: int
    most_hidden: int


def count_stones(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays: the numbers of black and of white stones in each position."""
    return _count_bits(codes), _count_bits(codes >> WHITE_AT)


def _count_bits(codes: np.ndarray) -> np.ndarray:
    """Return the number of bits set in the lowest POINTS bits of each code.

    The function replaces numpy's bitwise_count, which numpy before 2.0 lacks.
    """
    counts = sum((codes >> point & 1 for point in range(POINTS)), np.zeros(codes.size, np.int64))
    return np.asarray(counts)


def _least_made(black: np.ndarray, white: np.ndarray, to_move: int) -> np.ndarray:
    """Return the minimum number of moves made, as rules.turn.least_moves_made does for a single position.

    to_move: 0 for Black, 1 for White.
    """
    made: np.ndarray = np.maximum(2 * black.astype(np.int64) - 1, 2 * white.astype(np.int64)).clip(min=0)
    made += made % 2 != to_move
    return made


def most_left(codes: np.ndarray) -> np.ndarray:
    """Return the maximum number of moves left, as int64, in positions with Black to move.

    The number follows from the stones on the board, and from the stones before White's last move as far as the position
    reveals them.
    """
    black, white = count_stones(codes)
    lost = (codes >> KO_AT & 31) > 0  # one black stone, captured by White's last move
    placed = (codes >> PASSED_AT & 1) == 0
    before = _least_made(black + lost, np.where(placed & (white > 0), white - 1, white), 1) + 1
    return _left_after(np.maximum(_least_made(black, white, 0), before))


def most_by_stones(codes: np.ndarray) -> np.ndarray:
    """Return the maximum number of moves left that the numbers of stones allow.

    `Row.former` counts the wins that a player gives away by assuming this number.
    """
    return _left_after(_least_made(*count_stones(codes), 0))


def _left_after(made: np.ndarray) -> np.ndarray:
    left: np.ndarray = LITTLE_GO.length - np.minimum(made, LITTLE_GO.length - 2)
    return left


def with_left(codes: np.ndarray, left: np.ndarray | int) -> np.ndarray:
    """Return the codes with their numbers of moves left replaced by `left`."""
    return (codes & (1 << LEFT_AT) - 1) | np.asarray(left, np.int64) << LEFT_AT


def decide_many(codes: np.ndarray, most: np.ndarray, moves: np.ndarray, decider: Decider) -> np.ndarray:
    """Return the moves that the player makes without the move count, as int8. 25 is a pass.

    codes: canonical codes of positions with Black to move. most: the largest possible number of moves left in each
    position. moves: the player's moves on the assumption that `most` moves are left.
    """
    moves, settled = moves.copy(), most <= EXACT
    for fewer in range(0, LITTLE_GO.length, 2):
        undecided = np.flatnonzero(~settled & (most - fewer > EXACT))
        at = find_places(with_left(codes[undecided], most[undecided] - fewer), decider.keys)
        on_record = undecided[at >= 0]
        moves[on_record] = decider.moves[at[at >= 0]]
        settled[on_record] = True
    last = np.flatnonzero(~settled & (most <= LAST))
    wins = winning_endings(with_left(codes[last], EXACT))
    doubtful = np.flatnonzero((wins != 0) & ~_is_among(moves[last], wins))
    for start in range(0, doubtful.size, PART // 8):
        some = doubtful[start : start + PART // 8]
        here = last[some]
        ranked = decider.rank_allowed(with_left(codes[here], most[here]))
        good = (ranked >= 0) & _is_among(ranked, wins[some, None])
        result = good.any(axis=1)
        moves[here[result]] = ranked[result, good.argmax(axis=1)[result]]
    return moves


def _is_among(moves: np.ndarray, masks: np.ndarray) -> np.ndarray:
    among: np.ndarray = masks >> moves.clip(min=0).astype(np.int32) & 1 == 1
    return among


class Counting:
    """A counter of the wins that the player gives away without the move count, according to the solver."""

    def __init__(self, decider: Decider, values: Values, jobs: int, watch: Watch):
        self.decider = decider
        self.values = values
        self.jobs = jobs
        self.watch = watch

    def row(self, codes: np.ndarray, moves: np.ndarray) -> Row:
        """Return a layer's counts. moves: the player's moves with the move count; these moves keep every win."""
        left = int(codes[0]) >> LEFT_AT
        most = most_left(codes)
        result = Row(left, codes.size, int((most > left).sum()), 0, 0, int((most - left).max()))
        for start in range(0, codes.size, PART):
            part = slice(start, start + PART)
            played = self._played(codes[part], most[part], moves[part])
            stones = most_by_stones(codes[part])
            same = stones == most[part]  # already decided
            former = self._played(codes[part], np.where(same, left, stones), moves[part])
            former[same] = played[same]
            mine = decide_many(codes[part], most[part], played, self.decider)
            result = result._replace(
                former=result.former + self._count_given_away(codes[part], former, moves[part]),
                given_away=result.given_away + self._count_given_away(codes[part], mine, moves[part]),
            )
        return result

    def _played(self, codes: np.ndarray, most: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return the player's moves on the assumption that `most` moves are left.

        moves: the player's moves with the true number of moves left.
        """
        moves = moves.copy()
        other = np.flatnonzero(most != codes >> LEFT_AT)
        assumed = with_left(codes[other], most[other])

        def work(piece: slice) -> None:
            moves[other[piece]] = self.decider.decide(assumed[piece])[0]

        list(self.watch.run(work, assumed.size, self.jobs, DECISIONS))
        return moves

    def _count_given_away(self, codes: np.ndarray, moves: np.ndarray, right: np.ndarray) -> int:
        other = np.flatnonzero(moves != right)
        if not other.size:
            return 0
        if codes[0] >> LEFT_AT > EXACT:
            lost = other[~self.values.keeps(codes[other], moves[other])]
            return int(self.values.keeps(codes[lost], right[lost]).sum()) if lost.size else 0
        wins = winning_endings(codes[other])
        return int(((wins != 0) & ~_is_among(moves[other], wins)).sum())


def count_uncounted(settings: Settings, json: str | None) -> int:
    """Walk as Black, print the number of wins given away without the move count; return the exit status."""
    watch = Watch()
    knowledge, overrides = settings.player()
    decisions, values = make_walk(settings, settings.solver(), knowledge, overrides, watch)
    walking = walk.Walk(decisions, values, settings.jobs, watch)
    counting = Counting(decisions.decider, values, settings.jobs, watch)
    rows = list(_rows(walking, counting, settings))
    write_results(json, lambda: {"layers": [row._asdict() for row in rows], "most_hidden": _most_hidden(rows)})
    if json != STANDARD_OUTPUT:
        console(markup=False).print(draw_rows(rows))
    return FINE if _most_hidden(rows) <= MOST_HIDDEN else FINDINGS


def _rows(walking: walk.Walk, counting: Counting, settings: Settings) -> Iterator[Row]:
    """Yield the counts of each layer, most moves left first.

    Raise ArgumentError if a layer differs from the certificate.
    """
    path = certificate_of(COLOUR)
    digests = {layer["left"]: layer["digest"] for layer in read_certificate(path)["layers"]}
    for layer in walking.decided(walk.roots_of(COLOUR)):
        left = int(layer.codes[0]) >> LEFT_AT
        if walk.digest_of(layer.codes, layer.moves) != digests.get(left):
            raise ArgumentError(
                f"with {left} moves left, the walk differs from {short_name(path)}: the player has changed; "
                f"run `littlego prove {COLOUR}` first"
            )
        yield counting.row(layer.codes, layer.moves)
        if left - 2 < max(walk.LAST, settings.down_to):
            if left - 2 == EXACT >= settings.down_to:
                yield _last_row(walking, counting, layer)
            return


def _last_row(walking: walk.Walk, counting: Counting, layer: walk.Decided) -> Row:
    """Return the counts of hidden positions with two moves left, where the player's choice is exact."""
    counting.watch.left = EXACT
    results = []
    for start in range(0, layer.codes.size, PART):
        part = walk.Decided(*(column[start : start + PART] for column in layer))
        codes, _ = walking.following(part)
        results.append(codes[most_left(codes) > EXACT])
    codes = np.unique(concatenate(results))
    moves, _ = counting.decider.decide(codes)
    return counting.row(codes, moves)


def _most_hidden(rows: list[Row]) -> int:
    return max((row.most_hidden for row in rows), default=0)


def draw_rows(rows: list[Row]) -> RenderableType:
    """Draw a table of the counts by layer and in total, with a legend and a conclusion."""
    sums = [sum(column) for column in zip(*(row[1:5] for row in rows), strict=True)]
    cells = [(str(row.left), *(f"{number:,}" for number in row[1:5])) for row in rows]
    cells.append(("all", *(f"{number:,}" for number in sums)))
    table = new_table("left", "positions", "hidden", "by stones", "given away", rows=cells)
    hidden = _most_hidden(rows)
    limit = (
        f"At most {hidden} moves leave no trace on a board; the player rejects a move count that implies more than "
        f"{MOST_HIDDEN} such moves."
    )
    if hidden > MOST_HIDDEN:
        limit = (
            f"{hidden} moves leave no trace on a board, but the player rejects a move count that implies more than "
            f"{MOST_HIDDEN} such moves: the limit is not proved."
        )
    conclusion = (
        f"Without the move count, the player gives {sums[3]:,} wins away: {per_million(sums[3], sums[0])} per million "
        "positions."
    )
    return Group(
        Text("Black's walk without the move count", style="bold"),
        table,
        Text(),
        Text(LEGEND),
        Text(f"{limit} {conclusion}", style="bold"),
    )
