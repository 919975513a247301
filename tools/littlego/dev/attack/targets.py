"""Fuzzing targets for users' files.

A target consists of valid files and a function that reads such a file and returns the text that a user sees.
"""

from __future__ import annotations

import lzma
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import category

from littlego.cli.arguments import ArgumentError
from littlego.dev.attack.mutator import CONFLICT, with_travelled
from littlego.editor.games import game_json
from littlego.editor.opening import open_game
from littlego.games.boards import board_text
from littlego.knowledge.lint.check import as_text, check_text
from littlego.paths import ENGINE_GAMES, PATTERNS_YAML, REAL_GAMES
from littlego.printable import printable
from littlego.records.inputs import position_at
from littlego.records.packed_games import pack, parse_packed, read_packed
from littlego.records.recorded_games import RecordedGame, read_games


class Violation(Exception):
    """Raised when the code under test violates a required property; the message describes the violation."""


class TooLong(BaseException):
    """Raised when the code under test exceeds a time limit.

    The base class is BaseException, so that `except Exception` does not catch TooLong.
    """


@dataclass(frozen=True)
class Target:
    """A fuzzing target: one kind of file, and the code that reads such files."""

    name: str
    about: str
    seeds: Callable[[], Sequence[bytes]]  # returns valid files; called once per process
    # reads the bytes with the real code, in a temporary current folder, and returns the text that a user sees; any
    # exception is a fault
    run: Callable[[bytes], str]
    words: Sequence[bytes] = ()  # typical content of such files
    # partly repairs a damaged file, such as its checksum, so that more inputs pass the reader's first tests
    repair: Callable[[bytes], bytes] | None = None


def check_shown(text: str) -> None:
    """Raise Violation if a text contains characters that control a terminal."""
    for character in text:
        if not (character.isprintable() or character in "\n\t" or category(character) == "Zs"):  # a no-break space
            raise Violation(f"a control character is printed: {ascii(character)}")


# -- patterns.yaml ---------------------------------------------------------------------------------------------


def patterns_of(text: str) -> list[bytes]:
    """Return patterns files with one to three patterns each, taken from a patterns.yaml.

    The result has one file for each pattern, some files with up to three patterns, and the variants from
    with_travelled. text: the text of the patterns.yaml.
    """
    head, *parts = re.split(r"(?m)^(?=  - id:)", text)
    phases = re.search(r"(?m)^phases:\n(?: .*\n)+", head)
    head = f"ruleset: little-go\n{phases[0] if phases else ''}\npatterns:\n"
    alone = [head + part for part in parts]
    several = [head + "".join(parts[at : at + 3]) for at in range(0, len(parts), 9)]
    return with_travelled([file.encode() for file in [*alone, *several]])


def read_patterns(data: bytes) -> str:
    """Return the messages of `check --no-exact --notes` for a patterns.yaml with the given bytes."""
    return as_text(check_text(data, "patterns.yaml", notes=True))


YAML_WORDS = (
    *CONFLICT,
    b"  - id: a\n    class: capture\n",
    b'"\\e[31m"',
    b'"\\u202e"',
    b"&a [*a]",
    b"<<: *a",
    b"!!python/object/apply:os.system [ls]",
    b"    when:\n      - size(A) > 1\n",
    b"    diagram: |\n      . * .\n",
    b"[[[[[[[[[[[[[[[[[[[[",
    b"{a: {a: {a: {a: ",
    b"((((((((((((((((((((",
    b"not not not ",
    b"? - : ",
    b"---\n",
    b"...\n",
    b"%YAML 9.9\n",
    b"|2\n",
    b">-\n",
    b"\t",
    b"# ",
    b"1 + 1 * - min(size(A), 2)",
)


# -- games and boards ------------------------------------------------------------------------------------------


def _some_games() -> list[RecordedGame]:
    return read_games(REAL_GAMES)[:40]


def json_games() -> list[bytes]:
    """Return real games as JSON, one game per item."""
    return [line.encode() for line in REAL_GAMES.read_text(encoding="utf-8").splitlines()[:40]]


def sgf_games() -> list[bytes]:
    """Return real games as SGF, each with a comment, and some with added setup stones or variations."""
    letters = "abcde"
    games = []
    for number, game in enumerate(_some_games()):
        moves = [
            f";{'BW'[index % 2]}[{'' if move is None or move < 0 else letters[move % 5] + letters[move // 5]}]"
            for index, move in enumerate(game.moves)
        ]
        setup = "AB[aa][bb:cc]AW[ee]PL[W]" if number % 4 == 0 else ""
        if number % 3 == 0:
            moves[3:4] = ["(;W[ea]C[a \\] comment])", "(;W[ab];B[ac])"]
        habit = SGF_HABITS[number % len(SGF_HABITS)]
        encoding = SGF_ENCODINGS[number % len(SGF_ENCODINGS)]
        text = f"(;GM[1]FF[4]SZ[5]KM[2.5]{setup}C[表示ソフト]{habit}{''.join(moves)})"
        games.append(text.encode(encoding, "replace"))
    return games


# Properties and moves as other programs write them, as in tests/data/field.
SGF_HABITS = (
    "",
    "HA[2];B[aa];B[bb]",
    "HA[4]AP[foxwq]KM[375]",
    "\n---\n;B[aa]",
    "PL[2];W[aa]PL[B]",
    ";B[];W[];B[];W[ee]",
    ";B[aa];AW[bb]AE[aa]",
    ")(;GM[2]SZ[5]",
    ".AB[aa];B[aa](W[bb])",
)
SGF_ENCODINGS = ("utf-8", "cp932", "utf-16", "gb18030", "big5", "utf-16-be", "utf-32-le", "cp949", "latin-1")
SGF_WORDS = (
    b"(;",
    b"AB[aa:ee]",
    b"SZ[19]",
    b"[",
    b"\\",
    b"CA[Shift_JIS]",
    b"CA[UTF-16]",
    b"\x95\x5c",  # a character of Shift JIS whose second byte is a backslash
    b"\x83\x5d",  # a character whose second byte is a bracket
    b"\xff\xfe",
    b"\xfe\xff",
    b"\x1b$B",
    b"KM[375]",
    b"HA[9]",
    b"PL[1]",
    b";B[];W[];B[]",
    b";AE[aa:ee]AW[cc]",
    b"\n----\n",
    b")",
)


def packed_games() -> list[bytes]:
    """Return uncompressed files of engine games: twelve with one game each, and one with all twelve."""
    games = parse_packed(ENGINE_GAMES.read_bytes())[:12]
    return [lzma.decompress(pack(some)) for some in [*([game] for game in games), games]]


def read_engine_games(data: bytes) -> str:
    """Compress the bytes into a file of games; return a line for each game, or the error message."""
    path = Path("games.xz")
    path.write_bytes(lzma.compress(data, preset=0))
    try:
        games = read_packed(path)
        return "\n".join(printable(f"{game.players}, {len(game.positions())} moves: {game.why}") for game in games)
    except ArgumentError as error:
        return str(error)
    finally:
        path.unlink()


def drawn_boards() -> list[bytes]:
    """Return drawn boards, some with a byte order mark, Windows line ends, or both."""
    return with_travelled(
        [
            board_text(position.ruleset.size, position.black, position.white).encode()
            for game in _some_games()
            for position in game.positions[::5]
        ]
    )


def read_position(name: str) -> Callable[[bytes], str]:
    """Return a function that writes bytes to the file `name` and reads a position from this file."""

    def read(data: bytes) -> str:
        Path(name).write_bytes(data)
        try:
            if name.endswith(".json"):
                read_games(Path(name))
            warnings: list[str] = []
            position = position_at(name, tell=warnings.append)
            if name.endswith(".sgf"):
                warnings += game_json(open_game(name, data))["remarks"]
            return "\n".join([*warnings, board_text(position.ruleset.size, position.black, position.white)])
        except ArgumentError as error:
            return str(error)
        finally:
            os.unlink(name)

    return read


DOCUMENTS = (
    Target(
        "yaml",
        "a patterns.yaml, which `check` and `compile` read",
        lambda: patterns_of(PATTERNS_YAML.read_text(encoding="utf-8")),
        read_patterns,
        YAML_WORDS,
    ),
    Target("json", "a game as JSON", json_games, read_position("game.json"), (b'{"moves": [', b'"PASS"', b"[2, 2]")),
    Target("sgf", "a game as SGF", sgf_games, read_position("game.sgf"), SGF_WORDS),
    Target(
        "games",
        "a file of engine games, which `selfplay` writes",
        packed_games,
        read_engine_games,
        (b'"ruleset": "match-19"', b'"moves": 1e9', b"\xff\xff", b"\xfe\xfe", b"NaN", b"[[[[[[[["),
    ),
    Target("drawing", "a drawn board", drawn_boards, read_position("board.txt"), (b"X", b"O", b". ", b"*", b"+", b"|")),
)
