"""Conversion of finished games to SGF that this project and other programs can read (docs/records.md)."""

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
END = "End: "  # start of the last line of a game's comment


def record_sgf(record: GameRecord, about: str = "", start: Position | None = None, date: str = "") -> str:
    """Return a game as SGF text. about: additional text for the comment on the whole game.

    start: the initial position if the game did not begin on the empty board. date: the game's date, such as 2026-11-22;
    by default the SGF has no date, so that equal games give equal texts. A move's comment contains the move's reason,
    warning and note; the reason names points as Go programs do (`C3`). A fault is not a move, so the comment of the
    last node reports it. Opening moves fixed before the game are written like other moves, so N in `littlego explain
    FILE:N` also counts them. Invisible characters in names and comments are escaped, because other programs may have
    written these texts.
    """
    return sgf_text(record_tree(record, about, start, date))


def record_tree(record: GameRecord, about: str = "", start: Position | None = None, date: str = "") -> Node:
    """Return the root of the tree that record_sgf writes."""
    start = start or opening(record.ruleset)
    root = node = Node(_root_properties(record, start, about, date))
    for move in record.moves:
        if move.move != RESIGN:  # SGF has no resigning move; the result records the resignation
            node.children.append(Node(_move_properties(move, record.ruleset.size)))
            node = node.children[0]
    if record.fault:
        node.set_text("C", shown([node.text("C"), record.why, record.note]))
        node.properties = dict(sorted(node.properties.items()))
    return root


def shown(parts: Iterable[str]) -> str:
    """Return the texts that are not empty, one per line, with invisible characters escaped."""
    return printable("\n".join(filter(None, parts)), lines=True)


def _root_properties(record: GameRecord, start: Position, about: str, date: str) -> dict[str, list[str]]:
    """Return {name: values} of the root's properties; FF comes first, because some programs require this."""
    from importlib.metadata import version  # imported here because this import takes as long as the rest of this module

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
    """Return the seconds on each clock at the start, as text.

    The result is '' without clocks or if the players' times differ.
    """
    if record.budgets is None or record.budgets[0] != record.budgets[1]:
        return ""
    return f"{record.budgets[0]:g}"


def is_set_up(start: Position) -> bool:
    """Return whether the position differs from the game's initial position."""
    return bool(start.black | start.white or start.colour == WHITE or start.left != start.ruleset.length)


def setup_properties(start: Position) -> dict[str, list[str]]:
    """Return the SGF properties of a set-up position, or {} for the initial position.

    The properties are PL, AB, AW, HA for a handicap, and the game's own setup property.
    """
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
    """Return the texts of the comment on the whole game.

    The texts are the opening comment, `about`, and the closing comments.
    """
    return [opening_comment(start), about, *closing_comments(record, start)]


def opening_comment(start: Position) -> str:
    """Return a comment that gives the number of moves left in a set-up position.

    Return '' for other positions and for rulesets without a move limit.
    """
    return f"Set-up position; {start.left} moves left." if is_set_up(start) and start.ruleset.length else ""


def closing_comments(record: GameRecord, start: Position) -> list[str]:
    """Return the closing comments on a game.

    The comments give the game's rules, the captures (in a match, with the score), and the game's end.
    """
    return [terms_text(record.ruleset), taken_text(start, record.moves), f"{END}{record.why}"]


def terms_text(ruleset: Ruleset) -> str:
    """Return a line of text about a ruleset: the scoring, the length and the end of a game.

    The line helps readers who do not know the ruleset's name.
    """
    return f"Rules {ruleset.name}: {game_of(ruleset).terms}; no suicide."


def taken_text(start: Position, moves: Iterable[Move]) -> str:
    """Return both players' captures as text, followed by the final score in a match."""
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
    reason = with_vertices(move.reason, size)  # programs that show the game use vertices such as C3
    if move.left is not None:
        properties[f"{letter}L"] = [f"{max(move.left, 0.0):.3f}"]
    if comment := shown([reason, move.warning, move.note]):
        properties["C"] = [text_value(comment)]
    return dict(sorted(properties.items()))


def result_value(record: GameRecord) -> str:
    """Return the result in SGF notation: `B+2.5`, `W+R`, `W+T`, `W+F` or `0`.

    `R` stands for a resignation, `T` for a loss on time, `F` for any other fault, and `0` for a tie.
    """
    if record.winner == 0:
        return "0"
    winner = LETTERS[record.winner]
    if record.fault:
        return f"{winner}+{'T' if record.flagged else 'F'}"
    return f"{winner}+{'R' if record.resigned else lead_value(record.lead2)}"


def lead_value(lead2: int) -> str:
    """Return the absolute value of a lead as text, in points. lead2: the lead in half points."""
    return f"{abs(lead2) / 2:g}"
