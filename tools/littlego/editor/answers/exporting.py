"""Answers that export the board, the game, or a link to a pattern."""

from __future__ import annotations

from typing import Any

from littlego.editor.answers.firing import entry_of
from littlego.editor.deciders import decider_for
from littlego.editor.games import StudioGame, is_over, positions_of, read_game
from littlego.editor.links import link_to
from littlego.editor.methods import BOARD, ask
from littlego.editor.positions import explain_command, position_text, read_position
from littlego.editor.session import Session
from littlego.engines.draw.svg import draw_board
from littlego.games.boards import board_text
from littlego.match.referee import COLOURS, Move, count_out, record_of
from littlego.records.inputs import move_at
from littlego.records.records import Record
from littlego.records.sgf import sgf_text
from littlego.records.sgf_writing import record_tree
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position

WIDE = 360  # width of the picture in pixels


@ask("export", lane=BOARD)
def export(
    session: Session,
    *,
    position: str,
    move: str = "",
    game: str = "",
    players: list[str] | None = None,
    said: list[str] | None = None,
    left: list[float | None] | None = None,
) -> dict[str, Any]:
    """Return a board and its game in formats for other programs: text, SVG, SGF and a command.

    move: the move to mark, or ''. game: the game's text, or ''. players: the names of Black and White. said: the reason
    for each move. left: the seconds on the mover's clock after each move, null without a clock.

    In the answer, `text` is the board as `littlego explain` draws and reads it, and `svg` is a picture of the board.
    `sgf` is the game as SGF or, without a game, the board as setup stones. `command` is the `explain` command for the
    position, or '' if the game is over or no drawing can express the position.
    """
    ruleset = session.entries.ruleset.name
    record = read_game(game, ruleset).record if game else None
    board = _board(position, ruleset, record)
    size, black, white = board.ruleset.size, board.black, board.white
    asked = move_at(move, size, "move") if move else PASS
    point = None if asked == PASS else asked
    names = [*(players or []), "", ""]
    played = StudioGame(record or Record(board, []), tuple(said or ()), tuple(left or ()), (names[0], names[1]))
    return {
        "text": board_text(size, black, white, point),
        "svg": draw_board(size, black, white, move=point, size_px=WIDE),
        "sgf": game_sgf(played),
        "command": _explains(session, board),
    }


@ask("link")
def link(session: Session, *, pattern: str, position: str = "") -> dict[str, Any]:
    """Return a link that opens a pattern's entry and, unless `position` is '', a board.

    The keys are link (a URL's fragment) and id (the entry's id).
    """
    entry = entry_of(session, pattern)
    shared = link_to(session.entries.cut.text_of(entry), position, session.entries.ruleset.name)
    return {"link": shared.text(), "id": shared.id}


def _explains(session: Session, board: Position) -> str:
    """Return the `explain` command for a board, or '' if there is no such command.

    There is no command if the game is over or no drawing can express the position.
    """
    is_over = bool(board.ruleset.length) and not board.left
    return "" if is_over else explain_command(board, decider_for(session, board).name)


def _board(text: str, ruleset: str, record: Record | None) -> Position:
    """Return the position that `text` describes.

    If the game `record` contains the position, the result also has the earlier boards.
    """
    own = positions_of(StudioGame(record)) if record else []
    return next((one for one in own if position_text(one) == text), None) or read_position(text, ruleset)


def game_sgf(game: StudioGame) -> str:
    """Return a game as SGF, with the moves' reasons and clock times.

    The SGF has no result if the game is unfinished.
    """
    positions = positions_of(game)
    is_ended, played = is_over(game, positions), game.record.moves
    last, winner, why = positions[-1], 0, "not over yet"
    if is_ended and played[-1].move == RESIGN:
        winner, why = BLACK + WHITE - last.colour, f"{COLOURS[last.colour]} resigned"
    elif is_ended:
        winner, why = count_out(last, len(played))
    root = record_tree(record_of(last, game.players, _moves_of(game, positions), winner, why), start=game.record.start)
    if not is_ended:
        del root.properties["RE"]
    return sgf_text(root)


def _moves_of(game: StudioGame, positions: list[Position]) -> tuple[Move, ...]:
    moves = []
    for number, (before, played) in enumerate(zip(positions, game.record.moves, strict=False), 1):
        said = game.said[number - 1] if number <= len(game.said) else ""
        left = game.left[number - 1] if number <= len(game.left) else None
        moves.append(Move(number, before.colour, played.move, 0.0, said, "", "", left))
    return tuple(moves)
