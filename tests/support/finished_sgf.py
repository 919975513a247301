"""A reader that restores a finished game from sgf_writing's SGF, to check that the SGF is complete."""

from __future__ import annotations

import re
from typing import NamedTuple

from littlego.games.clock import Times
from littlego.games.game import winner_of
from littlego.match.referee import GameRecord, Move, record_of
from littlego.records.main_line import main_line_of
from littlego.records.records import Played, Record, RecordError
from littlego.records.sgf import Node, SgfError, read_games
from littlego.records.sgf_writing import END, LETTERS, closing_comments, opening_comment, result_value, shown
from littlego.rules.position import BLACK, RESIGN, WHITE, Position

_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?")
_COLOURS = {letter: colour for colour, letter in LETTERS.items()}


class SgfGame(NamedTuple):
    """The arguments with which record_sgf writes the same text again."""

    record: GameRecord
    about: str
    start: Position
    date: str


def finished_game(text: str) -> SgfGame:
    """Return the game of a text that record_sgf wrote; raise RecordError for any other text.

    A move's reason, warning and note become one reason. The file has no CPU times and no seed. The moves must lead to
    the recorded result.
    """
    try:
        root = read_games(text)[0]
    except SgfError as error:
        raise RecordError(str(error)) from None
    game = main_line_of(root)
    if any(("B" in node.properties) == ("W" in node.properties) for node in list(root.main_line())[1:]):
        raise RecordError(": not a game that was written here: a node has no move, or two")
    positions = game.positions()
    over = len(positions) == len(game.moves)
    last = positions[-1].play(game.moves[-1].move) if over else positions[-1]
    record = _record(root, game, last)
    found, expected = root.text("RE"), result_value(record)
    if found != expected:
        raise RecordError(f": its result is {found[:20]!r}, but its {len(game.moves)} moves give {expected}")
    return SgfGame(record, _about(root, record, game.start), game.start, root.text("DT"))


def _record(root: Node, game: Record, last: Position) -> GameRecord:
    result, why = root.text("RE"), root.text("GC").rpartition(END)[2]
    counted = not re.fullmatch(r"[BW]\+[FRT]", result)
    winner = winner_of(last) if counted else _COLOURS[result[:1]]
    fault = BLACK + WHITE - winner if re.fullmatch(r"[BW]\+[FT]", result) else 0
    nodes = list(root.main_line())
    comment, note = nodes[-1].text("C"), ""
    if fault:
        comment, _, note = f"\n{comment}\n".partition(f"\n{why}\n")
        nodes[-1].set_text("C", comment.strip("\n"))
    moves = [_move(number, *one) for number, one in enumerate(zip(game.moves, nodes[1:], strict=True), 1)]
    if result[2:] == "R":
        moves.append(Move(len(moves) + 1, last.colour, RESIGN, 0.0, "", "", ""))
    budget = float(root.text("TM")) if _SECONDS.fullmatch(root.text("TM")) else None
    names, budgets = (root.text("PB"), root.text("PW")), None if budget is None else Times(budget, budget)
    return record_of(last, names, tuple(moves), winner, why, fault, note.strip("\n"), budgets=budgets)


def _move(number: int, played: Played, node: Node) -> Move:
    assert played.colour is not None  # SGF states the colour of every move
    left = node.text(f"{LETTERS[played.colour]}L")
    seconds = float(left) if _SECONDS.fullmatch(left) else None
    return Move(number, played.colour, played.move, 0.0, node.text("C"), "", "", seconds)


def _about(root: Node, record: GameRecord, start: Position) -> str:
    """Return the game's comment without the standard opening and closing comments."""
    said = root.text("GC")
    said = said.removeprefix(opening_comment(start)).removeprefix("\n")
    return said.removesuffix(shown(closing_comments(record, start))).removesuffix("\n")
