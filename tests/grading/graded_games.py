"""Made-up graded games, with outcomes that the test chooses."""

from __future__ import annotations

from functools import reduce

from littlego.grading.games import GradedGame, Outcome, plan_games
from littlego.match.referee import COLOURS, GameRecord, Move, record_json
from littlego.rules.position import BLACK, RESIGN, WHITE, margin2, opening
from littlego.rules.ruleset import LITTLE_GO

STAGE_1 = {"random": 18, "greedy": 16, "aggressive": 14, "alphabeta": 11}  # numbers of wins in the handout's example
FLAWLESS = dict.fromkeys(("random", "greedy", "aggressive", "alphabeta", "qlearning", "championship"), 20)


def outcome(game: GradedGame, won: bool = True, seconds=(0.5,), **other) -> Outcome:
    """Return the outcome of a game without moves."""
    lead = 2.5 if won == (game.colour == BLACK) else -2.5
    record = {"why": "24 moves", "lead": lead, "moves": []}
    values = {"tie": False, "fault": False, "failed": False, "warnings": [], "notes": [], "left": [], "record": record}
    return Outcome(game, won, seconds=list(seconds), **{**values, **other})


def outcomes(wins: dict, repetition: int = 1, seconds: float = 0.5) -> list[Outcome]:
    """Return the outcomes of a repetition. wins: {role: number of won games}; the first games are won."""
    games = [game for game in plan_games(repetition, (1, 2), 20, 0) if game.repetition == repetition]
    return [outcome(game, game.index < wins[game.role], [seconds]) for game in games if game.role in wins]


def with_moves(made: Outcome) -> Outcome:
    """Return the outcome with the moves of a short game, which ends when the loser resigns."""
    game = made.game
    resigns = game.colour if not made.won else BLACK + WHITE - game.colour
    moves = [] if resigns == BLACK else [Move(1, BLACK, 12, 0.5, "", "", "")]
    moves.append(Move(len(moves) + 1, resigns, RESIGN, 0.5, "", "", ""))
    last = reduce(lambda position, move: position.play(move.move), moves[:-1], opening(LITTLE_GO))
    names = ("theirs", game.role) if game.colour == BLACK else (game.role, "theirs")
    winner, why = BLACK + WHITE - resigns, f"{COLOURS[resigns]} resigned"
    boards = last.black, last.white
    record = GameRecord(LITTLE_GO, names, game.seed, 0, tuple(moves), winner, why, margin2(last), 0, "", *boards)
    seconds = [move.cpu for move in moves if move.colour == game.colour]
    return made._replace(seconds=seconds, record=record_json(record))
