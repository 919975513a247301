"""Every key of patterns.yaml, declared once: the reader obeys this, and the editors' schema is made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.ruleset import LITTLE_GO
from tools.games import match
from tools.games.sizes import LARGE_SIZES
from tools.knowledge.model import CLASSES, MATCHES, NO_MATCH, TODO_MATCH, TODO_NO_MATCH

# The kinds of values.
TEXT, NAME, CHOICE, INTEGER, FLAG, NAMES = "text", "name", "choice", "integer", "flag", "names"
DIAGRAM, SEQUENCE, LABELS, BOARD, POINT = "diagram", "sequence", "labels", "board", "point"
NUMBERS, PAIR = "numbers", "pair"
EXPRESSION, CONDITIONS = "expression", "conditions"
PATTERNS, EXAMPLES, EXAMPLE_LIST = "patterns", "examples", "example list"

NAME_SHAPE = "[a-z][a-z0-9]*(-[a-z0-9]+)*"  # of an id and of a tag, as a regular expression
MATCH = match.match_rules()
RULESETS = {LITTLE_GO.name: LITTLE_GO, MATCH.name: MATCH}
MEANINGS = {
    LITTLE_GO.name: "The course's game: 5x5, 24 moves, stones count, komi 2.5.",
    MATCH.name: f"The match: boards of {LARGE_SIZES.text}, area, prisoners and komi, superko; "
    "a pass hands over a stone.",
}
MOST_PRISONERS = 1000  # more than a game has moves
NEED_MOVE = (MATCHES, TODO_MATCH)  # an example under these keys must say which move


@dataclass(frozen=True)
class Key:
    """A key: the kind of its value, and in one sentence what it means.

    excused_by: (key, value) beside which a required key may be missing. needs: keys one of which must stand beside it.
    least, most: bounds of an integer. choices: the words allowed, each with its meaning. only: the one ruleset whose
    files have the key, '' for all.
    """

    kind: str
    meaning: str
    required: bool = False
    excused_by: tuple[str, object] | None = None
    needs: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    choices: Mapping[str, str] = field(default_factory=dict)
    only: str = ""


def keys_of(declared: Mapping[str, Key], ruleset: str) -> list[str]:
    """Return the keys, of those declared, that files for a ruleset may have."""
    return [name for name, key in declared.items() if key.only in ("", ruleset)]


FILE_KEYS = {
    "ruleset": Key(
        CHOICE,
        "The game that the patterns are for.",
        required=True,
        choices=MEANINGS,
    ),
    "shares": Key(
        TEXT,
        "Another patterns file, by its path from this one: what there names this file's ruleset under `rulesets` "
        "counts here too.",
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
    "sequence": Key(
        SEQUENCE,
        "In place of `diagram`: moves in their order, `1` to `9`, then `a` to `z`, in one drawing; each becomes a "
        "pattern of its own, named `ID-1`, `ID-2` and so on.",
        only=MATCH.name,
    ),
    "replies": Key(
        NUMBERS,
        "Which moves of the `sequence` become patterns, as `2-6` or `2, 4`; all of them if left out.",
        needs=("sequence",),
        only=MATCH.name,
    ),
    "labels": Key(
        LABELS,
        "Letters over the diagram, cell by cell, that `when` and `points` use: a point, or the chain through it.",
        needs=("diagram", "sequence"),
    ),
    "when": Key(CONDITIONS, "Conditions that must all hold where the diagram matches; each is an expression."),
    "examples": Key(EXAMPLES, "Drawn positions that prove the pattern: where it fires and where it does not.", True),
    "move": Key(
        CHOICE,
        "Only for a pattern whose move is a pass; a move on the board is the `*` of the diagram.",
        choices={"pass": "The move is a pass; the diagram, if any, has no `*`."},
    ),
    "sacrifice": Key(FLAG, "If true and the pattern leads those for its move, the safety check does not veto it."),
    "risk": Key(
        FLAG,
        "If true, the pattern counts only for a move that loses one stone, net, and is led by no higher priority: its "
        "points, below 0, are the price, and the safety check does not veto the move.",
        needs=("points",),
        only=LITTLE_GO.name,
    ),
    "forbid": Key(FLAG, "If true, the move is vetoed wherever the pattern fires, whatever speaks for it."),
    "rulesets": Key(
        NAMES, "The rulesets that the pattern serves, the file's own among them; that one alone if left out."
    ),
    "shared_points": Key(
        EXPRESSION,
        "What the move is worth where another ruleset's file shares the pattern; as `points` says if left out.",
        needs=("rulesets",),
    ),
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
        only=LITTLE_GO.name,
    ),
    "last": Key(
        POINT,
        "O's last move as `row,column`, where it matters how far it is; `previous` tells it too.",
        only=MATCH.name,
    ),
    "prisoners": Key(
        PAIR,
        "The prisoners that X and O hold, as `[2, 0]`; none if left out, but for those of O's last move where "
        "`previous` shows it.",
        most=MOST_PRISONERS,
        only=MATCH.name,
    ),
    "pass_stones": Key(FLAG, "Whether a pass hands over a stone; true if left out.", only=MATCH.name),
    "colour": Key(
        CHOICE,
        "Who moves, black if left out; X is the mover either way.",
        choices={"black": "Black moves: X is black.", "white": "White moves: X is white."},
    ),
}
