"""The declarations of all keys of a patterns file.

The compiler, the project's own editor, the reference pages and the JSON Schema for text editors use the declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from littlego.games import match
from littlego.games.sizes import LARGE_SIZES
from littlego.knowledge.model import CLASSES, MATCHES, NO_MATCH, TODO_MATCH, TODO_NO_MATCH
from littlego.rules.ruleset import LITTLE_GO

# The kinds of values.
TEXT, NAME, CHOICE, INTEGER, FLAG, NAMES = "text", "name", "choice", "integer", "flag", "names"
DIAGRAM, SEQUENCE, LABELS, BOARD, POINT = "diagram", "sequence", "labels", "board", "point"
NUMBERS, PAIR = "numbers", "pair"
PHASES, POINTS, ROW = "phases", "points", "row"
EXPRESSION, CONDITIONS = "expression", "conditions"
PATTERNS, EXAMPLES, EXAMPLE_LIST = "patterns", "examples", "example list"

NAME_SHAPE = "[a-z][a-z0-9]*(-[a-z0-9]+)*"  # a regular expression for ids and tags
MATCH = match.match_rules()
RULESETS = {LITTLE_GO.name: LITTLE_GO, MATCH.name: MATCH}
MEANINGS = {
    LITTLE_GO.name: "The course's game: 5x5, 24 moves, stone scoring, komi 2.5.",
    MATCH.name: f"The match: boards of size {LARGE_SIZES.text}; area scoring plus prisoners and komi; "
    "superko; a pass gives the opponent a prisoner.",
}
MOST_PRISONERS = 1000  # more than the moves of any game
NEED_MOVE = (MATCHES, TODO_MATCH)  # an example under these keys must name the move


@dataclass(frozen=True)
class Key:
    """The declaration of a key: the kind of its value, its meaning and its restrictions."""

    kind: str
    meaning: str
    required: bool = False
    excused_by: tuple[str, object] | None = None  # a (key, value) that makes a required key optional
    needs: tuple[str, ...] = ()  # keys of which at least one must accompany this key
    least: int = 0  # bounds of an integer
    most: int = 0
    choices: Mapping[str, str] = field(default_factory=dict)  # allowed words with their meanings
    only: str = ""  # the only ruleset whose files may have the key; '' for all rulesets


def keys_of(declared: Mapping[str, Key], ruleset: str) -> list[str]:
    """Return the names of the declared keys that are valid in files for a ruleset."""
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
        "The path of another patterns file, relative to this file. A pattern in that file also belongs to this "
        "file if the pattern's `rulesets` contain this file's ruleset.",
    ),
    "phases": Key(
        PHASES,
        "The phases of the game, earliest first, each with its minimum number of moves left (1 for the last phase).",
    ),
    "patterns": Key(PATTERNS, "The patterns, in any order: priorities decide, not the order.", required=True),
}

PATTERN_KEYS = {
    "id": Key(
        NAME, "The pattern's name: lowercase letters and digits, words joined by `-`; unique, never reused.", True
    ),
    "class": Key(CHOICE, "The subject of the pattern.", True, choices=CLASSES),
    "summary": Key(TEXT, "Why the move is good or bad, in one sentence. `explain` and game records print it.", True),
    "priority": Key(
        INTEGER,
        "Moves with a higher priority come first; points decide among moves with equal priority. Most patterns have "
        "priority 500; a warning has a priority below 0.",
        required=True,
        excused_by=("forbid", True),
        least=-9999,  # the built-in pass ranks below every pattern
        most=9999,
    ),
    "points": Key(
        POINTS,
        "The value of the move: a number, an expression or a table. Among moves of equal priority, the largest sum of "
        "points over all patterns decides. Saving a stone is worth about 40. The default is 0.",
    ),
    "diagram": Key(
        DIAGRAM,
        "The shape, drawn as if X were to move, with one `*` for the move. The shape matches anywhere, also "
        "rotated or reflected.",
        required=True,
        excused_by=("move", "pass"),
    ),
    "sequence": Key(
        SEQUENCE,
        "Instead of `diagram`: moves in order, `1` to `9`, then `a` to `z`, in one drawing. Each move becomes a "
        "pattern, named `ID-1`, `ID-2` and so on.",
        only=MATCH.name,
    ),
    "replies": Key(
        NUMBERS,
        "The moves of the `sequence` that become patterns, such as `2-6` or `2, 4`; the default is all moves.",
        needs=("sequence",),
        only=MATCH.name,
    ),
    "labels": Key(
        LABELS,
        "Letters aligned with the diagram, cell by cell. In `when` and `points`, a letter means its point or its "
        "chain.",
        needs=("diagram", "sequence"),
    ),
    "when": Key(CONDITIONS, "Conditions, each an expression. The pattern fires only if all conditions are true."),
    "examples": Key(EXAMPLES, "Drawn positions that test when the pattern fires and when it does not.", True),
    "move": Key(
        CHOICE,
        "Only for a pattern that passes; otherwise the `*` of the diagram is the move.",
        choices={"pass": "The move is a pass; the diagram, if any, has no `*`."},
    ),
    "sacrifice": Key(FLAG, "If true and the pattern leads its move, a loss of stones does not veto the move."),
    "risk": Key(
        FLAG,
        "If true, the points (below 0) count only for a move that loses one stone net and for which no pattern of a "
        "higher priority fires. If the points count, the safety check does not veto the move.",
        needs=("points",),
        only=LITTLE_GO.name,
    ),
    "forbid": Key(FLAG, "If true, the move is vetoed wherever the pattern fires, whatever other patterns fire."),
    "rulesets": Key(NAMES, "The rulesets that the pattern is for, including the file's own ruleset (the default)."),
    "shared_points": Key(
        EXPRESSION,
        "The value of the move in files of other rulesets that share the pattern; the default is `points`.",
        needs=("rulesets",),
    ),
    "tags": Key(NAMES, "Words for searching."),
    "doubt": Key(TEXT, "A known weakness, in one sentence."),
    "rare": Key(TEXT, "Why the file keeps the pattern although the pattern decides no move in the test games."),
    TODO_MATCH: Key(
        EXAMPLE_LIST,
        "Positions in which the pattern should fire, but does not yet; `test` reports an example that passes.",
    ),
    TODO_NO_MATCH: Key(
        EXAMPLE_LIST,
        "Positions in which the pattern should not fire, but still does; `test` reports an example that passes.",
    ),
}

POINTS_KEYS = {
    "each": Key(EXPRESSION, "An expression, such as `9 * size(A)`, whose value is added to the table's number."),
    "black": Key(ROW, "Black's numbers, one for each phase, or a single number for all phases.", True),
    "white": Key(ROW, "White's numbers.", True),
}

EXAMPLES_KEYS = {
    MATCHES: Key(EXAMPLE_LIST, "Positions in which the pattern must fire for the given move.", True),
    NO_MATCH: Key(
        EXAMPLE_LIST,
        "Positions in which the pattern must not fire for the given move or, without `move`, for any move.",
        True,
    ),
}

EXAMPLE_KEYS = {
    "to_play": Key(CHOICE, "Always X: the board is drawn with the mover's stones as X.", choices={"X": "The mover."}),
    "board": Key(BOARD, "The position: `X` for the side to move, `O` for the opponent, `.` for an empty point.", True),
    "move": Key(POINT, "The move as `row,column`, counted from 0 at the top left; `pass` if the pattern passes."),
    "previous": Key(
        BOARD,
        "The board before O's last move, for ko and passes. One move of O must lead to `board`; if the boards are "
        "equal, O passed.",
    ),
    "moves_left": Key(
        INTEGER,
        "Moves left in the game, including the next move: even for black, odd for white. The default is the "
        "maximum that the stones allow.",
        least=1,
        most=LITTLE_GO.length,
        only=LITTLE_GO.name,
    ),
    "last": Key(
        POINT,
        "O's last move as `row,column`, for facts about this move; not allowed with `previous`.",
        only=MATCH.name,
    ),
    "own_last": Key(
        POINT,
        "X's last move as `row,column`, for facts about this move; omit a pass or an unknown move.",
        only=MATCH.name,
    ),
    "prisoners": Key(
        PAIR,
        "The prisoners that X and O hold, such as `[2, 0]`. The default is `[0, 0]`, plus the prisoners from "
        "O's last move if `previous` shows this move.",
        most=MOST_PRISONERS,
        only=MATCH.name,
    ),
    "pass_stones": Key(FLAG, "Whether a pass gives the opponent a prisoner; the default is true.", only=MATCH.name),
    "colour": Key(
        CHOICE,
        "The colour to move; the default is black. X is the mover in both cases.",
        choices={"black": "Black moves: X is black.", "white": "White moves: X is white."},
    ),
}
