"""Doubts: positions where a network's search contradicts the patterns.

In such a position, the search expects the patterns' move to lose and another move to win.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from littlego.cache import Cache, digest
from littlego.cli.page import render_page, render_template
from littlego.engines.draw.svg import draw_board
from littlego.games.boards import move_text
from littlego.knowledge.files import Knowledge
from littlego.learning.zero.yardstick import search_states, spacing, states_of
from littlego.meaning import meaning_of
from littlego.players.zero.game import ONGOING, Game
from littlego.players.zero.network import Network
from littlego.records.positions import position_text
from littlego.rules.position import BLACK
from littlego.rules.positionkey import PASS_POINT, unpack, unpack_move
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import Labels, moves_left
from littlego.truth.proof.certificate import player_of
from littlego.truth.proof.edited import stored_layers
from littlego.truth.proof.proving import WALKS

CACHE = "doubts"
BLOCK = 1024  # positions per call of find_doubts
SHOWN = 50  # positions on the page
FAR = range(15, 19)  # moves left of positions that take long to solve
LEGEND = "solves, at random: positions to solve per failure found, among the doubts and among all positions"
RULES, ZERO = "R", "Z"  # letters of the two moves on a board


class Doubt(NamedTuple):
    """A position where the network's search contradicts the patterns.

    code: the position's code. played: the patterns' move. better: the move of the search. Move 25 is a pass.
    played_value, better_value: the search's values of these moves for the player to move, from -1 (loss) to 1 (win).
    winning: the solver's mask of winning moves, or None if the position is not solved.
    """

    code: int
    played: int
    better: int
    played_value: float
    better_value: float
    winning: int | None = None

    @property
    def clarity(self) -> float:
        """The difference between the values of the two moves, from 0 to 2."""
        return self.better_value - self.played_value

    @property
    def is_failure(self) -> bool:
        """Whether the solver shows that the patterns' move gives a win away."""
        return bool(self.winning) and not (self.winning or 0) >> self.played & 1

    def as_json(self) -> dict[str, Any]:
        """Return the doubt as plain JSON values."""
        position = unpack(self.code)
        moves = {
            name: move_text(unpack_move(getattr(self, name)), position.ruleset.size) for name in ("played", "better")
        }
        return {**self._asdict(), **moves, "position": position_text(position)}


def find_doubts(network: Network, decider: Decider, codes: np.ndarray, simulations: int) -> list[Doubt]:
    """Return the doubts among positions, in no particular order.

    codes: canonical codes of Little-Go positions. simulations: the number of simulations of each search. The network
    searches each position. If the move of the search differs from the patterns' move and is expected to win, the
    network also searches the position after each of the two moves.
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
    return [
        Doubt(int(codes[index]), int(played[index]), int(better[index]), float(before[at]), float(after[at]))
        for at, index in enumerate(chosen)
        if before[at] < 0 < after[at]
    ]


def clearest_first(doubts: Sequence[Doubt]) -> list[Doubt]:
    """Return doubts in descending order of `clarity`."""
    return sorted(doubts, key=lambda doubt: (-doubt.clarity, doubt.code))


class Positions(NamedTuple):
    """Positions to search: the number of positions, and an iterable of arrays with the positions' codes."""

    number: int
    arrays: Iterable[np.ndarray]


def positions_of_walks(folder: Path, knowledge: Knowledge, lefts: range, most: int) -> Positions:
    """Return about `most` positions of the latest walks of `prove`, or all positions if `most` is 0.

    folder: the folder in which `prove` saved the walks. The selection is evenly spread over all positions. lefts: the
    range of moves left; other positions are skipped. Raise ArgumentError if there are no walks.
    """
    player = player_of(knowledge, {})
    layers = [layer for layer in stored_layers(folder / WALKS, player) if layer.left in lefts]
    step = spacing(sum(layer.size for layer in layers), most)
    number, arrays = sum(-(-layer.size // step) for layer in layers), (layer.codes()[::step] for layer in layers)
    return Positions(number, [np.concatenate([*arrays])] if most and number else arrays)


def blocks_of(codes: np.ndarray) -> list[np.ndarray]:
    """Return codes in blocks of at most BLOCK codes.

    The codes of each block are evenly spread over all codes, so that even an interrupted search samples the whole
    range.
    """
    number = -(-codes.size // BLOCK)
    return [codes[start::number] for start in range(number)]


class Search:
    """A network's search for doubts about a player's moves. Results are cached, so an interrupted search can resume.

    lines: the lines of the compiled patterns that `decider` uses. simulations: see find_doubts.
    """

    def __init__(self, network: Network, decider: Decider, lines: Sequence[str], simulations: int):
        self.network, self.decider, self.simulations = network, decider, simulations
        self.cache = Cache(CACHE)
        about = {"game": network.about["game"]}  # not the provenance, which differs between equal networks
        weights = Network(network.layers, about).to_bytes().hex()
        self.key = digest(meaning_of(__name__), "\n".join(lines), str(simulations), weights)

    def find(self, codes: np.ndarray) -> list[Doubt]:
        """Return the doubts among positions, from the cache or from find_doubts."""
        key = digest(self.key, codes.tobytes().hex())
        known = self.cache.get(key)
        if known is None:
            known = find_doubts(self.network, self.decider, codes, self.simulations)
            self.cache.put(key, known)
        return [Doubt(*values) for values in known]


def _values_after(game: Game, network: Network, states: Any, moves: np.ndarray, simulations: int) -> np.ndarray:
    """Return the value of each move for the player to move.

    The value comes from a search of the position after the move or, if the move ends the game, from the game's result.
    """
    reached = game.play(states, moves)
    values = -game.results(reached).astype(np.float64)
    going = np.flatnonzero(game.results(reached) == ONGOING)
    values[going] = [-value for _, value in search_states(game, network, reached[going], simulations)]
    return values


def solve_doubts(doubts: Sequence[Doubt], bits: int) -> Iterator[Doubt]:
    """Yield the doubts with their winning moves, from the cache or from the solver. bits: see Solver."""
    from littlego.truth.solver.solver import Solver

    solver, cache, meaning = Solver(bits), Cache(CACHE), meaning_of("littlego.truth.solver.solver")
    for doubt in doubts:
        key = digest(meaning, str(doubt.code))
        winning = cache.get(key)
        if winning is None:
            winning = int(solver.winning_many(np.array([doubt.code], np.int64))[0])
            cache.put(key, winning)
        yield doubt._replace(winning=winning)


class Precision(NamedTuple):
    """Precision and recall of doubts in labelled positions with one number or range of moves left.

    left: the number or range of moves left, as text. positions: the number of positions. failures: the number of
    positions in which the patterns' move gives a win away. doubts: the number of doubts. right: the number of doubts
    that are failures.
    """

    left: str
    positions: int
    failures: int
    doubts: int
    right: int

    @property
    def precision(self) -> float | None:
        """The share of doubts that are failures, or None if there are no doubts."""
        return self.right / self.doubts if self.doubts else None

    @property
    def recall(self) -> float | None:
        """The share of failures that are doubts, or None if there are no failures."""
        return self.right / self.failures if self.failures else None

    @property
    def solves(self) -> tuple[float | None, float | None]:
        """The mean number of positions to solve per failure found: (among the doubts, among all positions).

        The first number is None if no doubt is a failure; the second number is None if no position is a failure.
        """
        return (
            self.doubts / self.right if self.right else None,
            self.positions / self.failures if self.failures else None,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the counts and shares as plain JSON values."""
        names = "solves_per_failure", "random_solves_per_failure"
        shares = {"precision": self.precision, "recall": self.recall}
        return {**self._asdict(), **shares, **dict(zip(names, self.solves, strict=True))}


def measure_doubts(doubts: Sequence[Doubt], labels: Labels, decider: Decider) -> list[Precision]:
    """Return a Precision for each number of moves left in the labelled positions, largest number first.

    If the labels include at least two of the numbers in FAR, the last Precision contains the sums over FAR.
    """
    left, won = moves_left(labels.codes), labels.winning != 0
    failed = won & (labels.winning >> decider.decide(labels.codes)[0] & 1 == 0)
    flagged = np.isin(labels.codes, [doubt.code for doubt in doubts])
    masks = np.ones(left.size, bool), failed, flagged, flagged & failed
    numbers = sorted(set(left.tolist()), reverse=True)
    groups = [(str(number), [number]) for number in numbers]
    groups += [(f"{FAR.start} to {FAR.stop - 1}", list(FAR))] if len({*numbers} & {*FAR}) > 1 else []
    return [
        Precision(name, *(int(np.count_nonzero(mask & np.isin(left, group))) for mask in masks))
        for name, group in groups
    ]


def format_precisions(rows: Sequence[Precision]) -> str:
    """Return the rows of `measure_doubts` as a text table."""
    heads = ("moves left", "positions", "failures", "doubts", "right", "precision", "recall", "solves", "at random")
    lines = ["".join(f"{head:>11}" for head in heads)]
    for row in rows:
        shares = ["-" if share is None else f"{100 * share:.0f}%" for share in (row.precision, row.recall)]
        solves = ["-" if number is None else f"{number:.1f}" for number in row.solves]
        lines.append("".join(f"{cell:>11}" for cell in (*row, *shares, *solves)))
    return "\n".join([*lines, LEGEND])


def render_doubts(doubts: Sequence[Doubt], title: str) -> str:
    """Return a web page with the first SHOWN of the doubts.

    The page shows boards with both moves, the moves' values and, for a solved position, the solver's verdict.
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
    solved = "" if doubt.winning is None else "; the patterns' move loses" if doubt.is_failure else "; no failure"
    return (
        f"{'Black' if position.colour == BLACK else 'White'} to move, {position.left} moves left. "
        f"{RULES} {values['played']}: {doubt.played_value:+.2f}, "
        f"{ZERO} {values['better']}: {doubt.better_value:+.2f}{solved}"
    )
