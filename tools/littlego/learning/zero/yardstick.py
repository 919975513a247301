"""Grades of a network on labelled positions. Training never imports this module.

A blunder is a losing move in a position where another move wins. The rates are computed as in littlego.truth.grades:
a mean rate for 1 to 14 moves left, and a rate for each number of moves left.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from littlego.cli.arguments import ArgumentError
from littlego.players.zero.games import game_named
from littlego.players.zero.go import Go
from littlego.players.zero.network import Network
from littlego.players.zero.search import search
from littlego.rules.positionkey import unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.grades.decisions import outcome_of
from littlego.truth.grades.grades import COLOURS, Blunders, Rate, blunder_rate, count_outcomes, load_source, rate
from littlego.truth.labels.labels import Labels, legal_many, moves_left
from littlego.truth.solver.leads import Leads
from littlego.truth.solver.solver import Solver

if TYPE_CHECKING:
    from littlego.players.zero.game import Game, States

BATCH = 256  # positions searched at a time
MET_GAMES = "met"  # the source of the positions for the official mean rates
COLUMN = 24  # characters of a column, enough for a rate with its limits
REGRET_TO = 8  # maximum moves left of positions whose exact lead is computed


class Grade(NamedTuple):
    """The grade of a network that searches with `simulations` simulations per move.

    blunders: rows as in `grade-patterns`, most moves left first. wrong: {moves left: share of positions in which the
    value of the chosen move predicts the wrong winner}. regret: {moves left: mean number of stones that the chosen move
    loses compared with the best move}, for at most REGRET_TO moves left.
    """

    simulations: int
    blunders: list[Blunders]
    wrong: dict[int, Rate]
    regret: dict[int, float]

    @property
    def means(self) -> tuple[Rate, Rate]:
        """The mean blunder rates of Black and White."""
        black, white = (blunder_rate(self.blunders, colour) for colour in COLOURS)
        return black, white

    def as_json(self) -> dict[str, Any]:
        """Return the grade as plain JSON values, with shares from 0 to 1."""
        wrong = {number: share._asdict() for number, share in self.wrong.items()}
        return {
            "simulations": self.simulations,
            **blunders_json(self.blunders),
            "wrong_value": wrong,
            "regret": self.regret,
        }


def blunders_json(rows: Sequence[Blunders]) -> dict[str, Any]:
    """Return the counts and rates of blunders as plain JSON values.

    given_away: the mean rate of each colour. by_moves_left: the counts and the rate for each number of moves left.
    """
    return {
        "given_away": {colour: blunder_rate(rows, colour)._asdict() for colour in COLOURS},
        "by_moves_left": {
            row.left: {"won": row.won, "given_away": row.blundered, **row.rate._asdict()} for row in rows
        },
    }


def labels_of(part: str | None, source: str | None, path: Path, most: int) -> Labels:
    """Return the labelled positions of a source, in one part or in both parts.

    part: None for both parts. source: the name of a source; None for `met`. most: the maximum number of positions for
    each number of moves left, evenly spaced; 0 for all positions. Raise ArgumentError if the part has no position from
    the source.
    """
    labels = load_source(part, source or MET_GAMES, path)
    left = moves_left(labels.codes)
    chosen = [spread(np.flatnonzero(left == number), most) for number in sorted(set(left.tolist()))]
    return labels.where(np.sort(np.concatenate(chosen)))


def spread(indexes: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` of the indices, evenly spaced, or all indices if `most` is 0."""
    return indexes[:: spacing(indexes.size, most)]


def spacing(size: int, most: int) -> int:
    """Return the smallest step that selects at most `most` of `size` entries; 1 if `most` is 0."""
    return max(1, -(-size // most)) if most else 1


def grade_network(network: Network, simulations: int, labels: Labels, regret_positions: int) -> Grade:
    """Return the grade of a network on labelled positions.

    simulations: number of simulations per move. regret_positions: maximum number of positions per number of moves left
    for which the regret is computed. Raise ArgumentError unless the network plays the game of the positions.
    """
    game, states = states_of(labels.codes)
    if network.about["game"] != game.name:
        raise ArgumentError(f"the network plays {network.about['game']}, but the labels are positions of {game.name}")
    moves, values = map(np.array, zip(*search_states(game, network, states, simulations), strict=True))
    left, wrong = moves_left(labels.codes), (values > 0) != (labels.winning != 0)
    return Grade(
        simulations,
        grade_moves(moves, labels),
        {number: rate(int(wrong[left == number].sum()), int((left == number).sum())) for number in set(left.tolist())},
        _regrets(labels.codes, moves, left, regret_positions),
    )


def grade_moves(moves: np.ndarray, labels: Labels) -> list[Blunders]:
    """Return the counts of a player's blunders in labelled positions, as rows of `grade-patterns`.

    moves: the player's move in each position, 25 for a pass.
    """
    outcomes = np.asarray(outcome_of(labels.winning, legal_many(labels.codes), moves))
    return count_outcomes(moves_left(labels.codes), outcomes, np.zeros(len(moves), bool))


def states_of(codes: np.ndarray) -> tuple[Go, States]:
    """Return (the game Little-Go, the game's states for the positions with these codes)."""
    game = game_named(LITTLE_GO.name)
    assert isinstance(game, Go)
    return game, np.concatenate([game.start(0), *(game.state_of(unpack(code)) for code in codes.tolist())])


def search_states(game: Game, network: Network, states: States, simulations: int) -> list[tuple[int, float]]:
    """Return (move, value of the move) for each state, from a search without noise.

    simulations: number of simulations per state. The value is from the perspective of the player to move. In Little-Go,
    move 25 is a pass. The search's value of the state would be too low, because it is a mean over the simulations of
    all moves.
    """
    results: list[tuple[int, float]] = []
    for start in range(0, len(states), BATCH):
        part = states[start : start + BATCH]
        found = search(game, network, part, np.zeros((len(part), game.actions), np.int64), simulations)
        values = np.take_along_axis(found.values, found.actions[:, None], 1)[:, 0]
        results += zip(found.actions.tolist(), values.tolist(), strict=True)
    return results


def _regrets(codes: np.ndarray, moves: np.ndarray, left: np.ndarray, most: int) -> dict[int, float]:
    """Return {moves left: mean number of stones lost}, each from at most `most` positions; see Grade."""
    leads, regrets = Leads(Solver(18)), {}
    for number in range(1, 1 + REGRET_TO) if most else ():
        here = spread(np.flatnonzero(left == number), most)
        lost = [
            abs(leads.lead(code) - leads.lead_after(code, move))
            for code, move in zip(codes[here].tolist(), moves[here].tolist(), strict=True)
        ]
        if lost:
            regrets[number] = sum(lost) / len(lost)
    return regrets


def format_grades(grades: Sequence[Grade]) -> str:
    """Return a table of grades as text: one column for each number of simulations."""
    heads = "".join(f"{grade.simulations:>{COLUMN}}" for grade in grades)
    lines = [f"{'simulations':20}{heads}"]
    for index, colour in enumerate(COLOURS):
        cells = "".join(f"{grade.means[index]!s:>{COLUMN}}" for grade in grades)
        lines.append(f"{colour.capitalize() + ' gives away':20}{cells}")
    lines += ["", "moves left, at stake   given away / wrong value"]
    for rows in zip(*(grade.blunders for grade in grades), strict=True):
        cells = "".join(
            f"{100 * row.rate.share:{COLUMN - 9}.2f}% {100 * grade.wrong[row.left].share:6.2f}%"
            for row, grade in zip(rows, grades, strict=True)
        )
        lines.append(f"{rows[0].left:>10}, {rows[0].won:>8}{cells}")
    if any(grade.regret for grade in grades):
        lines += ["", "moves left             stones lost per move"]
        for number in grades[0].regret:
            cells = "".join(f"{grade.regret[number]:{COLUMN}.3f}" for grade in grades)
            lines.append(f"{number:>10}{'':10}{cells}")
    return "\n".join(lines)
