"""Positions where the search of a network expects that the rules' move loses and another move wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from littlego.cli.page import render_page, render_template
from littlego.engines.draw.svg import draw_board
from littlego.games.boards import move_text
from littlego.learning.zero.yardstick import search_states, states_of
from littlego.players.zero.game import ONGOING, Game
from littlego.players.zero.network import Network
from littlego.records.positions import position_text
from littlego.rules.position import BLACK
from littlego.rules.positionkey import PASS_POINT, unpack, unpack_move
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import Labels, moves_left

SHOWN = 50  # positions on the page
RULES, ZERO = "R", "Z"  # letters of the two moves on a board


class Doubt(NamedTuple):
    """A position where the search contradicts the rules.

    code: of the position. played, better: the moves of the rules and of the search, 25 for a pass. played_value,
    better_value: the search's values after these moves, -1 to 1 for the player to move. winning: the mask of winning
    moves by the solver, None if unsolved.
    """

    code: int
    played: int
    better: int
    played_value: float
    better_value: float
    winning: int | None = None

    @property
    def clarity(self) -> float:
        """The difference of the values of the two moves, from 0 to 2."""
        return self.better_value - self.played_value

    @property
    def is_failure(self) -> bool:
        """Whether the solver shows that the rules' move gives a win away."""
        return bool(self.winning) and not (self.winning or 0) >> self.played & 1

    def as_json(self) -> dict[str, Any]:
        """Return the doubt as plain JSON values."""
        position = unpack(self.code)
        moves = {
            name: move_text(unpack_move(getattr(self, name)), position.ruleset.size) for name in ("played", "better")
        }
        return {**self._asdict(), **moves, "position": position_text(position)}


def find_doubts(network: Network, decider: Decider, codes: np.ndarray, simulations: int) -> list[Doubt]:
    """Return the doubts among positions, the clearest first.

    codes: canonical images of positions of Little-Go. simulations: for each of the searches of the position, of the
    position after the rules' move, and of the position after the better move.
    """
    game, states = states_of(codes)
    played, _ = decider.decide(codes)
    found = search_states(game, network, states, simulations)
    better = np.array([one for one, _ in found], np.int64)
    chosen = np.flatnonzero((better != played) & np.array([value > 0 for _, value in found], bool))
    before, after = (
        _values_after(game, network, states[chosen], moves[chosen].astype(np.int64), simulations)
        for moves in (played, better)
    )
    doubts = [
        Doubt(int(codes[index]), int(played[index]), int(better[index]), float(before[at]), float(after[at]))
        for at, index in enumerate(chosen)
        if before[at] < 0 < after[at]
    ]
    return sorted(doubts, key=lambda doubt: (-doubt.clarity, doubt.code))


def _values_after(game: Game, network: Network, states: Any, moves: np.ndarray, simulations: int) -> np.ndarray:
    """Return the values of moves for the player to move: by searches, or by the results of games that end."""
    reached = game.play(states, moves)
    values = -game.results(reached).astype(np.float64)
    going = np.flatnonzero(game.results(reached) == ONGOING)
    values[going] = [-value for _, value in search_states(game, network, reached[going], simulations)]
    return values


def solve_doubts(doubts: Sequence[Doubt], bits: int) -> list[Doubt]:
    """Return doubts with the solver's winning moves. bits: the size of the solver's table."""
    from littlego.truth.solver.solver import Solver

    masks = Solver(bits).winning_many(np.array([doubt.code for doubt in doubts], np.int64))
    return [doubt._replace(winning=int(mask)) for doubt, mask in zip(doubts, masks, strict=True)]


class Precision(NamedTuple):
    """Counts of labelled positions with one number of moves left that the player to move can win.

    won: all. failures: positions in which the rules' move loses. flagged: doubts. right: doubts that are failures.
    """

    left: int
    won: int
    failures: int
    flagged: int
    right: int


def measure_doubts(doubts: Sequence[Doubt], labels: Labels, decider: Decider) -> list[Precision]:
    """Return how many doubts about labelled positions are right, most moves left first."""
    left, won = moves_left(labels.codes), labels.winning != 0
    failed = won & (labels.winning >> decider.decide(labels.codes)[0] & 1 == 0)
    flagged = np.isin(labels.codes, [doubt.code for doubt in doubts])
    masks = won, failed, flagged & won, flagged & failed
    return [
        Precision(number, *(int((mask & (left == number)).sum()) for mask in masks))
        for number in sorted(set(left.tolist()), reverse=True)
    ]


def format_precisions(rows: Sequence[Precision]) -> str:
    """Return a table of `measure_doubts` as text."""
    lines = ["moves left      won  failures   doubts  failures among doubts  failures found"]
    for row in rows:
        precision = f"{100 * row.right / row.flagged:.0f}%" if row.flagged else "-"
        recall = f"{100 * row.right / row.failures:.0f}%" if row.failures else "-"
        lines.append(f"{row.left:>10}{row.won:>9}{row.failures:>10}{row.flagged:>9}{precision:>23}{recall:>16}")
    return "\n".join(lines)


def render_doubts(doubts: Sequence[Doubt], title: str) -> str:
    """Return a web page with the clearest doubts.

    The page shows boards with both moves, their values, and the solver's word.
    """
    from markupsafe import Markup

    pictures = [(Markup(_draw(doubt)), _caption(doubt)) for doubt in doubts[:SHOWN]]
    body = render_template("littlego.learning", "doubts.html", title=title, rules=RULES, zero=ZERO, pictures=pictures)
    return render_page(title, body)


def _draw(doubt: Doubt) -> str:
    position = unpack(doubt.code)
    letters = {move: letter for move, letter in ((doubt.played, RULES), (doubt.better, ZERO)) if move != PASS_POINT}
    return draw_board(position.ruleset.size, position.black, position.white, labels=letters)


def _caption(doubt: Doubt) -> str:
    values, position = doubt.as_json(), unpack(doubt.code)
    solved = "" if doubt.winning is None else "; the rules' move loses" if doubt.is_failure else "; no failure"
    return (
        f"{'Black' if position.colour == BLACK else 'White'} to move, {position.left} moves left. "
        f"{RULES} {values['played']}: {doubt.played_value:+.2f}, "
        f"{ZERO} {values['better']}: {doubt.better_value:+.2f}{solved}"
    )
