"""Every key of patterns.yaml, declared once: the reader obeys this, and the editors' schema is made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.ruleset import LITTLE_GO
from tools.knowledge.model import CLASSES, MATCHES, NO_MATCH, TODO_MATCH, TODO_NO_MATCH

# The kinds of values.
TEXT, NAME, CHOICE, INTEGER, FLAG, NAMES = "text", "name", "choice", "integer", "flag", "names"
DIAGRAM, LABELS, BOARD, POINT = "diagram", "labels", "board", "point"
EXPRESSION, CONDITIONS = "expression", "conditions"
PATTERNS, EXAMPLES, EXAMPLE_LIST = "patterns", "examples", "example list"

NAME_SHAPE = "[a-z][a-z0-9]*(-[a-z0-9]+)*"  # of an id and of a tag, as a regular expression
RULESETS = {LITTLE_GO.name: LITTLE_GO}
NEED_MOVE = (MATCHES, TODO_MATCH)  # an example under these keys must say which move


@dataclass(frozen=True)
class Key:
    """A key: the kind of its value, and in one sentence what it means.

    excused_by: (key, value) beside which a required key may be missing. needs: a key that must stand beside it.
    least, most: bounds of an integer. choices: the words allowed, each with its meaning.
    """

    kind: str
    meaning: str
    required: bool = False
    excused_by: tuple[str, object] | None = None
    needs: str = ""
    least: int = 0
    most: int = 0
    choices: Mapping[str, str] = field(default_factory=dict)


FILE_KEYS = {
    "ruleset": Key(
        CHOICE,
        "The game that the patterns are for.",
        required=True,
        choices={LITTLE_GO.name: "The course's game: 5x5, 24 moves, stones count, komi 2.5."},
    ),
    "patterns": Key(PATTERNS, "The patterns, in any order: priorities decide, not places.", required=True),
}

PATTERN_KEYS = {
    "id": Key(NAME, "The pattern's name: small letters and digits, words joined by `-`; unique, never reused.", True),
    "class": Key(CHOICE, "What the pattern is about.", True, choices=CLASSES),
    "summary": Key(TEXT, "Why the move is good, or bad, in one sentence: `explain` and the games print it.", True),
    "priority": Key(
        INTEGER,
        "What counts first: of all moves, one with the highest priority is played. Nearly all patterns stand at 500, "
        "where they are weighed by their points; a warning stands below 0.",
        required=True,
        excused_by=("forbid", True),
        least=-9999,  # below every pattern stands the pass as a last resort
        most=9999,
    ),
    "points": Key(
        EXPRESSION,
        "What the move is worth: added to the points of all its other patterns, and decides among moves of one "
        "priority. Saving a stone is worth about 40. 0 if left out.",
    ),
    "diagram": Key(
        DIAGRAM,
        "The shape, drawn as if X were to move, with one `*` for the move; all symmetries and places are tried.",
        required=True,
        excused_by=("move", "pass"),
    ),
    "labels": Key(
        LABELS,
        "Letters over the diagram, cell by cell, that `when` and `points` use: a point, or the chain through it.",
        needs="diagram",
    ),
    "when": Key(CONDITIONS, "Conditions that must all hold where the diagram matches; each is an expression."),
    "examples": Key(EXAMPLES, "Drawn positions that prove the pattern: where it fires and where it does not.", True),
    "move": Key(
        CHOICE,
        "Only for a pattern whose move is a pass; a move on the board is the `*` of the diagram.",
        choices={"pass": "The move is a pass; the diagram, if any, has no `*`."},
    ),
    "sacrifice": Key(FLAG, "If true and the pattern leads those for its move, the safety check does not veto it."),
    "forbid": Key(FLAG, "If true, the move is vetoed wherever the pattern fires, whatever speaks for it."),
    "tags": Key(NAMES, "Words to find the pattern by."),
    "doubt": Key(TEXT, "A known weakness, in one sentence."),
    "rare": Key(TEXT, "Why the pattern may stay although it decides and changes no move in the games of the tests."),
    TODO_MATCH: Key(EXAMPLE_LIST, "Examples that should match and do not today; once one passes, `test` says so."),
    TODO_NO_MATCH: Key(EXAMPLE_LIST, "Examples that should not match and do today; once one passes, `test` says so."),
}

EXAMPLES_KEYS = {
    MATCHES: Key(EXAMPLE_LIST, "Positions in which the pattern must fire for the move given.", True),
    NO_MATCH: Key(EXAMPLE_LIST, "Positions in which it must not: for the move given, or for any if none is.", True),
}

EXAMPLE_KEYS = {
    "to_play": Key(CHOICE, "Always X: the board is drawn with the mover's stones as X.", choices={"X": "The mover."}),
    "board": Key(BOARD, "The position, `X` the side to move, `O` theirs, `.` empty.", True),
    "move": Key(POINT, "The move as `row,column`, each from 0, top left first; `pass` if the pattern passes."),
    "previous": Key(
        BOARD,
        "The board before O's last move, for ko and passes: one move of O leads from it to `board`, and the same "
        "board again means that O passed.",
    ),
    "moves_left": Key(
        INTEGER,
        "Moves left in the game, the next one included: even for black, odd for white; the most that the stones "
        "allow if left out.",
        least=1,
        most=LITTLE_GO.length,
    ),
    "colour": Key(
        CHOICE,
        "Who moves, black if left out; X is the mover either way.",
        choices={"black": "Black moves: X is black.", "white": "White moves: X is white."},
    ),
}
