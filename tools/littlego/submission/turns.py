"""Turns to compare players on: of the real games, of games that our player plays itself, and those with overrides.

A turn is written as one line for the child process: colour, the four masks of the previous and the current board
(black, white), and the moves left, with spaces between.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from littlego.knowledge import overrides
from littlego.match.protocol import Turn, input_text
from littlego.paths import REAL_GAMES
from littlego.records.recorded_games import read_games
from littlego.rules.engine import canonical, decide
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Book
from littlego.rules.position import PASS, Position, from_boards, opening
from littlego.rules.positionkey import pack_state, unpack
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.rules.turn import Counts


class Given(NamedTuple):
    """One turn as the player meets it: whose, the (black, white) masks of both boards, the moves left with this one."""

    colour: int
    previous: tuple[int, int]
    current: tuple[int, int]
    left: int

    def position(self) -> Position:
        """Return the position to decide."""
        return from_boards(LITTLE_GO, self.previous, self.current, self.colour, self.left)

    def counts(self) -> Counts:
        """Return the count of the moves that the player's last turn would have left."""
        return {self.colour: (LITTLE_GO.length - self.left - 1, self.previous, True)}

    def line(self) -> str:
        """Return the turn as a line for the child process."""
        return " ".join(map(str, (self.colour, *self.previous, *self.current, self.left)))

    def input_text(self) -> str:
        """Return the turn's input.txt; it does not hold the moves left."""
        return input_text(Turn(self.position(), self.previous))


def real_turns(path: Path = REAL_GAMES) -> list[Given]:
    """Return each different turn of the real games, in the order of the file."""
    turns: dict[Given, None] = {}
    for game in read_games(path):
        previous = 0, 0
        for position in game.positions:
            current = position.black, position.white
            turns[Given(position.colour, previous, current, position.left)] = None
            previous = current
    return list(turns)


def override_turns(path: Path, most: int) -> list[Given]:
    """Return turns for so many of the overrides in a file, evenly spaced; none where there is no file.

    A position that no move of the opponent's can have led to is left out.
    """
    codes = list(overrides.read(path)) if path.is_file() else []
    turns = [(code, _turn_before(unpack(code))) for code in codes[:: max(1, len(codes) // most)][:most]]
    return [turn for code, turn in turns if pack_state(canonical(turn.position())[1]) == code]


def _turn_before(position: Position) -> Given:
    """Return a turn with this position, and one that the opponent's last move may have led from, as far as known."""
    current = position.black, position.white
    if position.passed:
        previous = current
    elif position.ko:  # they took the stone there: retaking it restores the board
        before = Position(LITTLE_GO, *current, position.colour, 0, False, position.left)
        before = before.play(position.ko.bit_length() - 1)
        previous = before.black, before.white
    else:
        last = position.theirs & -position.theirs
        previous = position.black & ~last, position.white & ~last
    return Given(position.colour, previous, current, position.left)


def played_turns(book: Book, games: int, seed: int) -> list[Given]:
    """Return each different turn of games in which both sides play our moves and, one time in four, a random one."""
    turns = (turn for game in range(games) for turn in _play_game(book, random.Random(f"{seed}:{game}")))
    return list(dict.fromkeys(turns))


def _play_game(book: Book, rng: random.Random) -> Iterator[Given]:
    position = opening(LITTLE_GO)
    previous = position.black, position.white
    while True:
        current = position.black, position.white
        yield Given(position.colour, previous, current, position.left)
        move = decide(position, book).move
        if rng.random() < 0.25:
            move = rng.choice(points_of(position.legal()) or [PASS])
        if position.ends_with(move):
            return
        previous, position = current, position.play(move)
