"""The regression suites of GNU Go's source package, as problems.

A suite is a file `*.tst` of GTP commands. Three kinds of lines make up the tests: `loadsgf FILE N` loads the position
before move N of a game; `reg_genmove COLOUR` asks for a move; `#? [PATTERN]` gives a regular expression for the right
moves or, after `!`, for the wrong moves. Source: regression/README of GNU Go 3.8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from littlego.cli.arguments import ArgumentError, read_file, trying_to
from littlego.files import LARGEST_SERIES, read_limited, short_name
from littlego.games.kinds import GamePosition
from littlego.games.little_go import game_of
from littlego.games.vertices import vertex_text
from littlego.records.charsets import decode_sgf
from littlego.records.main_line import main_line_of
from littlego.records.problems import Problem
from littlego.records.records import RecordError
from littlego.records.sgf import SgfError, read_games
from littlego.rules.position import BLACK, PASS, WHITE

_EXPECTED = re.compile(r"#\? \[(!?)(.*)\]")
_ASKED = re.compile(r"(\d+) reg_genmove (\w+)")
_LOADED = re.compile(r"loadsgf (\S+)(?: (\d+))?")
_CHANGING = re.compile(r"(\d+ )?(play|undo|trymove|popgo|boardsize|clear_board|\w+_handicap)\b")
_COMMAND = re.compile(r"(\d+ )?[a-z]")
_COLOURS = {"black": BLACK, "b": BLACK, "white": WHITE, "w": WHITE}


def read_regression(folder: Path) -> list[Problem]:
    """Return the problems of all suites in a folder; a problem's theme is the name of its suite.

    A test is omitted if its position cannot be read as a match, if another command changed the position, or if no move
    matches the pattern. Raise ArgumentError if no tests remain.
    """
    with trying_to(f"read {short_name(folder)}"):
        suites = sorted(folder.glob("*.tst"))
    problems = [problem for suite in suites for problem in _problems_of(suite)]
    if not problems:
        raise ArgumentError(
            f"{short_name(folder)} contains no tests of moves in files *.tst; expected the folder `regression` of GNU "
            "Go's source package"
        )
    return problems


def _problems_of(suite: Path) -> Iterator[Problem]:
    loaded, asked = None, None
    for line in read_file(suite).decode("latin-1").splitlines():
        if _COMMAND.match(line):
            asked = None  # an answer belongs to the command above it
        if found := _LOADED.match(line):
            loaded = suite.parent / found[1], int(found[2] or 0)
        elif _CHANGING.match(line):
            loaded = None  # the position is not that of the game
        elif found := _ASKED.match(line):
            asked = loaded and (*loaded, int(found[1]), _COLOURS.get(found[2].lower()))
        elif asked and (found := _EXPECTED.match(line)):
            game, move, number, colour = asked
            asked = None
            position = _position(game, move, colour) if colour else None
            if position is not None and (moves := _moves(found[2], position.ruleset.size)):
                right, wrong = (frozenset(), moves) if found[1] else (moves, frozenset())
                yield Problem(f"{suite.stem}:{number}", suite.stem, position, right, wrong, "")


def _position(game: Path, move: int, colour: int) -> GamePosition | None:
    """Return the position before a move of a game, with `colour` to move.

    move: the number of the move; 0 means the last position in Record.positions. Return None if the game cannot be read
    as a match or has no position with this number.
    """
    positions = _positions(game)
    at = move - 1 if move else len(positions) - 1
    if not 0 <= at < len(positions):
        return None
    position = positions[at]
    if position.colour == colour:
        return position
    turned = game_of(position.ruleset).set_up((position.black, position.white), colour, position)
    assert isinstance(turned, GamePosition)
    return turned


@lru_cache(maxsize=4)
def _positions(game: Path) -> tuple[GamePosition, ...]:
    """Return the positions of a game's main line (see Record.positions); () if the file is not a match."""
    try:
        root = read_games(decode_sgf(read_limited(game, LARGEST_SERIES)).text)[0]
        positions = main_line_of(root).positions()
    except (OSError, SgfError, RecordError):
        return ()
    return tuple(position for position in positions if isinstance(position, GamePosition))


def _moves(pattern: str, size: int) -> frozenset[int]:
    """Return the moves whose names match a regular expression; an empty set for an invalid expression."""
    names = {point: vertex_text(point, size) for point in range(size * size)} | {PASS: "PASS"}
    try:
        return frozenset(move for move, name in names.items() if re.fullmatch(pattern, name, re.IGNORECASE))
    except re.error:
        return frozenset()
