"""The JSON Schema of patterns.yaml for editors: completion, hover text, red lines; made from the reader's own keys.

Draft 7, since that is what every yaml-language-server understands. `markdownDescription`, `enumDescriptions`,
`defaultSnippets` and `patternErrorMessage` are its additions; other validators pass over them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from rules.ruleset import LITTLE_GO
from rules.vocabulary import FACTS
from tools.knowledge import keys, regexes
from tools.knowledge.diagrams import EDGES, SYMBOLS
from tools.knowledge.expressions import LARGEST_INTEGER
from tools.knowledge.keys import EXAMPLE_KEYS, EXAMPLES_KEYS, FILE_KEYS, NEED_MOVE, PATTERN_KEYS, Key
from tools.knowledge.model import TODO_MATCH, TODO_NO_MATCH
from tools.knowledge.programs import usage

Schema = dict[str, object]
DRAFT = "http://json-schema.org/draft-07/schema#"
_SIZE = LITTLE_GO.size


def schema_text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def schema() -> Schema:
    """Return the schema of a patterns file."""
    return {
        "$schema": DRAFT,
        "$comment": "Made by `littlego schema` from the declared keys: not edited by hand.",
        **_mapping(FILE_KEYS),
        "definitions": {
            "pattern": _pattern(),
            "examples": _mapping(EXAMPLES_KEYS),
            **{_list_name(needs_move): _example_list(needs_move) for needs_move in (True, False)},
            "expression": _expression(),
            "board": _drawing(regexes.BOARD_SYMBOLS, "X, O and .", regexes.board(_SIZE), f"{_SIZE} rows of {_SIZE}"),
        },
    }


def _mapping(declared: Mapping[str, Key]) -> Schema:
    """Return what a mapping with these keys and no others must hold."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, key in declared.items() if key.required and not key.excused_by],
        "properties": {name: {**_hover(key), **_VALUES[key.kind](name, key)} for name, key in declared.items()},
    }


def _pattern() -> Schema:
    needs = {name: [key.needs] for name, key in PATTERN_KEYS.items() if key.needs}
    rules = [*_excused(), _no_forbidden_sacrifice(), _move_on_the_board_or_pass(), _no_labels_without_rows()]
    return {**_mapping(PATTERN_KEYS), "dependencies": needs, "allOf": rules}


def _excused() -> Iterator[Schema]:
    """Yield, for each key that may be missing beside another, that it may not be missing otherwise."""
    for name, key in PATTERN_KEYS.items():
        if key.excused_by:
            yield {"if": _set(*key.excused_by), "else": {"required": [name]}}


def _set(name: str, value: object) -> Schema:
    """Return what holds where a key is there and has this value."""
    return {**_further({name: {"const": value}}), "required": [name]}


def _further(constraints: Mapping[str, Schema]) -> Schema:
    """Return what else holds of keys declared elsewhere, which editors then need not suggest a second time."""
    return {"properties": {name: {**constraint, "doNotSuggest": True} for name, constraint in constraints.items()}}


def _no_forbidden_sacrifice() -> Schema:
    said = "A forbidden move is never played: keep one of `sacrifice` and `forbid`."
    return {"if": _set("forbid", True), "then": _further({"sacrifice": {"enum": [False], "errorMessage": said}})}


def _move_on_the_board_or_pass() -> Schema:
    """Return what differs for a pattern whose move is a pass: no `*`, and its examples pass."""
    one = {"pattern": regexes.EXACTLY_ONE_MOVE, "patternErrorMessage": "Exactly one `*` marks the move."}
    none = {"pattern": regexes.NO_MOVE, "patternErrorMessage": "No `*` together with `move: pass`."}
    asks = _every_expression(regexes.NO_MOVE_ASKED, "`*` is no point where the move is a pass.")
    on_board = {
        "pattern": regexes.point(_SIZE),
        "patternErrorMessage": f"A move is `row,column`, each from 0 to {_SIZE - 1}.",
    }
    passes = {"enum": ["pass"], "errorMessage": "The pattern's move is a pass, and so are its examples'."}
    return {
        "if": _set("move", "pass"),
        "then": _further({"diagram": none, **asks, **_every_example({"move": passes})}),
        "else": _further({"diagram": one, **_every_example({"move": on_board})}),
    }


def _every_example(constraint: Schema) -> Schema:
    """Return the properties of a pattern that hold for each of its examples, in whatever list."""
    lists = {"items": _further(constraint)}
    return {"examples": _further(dict.fromkeys(EXAMPLES_KEYS, lists)), TODO_MATCH: lists, TODO_NO_MATCH: lists}


def _no_labels_without_rows() -> Schema:
    said = "A letter needs `labels: |` that says where it stands."
    unlabelled = {"not": {"required": ["labels"]}}
    return {"if": unlabelled, "then": _further(_every_expression(regexes.NO_LABEL_ASKED, said))}


def _every_expression(regex: str, said: str) -> Schema:
    """Return the properties of a pattern that hold for each of its expressions."""
    holds = {"pattern": regex, "patternErrorMessage": said}
    return {"points": holds, "when": {**holds, "items": holds}}


def _example_list(needs_move: bool) -> Schema:
    example = _mapping(EXAMPLE_KEYS)
    if needs_move:
        example["required"] = [*example["required"], "move"]
    odd = {"not": {"multipleOf": 2}, "errorMessage": "White to move has an odd number of moves left."}
    even = {"multipleOf": 2, "errorMessage": "Black to move has an even number of moves left."}
    parity = {
        "if": _set("colour", "white"),
        "then": _further({"moves_left": odd}),
        "else": _further({"moves_left": even}),
    }
    return {"type": "array", "minItems": 1, "items": {**example, "allOf": [parity]}}


def _list_name(needs_move: bool) -> str:
    return "examples that match" if needs_move else "examples that do not match"


def _reference(name: str) -> Schema:
    return {"allOf": [{"$ref": f"#/definitions/{name}"}]}


def _expression() -> Schema:
    """Return what every expression must match; a name that is no fact is told apart from all other mistakes."""
    known = {
        "pattern": regexes.known_names(),
        "patternErrorMessage": ("A word that is no fact, label or number: hover over the key for the list of facts."),
    }
    whole = {
        "pattern": regexes.expression(),
        "patternErrorMessage": (
            "Not an expression: numbers and facts, as `liberties(A)` or `line(*)`, "
            "joined by + - * comparisons and or not."
        ),
    }
    return {"if": {"type": "string"}, "then": {"allOf": [known, {"if": known, "then": whole}]}}


def _drawing(symbols: str, allowed: str, shape: str, wanted: str) -> Schema:
    return {
        "type": "string",
        "allOf": [
            {"pattern": symbols, "patternErrorMessage": f"A symbol that is not known here: draw with {allowed}."},
            {"pattern": shape, "patternErrorMessage": f"The drawing needs {wanted}."},
        ],
    }


# --- the value of each kind of key


def _text(name: str, key: Key) -> Schema:
    said = "Printable text is needed; a number, `true` or `null` in quotes."
    return {"type": "string", "pattern": regexes.TEXT, "errorMessage": said}


def _name(name: str, key: Key) -> Schema:
    said = "Small letters and digits, words joined by `-`."
    return {"type": "string", "pattern": regexes.NAME, "errorMessage": said}


def _names(name: str, key: Key) -> Schema:
    return {"type": "array", "minItems": 1, "items": _name(name, key)}


def _choice(name: str, key: Key) -> Schema:
    return {"type": "string", "enum": list(key.choices), "enumDescriptions": list(key.choices.values())}


def _integer(name: str, key: Key) -> Schema:
    return {"type": "integer", "minimum": key.least, "maximum": key.most}


def _flag(name: str, key: Key) -> Schema:
    return {"type": "boolean"}


def _diagram(name: str, key: Key) -> Schema:
    allowed = " ".join([*SYMBOLS, *EDGES])
    wanted = (
        f"rows of equal length, at most {_SIZE} by {_SIZE} points; `-` only as first or last row, `|` only as first or "
        "last column, `+` where they meet; edges on both sides only with the whole board between them"
    )
    return {**_drawing(regexes.DIAGRAM_SYMBOLS, allowed, regexes.diagram(_SIZE), wanted), **_draft("X *")}


def _labels(name: str, key: Key) -> Schema:
    allowed = "capital letters but X and O, `.`, or the diagram's own symbols"
    wanted = "rows as the diagram has, and few letters"
    return {**_drawing(regexes.LABEL_SYMBOLS, allowed, regexes.labels(_SIZE), wanted), **_draft("A .")}


def _board(name: str, key: Key) -> Schema:
    return {**_reference("board"), **_draft(*[" ".join("." * _SIZE)] * _SIZE)}


def _draft(*rows: str) -> Schema:
    """Return what an editor writes once the key is chosen: a block literal to draw on."""
    block = "".join(f"\n    {row}" for row in rows)
    return {"defaultSnippets": [{"label": "drawing", "body": f"|{block}"}]}


def _point(name: str, key: Key) -> Schema:
    return {"type": "string"}  # which text depends on the pattern's move


def _points(name: str, key: Key) -> Schema:
    bounds = {"minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER}
    facts = {"defaultSnippets": list(_fact_snippets())}
    return {"type": ["string", "integer"], **bounds, **_reference("expression"), **facts}


def _conditions(name: str, key: Key) -> Schema:
    asks = {"pattern": regexes.A_FACT, "patternErrorMessage": "A condition without a fact is always true or false."}
    facts = {"markdownDescription": _MORE[key.kind], "defaultSnippets": list(_fact_snippets())}
    condition = {"type": "string", **asks, **_reference("expression"), **facts}
    return {"type": ["array", "string"], "minItems": 1, "items": condition, **asks, **_reference("expression")}


def _fact_snippets() -> Iterator[Schema]:
    for name, _, _, _, meaning in FACTS:
        yield {"label": usage(name), "description": meaning, "body": usage(name)}


_VALUES = {
    keys.TEXT: _text,
    keys.NAME: _name,
    keys.NAMES: _names,
    keys.CHOICE: _choice,
    keys.INTEGER: _integer,
    keys.FLAG: _flag,
    keys.DIAGRAM: _diagram,
    keys.LABELS: _labels,
    keys.BOARD: _board,
    keys.POINT: _point,
    keys.EXPRESSION: _points,
    keys.CONDITIONS: _conditions,
    keys.PATTERNS: lambda name, key: {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/pattern"}},
    keys.EXAMPLES: lambda name, key: _reference("examples"),
    keys.EXAMPLE_LIST: lambda name, key: _reference(_list_name(name in NEED_MOVE)),
}


def _hover(key: Key) -> Schema:
    """Return the text that an editor shows over a key."""
    more = _MORE.get(key.kind)
    return {"description": key.meaning, "markdownDescription": f"{key.meaning}\n\n{more}" if more else key.meaning}


def _facts_table() -> str:
    rows = [f"| `{usage(name)}` | {meaning} |" for name, _, _, _, meaning in FACTS]
    return "\n".join(["| fact | what it promises |", "| --- | --- |", *rows])


def _symbols_list() -> str:
    return "\n".join(f"- `{symbol}` {meaning}" for symbol, meaning in {**SYMBOLS, **EDGES}.items())


_LANGUAGE = (
    "Numbers and facts, `+ - *`, one comparison, `and or not`, brackets. A, B: labels of chains; P: the label of a "
    "point, or `*` for the move."
)
_MORE = {
    keys.DIAGRAM: _symbols_list(),
    keys.EXPRESSION: f"{_LANGUAGE}\n\n{_facts_table()}",
    keys.CONDITIONS: f"{_LANGUAGE}\n\n{_facts_table()}",
}
