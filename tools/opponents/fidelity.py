"""How often our roles choose what the course's own players chose in the same positions, in recorded games.

Every different position counts once, however often it was met: a real player without chance plays the same game again
and again. What a role plays by lot counts with its probability, and so does a choice that a symmetry of the position
turns into the recorded one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from rules.geometry import points_of
from rules.position import BLACK, PASS, WHITE, Position
from tools.match.recorded_games import GamesError, RecordedGame, read_games
from tools.opponents import aggressive, alphabeta, championship, greedy, random_player
from tools.opponents.replies import fixing, turned
from tools.opponents.roles import reasoned
from tools.shares import wilson

FIT, HELD_OUT, ALL = "fit", "held-out", "all"
LOTS = 40  # seeds with which a role is asked that does not say among which moves it draws
EVERY = 3  # one game in three is held out
CHOICES: dict[str, Callable] = {
    "random": random_player.choices,
    "greedy": greedy.choices,
    "aggressive": aggressive.choices,
    "alphabeta": alphabeta.choices,
    "championship": championship.choices,
}


class Decision(NamedTuple):
    """A position in which a real player moved, and how often it chose which move; game: the first one."""

    position: Position
    chosen: Counter
    game: int


class Fidelity(NamedTuple):
    """How a role agrees with the real one.

    decisions: different positions. agreement: mean probability that the role plays what was played; low, high: its
    Wilson interval, 95%. possible: the share of positions where the role could have played it. chance: the agreement
    of a player that plays any legal point.
    """

    role: str
    decisions: int
    agreement: float
    low: float
    high: float
    possible: float
    chance: float


def recorded_decisions(path: Path, role: str, part: str = ALL) -> list[Decision]:
    """Return the different positions in which the real role moved, in order.

    Raise OSError, or GamesError for what is no file of real games. part: ALL, or FIT or HELD_OUT, two parts whose
    games differ; a position that is met in both is in FIT alone.
    """
    parts: dict[str, dict] = {FIT: {}, HELD_OUT: {}}
    numbers: dict[tuple, int] = {}
    for number, game in enumerate(read_games(path), 1):
        if not game.player or game.colour not in (BLACK, WHITE):
            raise GamesError(f"{path}: game {number}: expected a real game, with `ta` and `ta_colour`")
        if game.player == role:
            _add(game, number, parts, numbers)
    held = {key: one for key, one in parts[HELD_OUT].items() if key not in parts[FIT]}
    wanted = {FIT: parts[FIT], HELD_OUT: held, ALL: _joined(parts[FIT], parts[HELD_OUT])}[part]
    return sorted(wanted.values(), key=lambda decision: (decision.game, -decision.position.left))


def _joined(first: dict, second: dict) -> dict:
    """Return the decisions of both; in a position that is in both, the moves of both are counted."""
    found = {**first, **second}
    for key in first.keys() & second.keys():
        one, other = first[key], second[key]
        found[key] = Decision(one.position, one.chosen + other.chosen, min(one.game, other.game))
    return found


def _add(game: RecordedGame, number: int, parts: dict, numbers: dict) -> None:
    same = numbers.setdefault(tuple(game.moves), len(numbers))
    found = parts[HELD_OUT if same % EVERY == EVERY - 1 else FIT]
    for position, move in zip(game.positions, game.moves, strict=True):
        if position.colour == game.colour and move is not None:
            key = position.black, position.white, position.ko, position.passed, position.left
            found.setdefault(key, Decision(position, Counter(), number)).chosen[move] += 1


def lots(role: str, position: Position) -> dict[int, float]:
    """Return {move: probability} of what a role plays."""
    choices = CHOICES.get(role)
    moves = choices(position) if choices else [reasoned(role, seed, position)[0] for seed in range(LOTS)]
    return {move: count / len(moves) for move, count in Counter(moves).items()}


def agreement(decision: Decision, chances: dict[int, float]) -> float:
    """Return the probability that a player with these chances plays what was played in a position.

    Where several moves were recorded, it is the mean over them.
    """
    tables = fixing(decision.position)
    found = 0.0
    for move, times in decision.chosen.items():
        images = {turned(move, table) for table in tables}
        found += times * sum(chances.get(image, 0.0) for image in images)
    return found / sum(decision.chosen.values())


def any_move(position: Position) -> dict[int, float]:
    """Return the chances of a player that plays any legal point."""
    legal = points_of(position.legal()) or [PASS]
    return {move: 1 / len(legal) for move in legal}


def measured(role: str, asked: list[tuple[Decision, dict[int, float]]]) -> Fidelity:
    """Return how a role agrees, from decisions and the chances of the role in each position."""
    shares = [agreement(decision, chances) for decision, chances in asked]
    chance = mean(agreement(decision, any_move(decision.position)) for decision, _ in asked)
    low, high = wilson(mean(shares), len(shares))
    possible = mean(share > 0 for share in shares)
    return Fidelity(role, len(asked), mean(shares), low, high, possible, chance)
