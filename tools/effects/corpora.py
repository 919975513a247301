"""Decisions to judge patterns by: in the positions of recorded games, and in games of ours against the roles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from rules.engine import Decision, decide
from rules.patternfile import Book
from rules.position import PASS, Position, opening
from rules.ruleset import LITTLE_GO
from tools.arguments import ArgumentError
from tools.match.openings import random_opening
from tools.match.protocol import Turn
from tools.match.referee import Game, Player, Reply
from tools.match.series import SEEDS
from tools.opponents import random_player
from tools.opponents.roles import RolePlayer, rng_for

OPENING_PLIES = 2  # random moves before a game against a role, so that games differ


class BadGames(ArgumentError):
    """A file of games that cannot be read; the message says where and what."""


def recorded_games(path: Path) -> list[list[Position]]:
    """Return the positions before each move of every game in a file.

    It holds one JSON object a line, or what `littlego match --json` or `littlego play --json` wrote. A game holds
    `moves`, a list of objects whose `move` is [row, column], "row,column" or "PASS". Raise OSError or BadGames.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    found = []
    for number, game in enumerate(_games(text, path), 1):
        try:
            found.append(_positions(game["moves"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadGames(f"{path}: game {number}: {_said(error)}") from None
    return found


def _games(text: str, path: Path) -> list:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return [_game(line, path, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    games = whole.get("games") if isinstance(whole, dict) else None
    return games if isinstance(games, list) else [whole]


def _game(line: str, path: Path, number: int):
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BadGames(f"{path}:{number}: expected a game as JSON, found {line[:40]!r}") from None


def _said(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)


def _positions(moves: list[dict]) -> list[Position]:
    position, found = opening(LITTLE_GO), []
    for number, entry in enumerate(moves, 1):
        found.append(position)
        if number == len(moves):
            break  # nobody asks what came of it: it may be illegal, or a player who resigns
        move = _point(entry["move"])
        if move != PASS and not position.legal() >> move & 1:
            raise ValueError(f"move {number}, {entry['move']}, is not legal")
        if position.ends_with(move):
            raise ValueError(f"the game is over with move {number}")
        position = position.play(move)
    return found


def _point(move: list[int] | str) -> int:
    if move == "PASS":
        return PASS
    row, column = map(int, move.split(",") if isinstance(move, str) else move)
    if not (0 <= row < LITTLE_GO.size and 0 <= column < LITTLE_GO.size):
        raise ValueError(f"the move {move!r} is not on the board")
    return LITTLE_GO.size * row + column


def different(games: list[list[Position]]) -> list[Position]:
    """Return the positions of the games, each different one once, in their order."""
    found = {}
    for position in (position for game in games for position in game):
        key = position.black, position.white, position.ko, position.passed, position.colour, position.left
        found.setdefault(key, position)
    return list(found.values())


def decisions_in(positions: list[Position], book: Book, complete: bool = False) -> Iterator[Decision]:
    """Yield what the book decides in each position."""
    return (decide(position, book, complete) for position in positions)


def decisions_against(role: str, book: Book, games: int, seed: int, noise: float = 0.0) -> Iterator[Decision]:
    """Yield our decisions in games against a role, colours alternating, as `littlego match` numbers its games.

    noise: the share of the role's moves, 0 to 1, that are random instead.
    """
    for index in range(games):
        game_seed = SEEDS * seed + index // 2
        us, them = _Witness(book), _Erring(role, game_seed, noise) if noise else RolePlayer(role, game_seed)
        both = (us, them) if index % 2 == 0 else (them, us)
        Game(both, LITTLE_GO, random_opening(LITTLE_GO, OPENING_PLIES, game_seed), game_seed).play()
        yield from us.decisions


class _Erring(RolePlayer):
    """A role that plays a random legal move now and then."""

    def __init__(self, role: str, seed: int, noise: float):
        super().__init__(role, seed)
        self.noise = noise

    def choose(self, turn: Turn) -> Reply:
        rng = rng_for(self.seed + 1, turn.position)  # not the numbers that the role itself draws
        if rng.random() < self.noise:
            return Reply(random_player.choose(turn.position, rng))
        return super().choose(turn)


class _Witness(Player):
    """Our engine as a player that keeps its decisions."""

    name = "ours"
    timed = False

    def __init__(self, book: Book):
        self.book = book
        self.decisions: list[Decision] = []

    def choose(self, turn: Turn) -> Reply:
        self.decisions.append(decide(turn.position, self.book))
        return Reply(self.decisions[-1].move)
