"""What is attacked: for each kind of file valid ones to begin with, the code that reads it, and what must hold."""

from __future__ import annotations

import lzma
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import category

from littlego.cli.arguments import ArgumentError
from littlego.games.boards import board_text
from littlego.knowledge.lint.check import as_text, check_text
from littlego.paths import ENGINE_GAMES, PATTERNS_YAML, REAL_GAMES
from littlego.printable import printable
from littlego.records.inputs import position_at
from littlego.records.packed_games import pack, parse_packed, read_packed
from littlego.records.recorded_games import RecordedGame, read_games


class Violation(Exception):
    """What was done with an input that must not be done with any; the text says what."""


@dataclass(frozen=True)
class Target:
    """One kind of file.

    seeds: valid files; called once in a process. run: reads the bytes as the real code does, in a folder that is its
    own, and returns all that a person is told; whatever it raises is a fault. words: what such files are made of.
    repair: puts the checksums of a damaged file right, so that what lies behind them is reached.
    """

    name: str
    about: str
    seeds: Callable[[], Sequence[bytes]]
    run: Callable[[bytes], str]
    words: Sequence[bytes] = ()
    repair: Callable[[bytes], bytes] | None = None


def check_shown(text: str) -> None:
    """Raise Violation where a text would do more to a terminal than be read."""
    for character in text:
        if not (character.isprintable() or character in "\n\t" or category(character) == "Zs"):  # a no-break space
            raise Violation(f"a control character is printed: {ascii(character)}")


# -- patterns.yaml ---------------------------------------------------------------------------------------------


def patterns_of(text: str) -> list[bytes]:
    """Return a file with each of the patterns of a patterns.yaml alone, and with some of them together."""
    parts = re.split(r"(?m)^(?=  - id:)", text)[1:]
    head = "ruleset: little-go\n\npatterns:\n"
    alone = [head + part for part in parts]
    return [file.encode() for file in [*alone, *(head + "".join(parts[at : at + 3]) for at in range(0, len(parts), 9))]]


def read_patterns(data: bytes) -> str:
    """Check a patterns.yaml without the exact lints; return all that `check` and `compile` say of it."""
    return as_text(check_text(data, "patterns.yaml", notes=True))


YAML_WORDS = (
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
    """Return games as JSON."""
    return [line.encode() for line in REAL_GAMES.read_text(encoding="utf-8").splitlines()[:40]]


def sgf_games() -> list[bytes]:
    """Return games as SGF: of the real ones, with a setup, with variations and comments."""
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
        games.append(f"(;GM[1]FF[4]SZ[5]KM[2.5]{setup}{''.join(moves)})".encode())
    return games


def packed_games() -> list[bytes]:
    """Return games of engines, one to a file and some together, before they are compressed."""
    games = parse_packed(ENGINE_GAMES.read_bytes())[:12]
    return [lzma.decompress(pack(some)) for some in [*([game] for game in games), games]]


def read_engine_games(data: bytes) -> str:
    """Return what `fit` and `selfplay` say of a file of games with these bytes in it."""
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
    """Return boards as people draw them."""
    return [
        board_text(position.ruleset.size, position.black, position.white).encode()
        for game in _some_games()
        for position in game.positions[::5]
    ]


def read_position(name: str) -> Callable[[bytes], str]:
    """Return what reads a position from bytes, as every command does that is given a file of this name."""

    def read(data: bytes) -> str:
        Path(name).write_bytes(data)
        try:
            if name.endswith(".json"):
                read_games(Path(name))
            position = position_at(name)
            return board_text(position.ruleset.size, position.black, position.white)
        except ArgumentError as error:
            return str(error)
        finally:
            os.unlink(name)

    return read


DOCUMENTS = (
    Target(
        "yaml",
        "patterns.yaml, as `check` and `compile` read it",
        lambda: patterns_of(PATTERNS_YAML.read_text(encoding="utf-8")),
        read_patterns,
        YAML_WORDS,
    ),
    Target("json", "a game as JSON", json_games, read_position("game.json"), (b'{"moves": [', b'"PASS"', b"[2, 2]")),
    Target("sgf", "a game as SGF", sgf_games, read_position("game.sgf"), (b"(;", b"AB[aa:ee]", b"SZ[19]", b"[", b"\\")),
    Target(
        "games",
        "games of engines, as `selfplay` packs them",
        packed_games,
        read_engine_games,
        (b'"ruleset": "match-19"', b'"moves": 1e9', b"\xff\xff", b"\xfe\xfe", b"NaN", b"[[[[[[[["),
    ),
    Target("drawing", "a drawn board", drawn_boards, read_position("board.txt"), (b"X", b"O", b". ", b"*", b"+", b"|")),
)
