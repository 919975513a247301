"""A game record as SGF, the format that Go programs read, with our reasons as comments. Needs sgfmill."""

from __future__ import annotations

from rules.position import BLACK, PASS, RESIGN
from tools.match.referee import GameRecord, Move

_SIGNS = {BLACK: "b", BLACK + 1: "w"}


def record_sgf(record: GameRecord, about: str = "") -> str:
    """Return a game as SGF text; about: what else is to be said of the whole game.

    The comment of a move holds its reason, warning and note; a fault, which is no move, stands in the last comment.
    The given moves of an opening are moves like all others: `littlego explain FILE:N` counts them too.
    """
    from sgfmill.sgf import Sgf_game  # only whoever asks for SGF needs it

    size = record.ruleset.size
    game = Sgf_game(size=size, encoding="UTF-8")
    root = game.get_root()
    for name, value in (
        ("AP", ("littlego", "0.1")),
        ("RU", record.ruleset.name),
        ("KM", record.ruleset.komi2 / 2),
        ("PB", record.players[0]),
        ("PW", record.players[1]),
        ("RE", _result(record)),
    ):
        root.set(name, value)
    if about:
        root.set("GC", about)
    for move in record.moves:
        if move.move != RESIGN:  # SGF has no such move: the result says it
            _add(game.extend_main_sequence(), move, size)
    last = game.get_last_node()
    if record.fault:
        last.set("C", "\n".join(filter(None, [_comment_of(last), record.why, record.note])))
    return game.serialise().decode("utf-8")


def _add(node, move: Move, size: int) -> None:
    point = None if move.move == PASS else (size - 1 - move.move // size, move.move % size)  # sgfmill counts from below
    node.set_move(_SIGNS[move.colour], point)
    comment = "\n".join(filter(None, [move.reason, move.warning, move.note]))
    if comment:
        node.set("C", comment)


def _comment_of(node) -> str:
    return node.get("C") if node.has_property("C") else ""


def _result(record: GameRecord) -> str:
    """Return the result as SGF spells it: `B+2.5`, `W+R` for a resignation, `W+F` for a fault, `0` for a tie."""
    if record.winner == 0:
        return "0"
    winner = "B" if record.winner == BLACK else "W"
    if record.fault:
        return f"{winner}+F"
    resigned = bool(record.moves) and record.moves[-1].move == RESIGN
    return f"{winner}+{'R' if resigned else f'{abs(record.lead2) / 2:g}'}"
