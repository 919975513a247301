"""GradedGame games that were never played: outcomes as a test wants them."""

from __future__ import annotations

from rules.position import BLACK
from tools.grading.games import GradedGame, Outcome, plan_games

STAGE_1 = {"random": 18, "greedy": 16, "aggressive": 14, "alphabeta": 11}  # wins of the handout's example
FLAWLESS = dict.fromkeys(("random", "greedy", "aggressive", "alphabeta", "qlearning", "championship"), 20)


def outcome(game: GradedGame, won: bool = True, seconds=(0.5,), **other) -> Outcome:
    """Return the outcome of a game without moves."""
    lead = 2.5 if won == (game.colour == BLACK) else -2.5
    record = {"why": "24 moves", "lead": lead, "moves": []}
    values = {"tie": False, "fault": False, "failed": False, "warnings": [], "notes": [], "left": [], "record": record}
    return Outcome(game, won, seconds=list(seconds), **{**values, **other})


def outcomes(wins: dict, repetition: int = 1, seconds: float = 0.5) -> list[Outcome]:
    """Return all games of a repetition against the roles in `wins`, {role: wins of 20}, the first ones won."""
    games = [game for game in plan_games(repetition, (1, 2), 20, 0) if game.repetition == repetition]
    return [outcome(game, game.index < wins[game.role], [seconds]) for game in games if game.role in wins]
