"""What remains of Black's proof where the player's count of moves is withheld: the walk, each position decided without.

The walk is that of the certificate, to whose digests every layer is held. What the player knows in a position is
taken to be what the position itself shows: its stones, and of the last move a pass or a capture that makes a ko. The
boards before and after that move may show other captures too, so that a real player knows as much or more.

`decide_many` is rules.uncounted for codes; tests/truth/proof/test_uncounted_walk.py holds both equal.
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

COLOUR = "black"  # White's walk is not complete
PART = 1 << 20  # positions in memory with all their scores
LEGEND = (
    "hidden: more moves may be left for all that the position shows, since both sides lost stones or passed. Without "
    "the count, given away: by the most moves left that the stones allow, and by the player. With two left, only "
    "hidden positions are counted."
)


class Row(NamedTuple):
    """A layer. hidden: positions whose number of moves left does not show. former: those given away if it is taken to
    be the most that the stones allow; given_away: those that the player gives away. most_hidden: moves without trace.
    """

    left: int
    positions: int
    hidden: int
    former: int
    given_away: int
    most_hidden: int


def count_stones(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of black and of white stones."""
    return _count_bits(codes), _count_bits(codes >> WHITE_AT)


def _count_bits(codes: np.ndarray) -> np.ndarray:
    """Return the number of stones in the lowest field of codes: numpy counts bits from 2.0 on only."""
    counts = sum((codes >> point & 1 for point in range(POINTS)), np.zeros(codes.size, np.int64))
    return np.asarray(counts)


def _least_made(black: np.ndarray, white: np.ndarray, to_move: int) -> np.ndarray:
    """Return rules.turn.least_moves_made. to_move: 0 for Black, 1 for White."""
    made: np.ndarray = np.maximum(2 * black.astype(np.int64) - 1, 2 * white.astype(np.int64)).clip(min=0)
    made += made % 2 != to_move
    return made


def most_left(codes: np.ndarray) -> np.ndarray:
    """Return the most moves left, the next one included, that positions with Black to move allow: int64.

    That is by their stones, now and before White's last move, as far as they show it.
    """
    black, white = count_stones(codes)
    lost = (codes >> KO_AT & 31) > 0  # one black stone, by White's last move
    placed = (codes >> PASSED_AT & 1) == 0
    before = _least_made(black + lost, np.where(placed & (white > 0), white - 1, white), 1) + 1
    return _left_after(np.maximum(_least_made(black, white, 0), before))


def most_by_stones(codes: np.ndarray) -> np.ndarray:
    """Return the most moves left that the stones on the board allow: what the player once believed."""
    return _left_after(_least_made(*count_stones(codes), 0))


def _left_after(made: np.ndarray) -> np.ndarray:
    left: np.ndarray = LITTLE_GO.length - np.minimum(made, LITTLE_GO.length - 2)
    return left


def with_left(codes: np.ndarray, left: np.ndarray | int) -> np.ndarray:
    """Return the codes with other numbers of moves left."""
    return (codes & (1 << LEFT_AT) - 1) | np.asarray(left, np.int64) << LEFT_AT


def decide_many(codes: np.ndarray, most: np.ndarray, moves: np.ndarray, decider: Decider) -> np.ndarray:
    """Return the moves without the count, int8, 25 passes.

    codes: canonical, Black to move. most: the most moves left. moves: what the player plays with so many.
    """
    moves, settled = moves.copy(), most <= EXACT
    for fewer in range(0, LITTLE_GO.length, 2):
        asked = np.flatnonzero(~settled & (most - fewer > EXACT))
        at = find_places(with_left(codes[asked], most[asked] - fewer), decider.keys)
        on_record = asked[at >= 0]
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
        found = good.any(axis=1)
        moves[here[found]] = ranked[found, good.argmax(axis=1)[found]]
    return moves


def _is_among(moves: np.ndarray, masks: np.ndarray) -> np.ndarray:
    among: np.ndarray = masks >> moves.clip(min=0).astype(np.int32) & 1 == 1
    return among


class Counting:
    """The player's decisions without its count, on a walk, held against who wins."""

    def __init__(self, decider: Decider, values: Values, jobs: int, watch: Watch):
        self.decider = decider
        self.values = values
        self.jobs = jobs
        self.watch = watch

    def row(self, codes: np.ndarray, moves: np.ndarray) -> Row:
        """Return what becomes of a layer. moves: those with the count, which keep every win."""
        left = int(codes[0]) >> LEFT_AT
        most = most_left(codes)
        found = Row(left, codes.size, int((most > left).sum()), 0, 0, int((most - left).max()))
        for start in range(0, codes.size, PART):
            part = slice(start, start + PART)
            played = self._played(codes[part], most[part], moves[part])
            stones = most_by_stones(codes[part])
            same = stones == most[part]  # decided already
            former = self._played(codes[part], np.where(same, left, stones), moves[part])
            former[same] = played[same]
            mine = decide_many(codes[part], most[part], played, self.decider)
            found = found._replace(
                former=found.former + self._count_given_away(codes[part], former, moves[part]),
                given_away=found.given_away + self._count_given_away(codes[part], mine, moves[part]),
            )
        return found

    def _played(self, codes: np.ndarray, most: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return the moves with so many left; moves: those with the true number."""
        moves = moves.copy()
        other = np.flatnonzero(most != codes >> LEFT_AT)
        asked = with_left(codes[other], most[other])

        def work(piece: slice) -> None:
            moves[other[piece]] = self.decider.decide(asked[piece])[0]

        list(self.watch.run(work, asked.size, self.jobs, DECISIONS))
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
    """Walk as Black, tell what is given away for want of the count, and return the exit status."""
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
    """Yield the layers from the top down; raise ArgumentError where one is not that of the certificate."""
    path = certificate_of(COLOUR)
    digests = {layer["left"]: layer["digest"] for layer in read_certificate(path)["layers"]}
    for layer in walking.decided(walk.roots_of(COLOUR)):
        left = int(layer.codes[0]) >> LEFT_AT
        if walk.digest_of(layer.codes, layer.moves) != digests.get(left):
            raise ArgumentError(
                f"with {left} moves left the walk is not that of {short_name(path)}: the player has changed; prove it "
                f"first: `littlego prove {COLOUR}`"
            )
        yield counting.row(layer.codes, layer.moves)
        if left - 2 < max(walk.LAST, settings.down_to):
            if left - 2 == EXACT >= settings.down_to:
                yield _last_row(walking, counting, layer)
            return


def _last_row(walking: walk.Walk, counting: Counting, layer: walk.Decided) -> Row:
    """Return what becomes of the hidden positions with two moves left, where the player's choice is exact."""
    counting.watch.left = EXACT
    found = []
    for start in range(0, layer.codes.size, PART):
        part = walk.Decided(*(column[start : start + PART] for column in layer))
        codes, _ = walking.following(part)
        found.append(codes[most_left(codes) > EXACT])
    codes = np.unique(concatenate(found))
    moves, _ = counting.decider.decide(codes)
    return counting.row(codes, moves)


def _most_hidden(rows: list[Row]) -> int:
    return max((row.most_hidden for row in rows), default=0)


def draw_rows(rows: list[Row]) -> RenderableType:
    """Draw the layers, their sum, and what it means."""
    sums = [sum(column) for column in zip(*(row[1:5] for row in rows), strict=True)]
    cells = [(str(row.left), *(f"{number:,}" for number in row[1:5])) for row in rows]
    cells.append(("all", *(f"{number:,}" for number in sums)))
    table = new_table("left", "positions", "hidden", "by stones", "given away", rows=cells)
    hidden = _most_hidden(rows)
    said = f"At most {hidden} moves left no trace: a count that says more than {MOST_HIDDEN} is not believed."
    if hidden > MOST_HIDDEN:
        said = (
            f"{hidden} moves left no trace, but a count that says more than {MOST_HIDDEN} is not believed: not proved."
        )
    conclusion = f"Without the count {sums[3]:,} wins are given away, {per_million(sums[3], sums[0])} in a million."
    return Group(
        Text("Black's walk, the count of moves withheld", style="bold"),
        table,
        Text(),
        Text(LEGEND),
        Text(f"{said} {conclusion}", style="bold"),
    )
