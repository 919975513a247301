"""Turns for comparing players: from recorded games, from our player's games and from overrides.

The child process reads a turn as one line with six numbers, separated by spaces: the colour, the masks of Black's and
White's stones on the previous board, the same masks for the current board, and the number of moves left.
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
    """A turn: the player's colour, the previous and the current board, and the number of moves left."""

    colour: int  # the player's colour
    previous: tuple[int, int]  # board before the opponent's last move, as masks of Black's and White's stones
    current: tuple[int, int]  # the present board, as masks of Black's and White's stones
    left: int  # number of moves left, including the player's move

    def position(self) -> Position:
        """Return the position in which the player must choose a move."""
        return from_boards(LITTLE_GO, self.previous, self.current, self.colour, self.left)

    def counts(self) -> Counts:
        """Return the move count that the player's previous turn would have stored."""
        return {self.colour: (LITTLE_GO.length - self.left - 1, self.previous, True)}

    def line(self) -> str:
        """Return the turn as a line for the child process."""
        return " ".join(map(str, (self.colour, *self.previous, *self.current, self.left)))

    def input_text(self) -> str:
        """Return the turn's input.txt, which does not contain the number of moves left."""
        return input_text(Turn(self.position(), self.previous))


def real_turns(path: Path = REAL_GAMES) -> list[Given]:
    """Return the distinct turns of the recorded games in a file, in the order of the file."""
    turns: dict[Given, None] = {}
    for game in read_games(path):
        previous = 0, 0
        for position in game.positions:
            current = position.black, position.white
            turns[Given(position.colour, previous, current, position.left)] = None
            previous = current
    return list(turns)


def override_turns(path: Path, most: int) -> list[Given]:
    """Return turns in the positions of at most `most` overrides.

    The overrides are evenly spaced in the file. If the file does not exist, return []. An override is omitted if
    _turn_before cannot guess a turn that leads to the override's position.
    """
    codes = list(overrides.read(path)) if path.is_file() else []
    turns = [(code, _turn_before(unpack(code))) for code in codes[:: max(1, len(codes) // most)][:most]]
    return [turn for code, turn in turns if pack_state(canonical(turn.position())[1]) == code]


def _turn_before(position: Position) -> Given:
    """Return a turn in this position, with a guess of the board before the opponent's last move."""
    current = position.black, position.white
    if position.passed:
        previous = current
    elif position.ko:  # the opponent captured a stone at this point: recapturing would restore the board
        before = Position(LITTLE_GO, *current, position.colour, 0, False, position.left)
        before = before.play(position.ko.bit_length() - 1)
        previous = before.black, before.white
    else:
        last = position.theirs & -position.theirs
        previous = position.black & ~last, position.white & ~last
    return Given(position.colour, previous, current, position.left)


def played_turns(book: Book, games: int, seed: int) -> list[Given]:
    """Return the distinct turns of `games` games of our player against itself.

    Each move is replaced by a random legal move with probability 1/4. seed: the seed of the random numbers.
    """
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
