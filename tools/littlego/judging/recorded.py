"""The player's recorded moves in fixed positions; changed moves show the effects of an edit.

A file contains one decision per line: the name of a position, then a move (`row,column` or PASS). The name of a
Little-Go position is the position as text: 25 symbols for the board, row by row (X Black, O White), the side to move,
the number of moves left, the ko point or `-`, and `passed` or `-`. The name of a match position is `game:number`: the
first 12 hexadecimal digits of a stored game's digest, and the one-based number of the next move. Lines that start with
`#` are comments. `littlego diff --accept` replaces recorded moves. In an author's folder, this command changes only the
folder's copy of the shipped record, and first creates the copy if it is missing.

records/decisions.txt contains the positions of the recorded real games, a sample of positions from games against roles
(built-in opponents), and positions that detect changes to a pattern's points or priority.
`littlego dev regenerate decisions --extend` adds positions from games of the current player.
records/match_decisions.txt contains a sample of positions from the stored games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.files import LARGEST_SERIES, read_limited, short_name, write_text
from littlego.games.boards import move_text
from littlego.judging.corpus import GAME_NAME, Corpus, Game, GameCorpus, SpelledCorpus
from littlego.paths import DECISIONS, ENGINE_GAMES
from littlego.records.packed_games import game_digest, read_packed
from littlego.records.positions import position_text, read_point, read_position
from littlego.rules.geometry import Point
from littlego.rules.position import PASS, Position

HEADER = (
    "# Recorded decisions: a position and the move. A position is a board, who moves, moves left, ko point and passed; "
    "or a kept game:move number.\n"
)


class RecordError(ArgumentError):
    """Raised for an invalid file of recorded decisions.

    The message gives the mistake and, if known, the line.
    """


@dataclass(frozen=True)
class Recorded:
    """A position, with the recorded move (a point or PASS)."""

    position: Position
    move: Point


def read_decisions(path: Path = DECISIONS) -> list[Recorded]:
    """Return the recorded decisions of a file.

    Raise OSError for an unreadable file, and RecordError for an invalid line or a file that is not in UTF-8.
    """
    record = read_record(path)
    return [Recorded(position, move) for position, move in zip(record.positions(), record.moves, strict=True)]


def read_record(path: Path, games: Path = ENGINE_GAMES) -> Corpus:
    """Return the corpus of the positions and recorded moves in a file. games: the file of the stored games.

    Raise OSError for an unreadable file, and RecordError for an invalid line or a file that is not in UTF-8.
    """
    return parse_record(read_text(path), path, games)


def parse_record(text: str, name: str | Path, games: Path = ENGINE_GAMES) -> Corpus:
    """Return the corpus of the positions and recorded moves in a file's text.

    name: the name of the file, for messages. games: the file of the stored games. Raise OSError for unreadable
    games, and RecordError for an invalid line.
    """
    return _read_lines(_decision_lines(text), name, games)


def read_text(path: Path) -> str:
    """Return the text of a file of recorded decisions, with each CR LF replaced by LF.

    Raise OSError for an unreadable file, and RecordError for a file that is not in UTF-8.
    """
    try:
        return read_limited(path, LARGEST_SERIES).decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RecordError(f"{path}: not a text file: expected recorded decisions in UTF-8") from None


def _decision_lines(text: str) -> list[tuple[int, str]]:
    """Return a list of (zero-based line index, line) for the lines with a decision."""
    return [(index, line) for index, line in enumerate(text.splitlines()) if line and not line.startswith("#")]


def _read_lines(lines: Sequence[tuple[int, str]], name: str | Path, games: Path) -> Corpus:
    """Return the corpus of the positions and moves in the given lines, in order.

    name: the name of the file, for messages.
    """
    of_games = bool(lines) and GAME_NAME.match(lines[0][1])
    reader: _GameReader | _TextReader = _GameReader(games) if of_games else _TextReader()
    for index, line in lines:
        position, _, move = line.rstrip().rpartition(" ")
        try:
            reader.read(position, move)
        except ValueError as error:
            raise RecordError(f"{name}:{index + 1}: not a recorded decision: {error}") from None
    return reader.corpus()


class _TextReader:
    """A reader that parses the texts of Little-Go positions."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.moves: list[Point] = []

    def read(self, name: str, move: str) -> None:
        position = read_position(name)
        self.names.append(position_text(position))
        self.moves.append(_read_move(move, position.ruleset.size))

    def corpus(self) -> SpelledCorpus:
        return SpelledCorpus(tuple(self.names), tuple(self.moves))


class _GameReader:
    """A reader that finds match positions by name in stored games. games: the file of the stored games."""

    def __init__(self, games: Path) -> None:
        self.file = short_name(games)
        self.games = {game_digest(game)[:12]: Game(game.ruleset, game.moves) for game in read_packed(games)}
        self.places: list[tuple[Game, int]] = []
        self.moves: list[Point] = []

    def read(self, name: str, move: str) -> None:
        parts = GAME_NAME.fullmatch(name.strip())
        if parts is None:
            raise ValueError("expected GAME:NUMBER and a move, such as `0123456789ab:57 4,4`")
        game, ply = self.games.get(parts[1]), int(parts[2]) - 1
        if game is None or ply >= len(game.moves):
            raise ValueError(f"{name} is not a position of the games in {self.file}; rebuild the record")
        self.places.append((game, ply))
        self.moves.append(_read_move(move, game.ruleset.size))

    def corpus(self) -> GameCorpus:
        return GameCorpus(tuple(self.places), tuple(self.moves))


def _read_move(text: str, size: int) -> Point:
    return PASS if text == "PASS" else read_point(text, size)


def write_record(record: Corpus, path: Path = DECISIONS) -> None:
    """Atomically replace a file with a record; raise ArgumentError if the file is not writable."""
    _write(path, HEADER + "".join(_format_each(record)))


def add_decisions(record: Corpus, path: Path = DECISIONS) -> None:
    """Append decisions to a record without changing the text of existing lines.

    Raise OSError or RecordError for an unreadable record, and ArgumentError if the file is not writable.
    """
    _write(path, read_text(path).rstrip("\n") + "\n" + "".join(_format_each(record)))


def accept_moves(moves: Mapping[str, Point], path: Path = DECISIONS, games: Path = ENGINE_GAMES) -> int:
    """Replace recorded moves with new moves; return the number of changed lines.

    moves: {position name: new move}. All other lines keep their text. The file is replaced atomically. Raise OSError
    for an unreadable file, RecordError for an invalid line, and ArgumentError if the file is not writable.
    """
    text = read_text(path)
    lines, numbered = text.splitlines(keepends=True), _decision_lines(text)
    record = _read_lines(numbered, path, games)
    pairs = enumerate(zip(record.names, record.moves, strict=True))
    changed = [number for number, (name, move) in pairs if moves.get(name, move) != move]
    accepted = record.only(changed)
    accepted = accepted.with_moves([moves[name] for name in accepted.names])
    for number, line in zip(changed, _format_each(accepted), strict=True):
        lines[numbered[number][0]] = line
    if changed:
        _write(path, "".join(lines))
    return len(changed)


def copy_record(source: Path, target: Path) -> None:
    """Create the record `target` as a copy of `source`, unless `target` exists.

    Raise OSError or RecordError for an unreadable record, and ArgumentError if the copy cannot be written.
    """
    if not target.exists():
        _write(target, read_text(source))


def _write(path: Path, text: str) -> None:
    with trying_to(f"write {short_name(path)}"):
        write_text(path, text)


def _format_each(record: Corpus) -> Iterator[str]:
    for name, position, move in zip(record.names, record.positions(), record.moves, strict=True):
        yield f"{name} {move_text(move, position.ruleset.size)}\n"
