"""Readers of games and boards: SGF, JSON, a match server's log, a tournament, a drawing, input.txt."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.editor.games import StudioGame, read_game
from littlego.files import read_limited
from littlego.judging.annotation.reading import read_tree
from littlego.printable import printable
from littlego.records.charsets import decode_sgf, is_sgf
from littlego.records.inputs import LARGEST_FILE, is_game, positions_in
from littlego.records.main_line import main_line_of, moved_nodes
from littlego.records.records import Record, RecordError, Remark, game_json
from littlego.records.sgf import Node
from littlego.records.sgf_writing import record_tree
from littlego.rules.position import BLACK, WHITE
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.arena.results import Result

ARENA = (".sqlite", ".db")  # file endings of a tournament
_ROW = re.compile(r"[XO.](?:/|[XO.])*/[XO./]+")
_CLOCKS = {BLACK: "BL", WHITE: "WL"}


def read_file(path: Path) -> bytes:
    """Return the contents of a file; raise ArgumentError if the file cannot be read."""
    with trying_to(f"read {printable(path.name)}"):
        return read_limited(str(path), LARGEST_FILE)


def open_game(name: str, data: bytes, ruleset: str = LITTLE_GO.name) -> StudioGame:
    """Return the game in a file's bytes; a position becomes a game without moves.

    name: the file's name, for messages. ruleset: the default ruleset for a board. Raise ArgumentError if the bytes
    contain neither a game nor a board, or exceed LARGEST_FILE.
    """
    if len(data) > LARGEST_FILE:
        raise ArgumentError(f"{name}: more than {LARGEST_FILE:,} bytes; expected one game, or one board")
    text = decode_sgf(data).text
    if "\0" in text or not text.strip():
        raise ArgumentError(f"{name}: no text; expected a drawn board, an input.txt, or a game as SGF or JSON")
    if is_game(text):
        return _of_record(name, data, text)
    if ";" in text or _ROW.match(text.strip()):
        return read_game(text if ";" in text else f"{text.strip()};", ruleset)
    return StudioGame(Record(positions_in(name, text, ruleset=ruleset)[0], []))


def _of_record(name: str, data: bytes, text: str) -> StudioGame:
    try:
        root = read_tree(name, data, only_one=False)
    except ArgumentError:
        if is_sgf(data):
            raise
        try:
            return StudioGame(game_json(text))  # the moves without additional record data
        except RecordError as error:
            raise ArgumentError(f"{name}{error}") from None
    return of_tree(name, root)


def of_tree(name: str, root: Node) -> StudioGame:
    """Return the main line of an SGF tree as a game, with the moves' comments and clocks.

    The game begins where the file last sets up stones or changes the side to move, and ends before the first invalid
    move. Raise ArgumentError if the game cannot be read at all.
    """
    try:
        record = main_line_of(root)
    except RecordError as error:
        raise ArgumentError(f"{name}{error}") from None
    part = record.since_setup()
    if part.broken:
        part = replace(
            part, remarks=(*part.remarks, Remark(f"{part.broken.lstrip(':')}; the game is read up to this error"))
        )
    if cut := len(record.moves) - len(part.moves):
        what = f"the game begins after move {cut}, where the file sets up stones or changes the player to move"
        part = replace(part, remarks=(*part.remarks, Remark(what)))
    moved = moved_nodes(root, record)[cut:]
    said = tuple(node.text("C") for node in moved)
    left = tuple(_clock(node) for node in moved)
    names = printable(root.text("PB")), printable(root.text("PW"))
    return StudioGame(part, said, left, names, printable(root.text("RE")))


def _clock(node: Node) -> float | None:
    """Return the seconds left for the player of a node's move, or None if the node has no valid time."""
    colour = BLACK if "B" in node.properties else WHITE
    found = node.text(_CLOCKS[colour]).strip()
    return float(found) if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", found) else None


def open_arena(path: Path, number: int | None) -> StudioGame | list[Result]:
    """Return the tournament game with a given number or, if `number` is None, the results of all games.

    Raise ArgumentError for an unknown number or an unreadable file.
    """
    from littlego.arena.store import Store  # lazy: this import needs SQLite and the tournament players

    with Store(path) as store:
        if number is None:
            return store.results()
        try:
            record = store.record(number)
        except KeyError:
            raise ArgumentError(f"{printable(path.name)} has no game {number}") from None
    return of_tree(printable(path.name), record_tree(record))
