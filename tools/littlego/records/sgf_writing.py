"""A finished game as SGF, with all that is known of it, so that other programs show it (docs/records.md)."""

from __future__ import annotations

from collections.abc import Iterable

from littlego.games.game import opening
from littlego.games.little_go import game_of
from littlego.games.vertices import with_vertices
from littlego.match.referee import COLOURS, GameRecord, Move
from littlego.printable import printable
from littlego.records.sgf import Node, point_value, point_values, sgf_text, text_value
from littlego.rules.geometry import count
from littlego.rules.position import BLACK, RESIGN, WHITE, Position
from littlego.rules.ruleset import Ruleset

LETTERS = {BLACK: "B", WHITE: "W"}
END = "End: "  # begins the last line of the comment on a game


def record_sgf(record: GameRecord, about: str = "", start: Position | None = None, date: str = "") -> str:
    """Return a game as SGF text; about: what else is to be said of the whole game.

    start: the position that it began from, where that was not the empty board. date: of the game, as 2026-11-22; no
    date stands in it otherwise, so that the same game is always the same text. The comment of a move holds its reason,
    with points named as Go programs show them (`C3`), its warning and its note; a fault, which is no move, stands in
    the last comment. The given moves of an opening are moves like all others: `littlego explain FILE:N` counts them
    too. Names and comments are text as printable has it: strangers have written them.
    """
    return sgf_text(record_tree(record, about, start, date))


def record_tree(record: GameRecord, about: str = "", start: Position | None = None, date: str = "") -> Node:
    """Return the root of the tree that record_sgf writes."""
    start = start or opening(record.ruleset)
    root = node = Node(_root_properties(record, start, about, date))
    for move in record.moves:
        if move.move != RESIGN:  # SGF has no such move: the result says it
            node.children.append(Node(_move_properties(move, record.ruleset.size)))
            node = node.children[0]
    if record.fault:
        node.set_text("C", shown([node.text("C"), record.why, record.note]))
        node.properties = dict(sorted(node.properties.items()))
    return root


def shown(parts: Iterable[str]) -> str:
    """Return texts of strangers as the lines of one comment."""
    return printable("\n".join(filter(None, parts)), lines=True)


def _root_properties(record: GameRecord, start: Position, about: str, date: str) -> dict[str, list[str]]:
    """Return them in the order of their names, FF first: some programs want it there."""
    from importlib.metadata import version  # it takes as long as all else of this module

    texts = {
        "AP": f"littlego:{version('littlego')}",
        "CA": "UTF-8",
        "DT": printable(date),
        "GC": shown(game_comments(record, start, about)),
        "GM": "1",
        "KM": f"{record.ruleset.komi2 / 2:g}",
        "PB": printable(record.players[0]),
        "PW": printable(record.players[1]),
        "RE": result_value(record),
        "RU": record.ruleset.name,
        "SZ": str(record.ruleset.size),
        "TM": _budget_value(record),
    }
    properties = {name: [text_value(text)] for name, text in texts.items() if text or name in ("PB", "PW")}
    properties.update(setup_properties(start))
    return {"FF": ["4"], **dict(sorted(properties.items()))}


def _budget_value(record: GameRecord) -> str:
    """Return the seconds that each player began with; SGF cannot say it where they differ."""
    if record.budgets is None or record.budgets[0] != record.budgets[1]:
        return ""
    return f"{record.budgets[0]:g}"


def is_set_up(start: Position) -> bool:
    """Return whether a position is another than the one before a game's first move."""
    return bool(start.black | start.white or start.colour == WHITE or start.left != start.ruleset.length)


def setup_properties(start: Position) -> dict[str, list[str]]:
    """Return the stones and the mover of a position that is set up, and what only we can read; else nothing."""
    if not is_set_up(start):
        return {}
    size, properties = start.ruleset.size, {"PL": [LETTERS[start.colour]]}
    for name, stones in (("AB", start.black), ("AW", start.white)):
        if stones:
            properties[name] = point_values(stones, size)
    if count(start.black) > 1 and not start.white and start.colour == WHITE:
        properties["HA"] = [str(count(start.black))]
    game = game_of(start.ruleset)
    if value := game.setup_value(start):
        properties[game.setup_property] = [value]
    return properties


def game_comments(record: GameRecord, start: Position, about: str) -> list[str]:
    """Return what is said of the whole game, before `about` and after it."""
    return [opening_comment(start), about, *closing_comments(record, start)]


def opening_comment(start: Position) -> str:
    """Return what is said first: moves left of a position that is set up, which other programs cannot know."""
    return f"Set up; {start.left} moves left." if is_set_up(start) and start.ruleset.length else ""


def closing_comments(record: GameRecord, start: Position) -> list[str]:
    """Return the terms of a game in words, what was taken in it, its score, and how it ended."""
    return [terms_text(record.ruleset), taken_text(start, record.moves), f"{END}{record.why}"]


def terms_text(ruleset: Ruleset) -> str:
    """Return in one line what is counted, how long a game is, what ends it: nobody else knows our rules by name."""
    return f"Rules {ruleset.name}: {game_of(ruleset).terms}; no suicide."


def taken_text(start: Position, moves: Iterable[Move]) -> str:
    """Return what both took in a game, in a match with its score as it stands in the end."""
    position, taken = start, {BLACK: 0, WHITE: 0}
    for move in moves:
        if move.move == RESIGN:
            break
        stones = count(position.theirs)
        after = position.play(move.move)
        taken[position.colour] += stones - count(after.own)
        position = after
    words = "; ".join(f"{COLOURS[colour]} took {stones}" for colour, stones in taken.items())
    return f"Captures: {words}.\n{game_of(start.ruleset).score_text(position)}".rstrip()


def _move_properties(move: Move, size: int) -> dict[str, list[str]]:
    letter = LETTERS[move.colour]
    properties = {letter: [point_value(move.move, size)]}
    reason = with_vertices(move.reason, size)  # what shows the game has no other names for points
    if move.left is not None:
        properties[f"{letter}L"] = [f"{max(move.left, 0.0):.3f}"]
    if comment := shown([reason, move.warning, move.note]):
        properties["C"] = [text_value(comment)]
    return dict(sorted(properties.items()))


def result_value(record: GameRecord) -> str:
    """Return the result as SGF spells it: `B+2.5`, `W+R` for a resignation, `W+T` for a flag, `W+F` for another fault,
    `0` for a tie."""
    if record.winner == 0:
        return "0"
    winner = LETTERS[record.winner]
    if record.fault:
        return f"{winner}+{'T' if record.flagged else 'F'}"
    resigned = bool(record.moves) and record.moves[-1].move == RESIGN
    return f"{winner}+{'R' if resigned else lead_value(record.lead2)}"


def lead_value(lead2: int) -> str:
    """Return a lead, either player's, in points. lead2: in half points."""
    return f"{abs(lead2) / 2:g}"
