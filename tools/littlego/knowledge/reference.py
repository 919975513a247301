"""Generators of reference material: a JSON Schema for text editors, and tables for the docs.

The tables list the keys, symbols, classes and facts. The JSON Schema gives the type, the allowed values and the meaning
of each key. Editors use the schema to complete and explain keys and to underline unknown keys. `littlego check` checks
the values of the keys. The schema uses draft 7 of JSON Schema and three extensions of yaml-language-server:
`markdownDescription`, `enumDescriptions` and `defaultSnippets`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from littlego.engines.large.vocabulary import sizes_text
from littlego.knowledge import keys
from littlego.knowledge.diagrams import EDGES, SYMBOLS
from littlego.knowledge.keys import EXAMPLE_KEYS, EXAMPLES_KEYS, FILE_KEYS, NEED_MOVE, PATTERN_KEYS, POINTS_KEYS, Key
from littlego.knowledge.model import CLASSES
from littlego.knowledge.programs import facts_for, usage
from littlego.knowledge.tablereader import MOST_PHASES
from littlego.paths import HOME
from littlego.rules.facts import FACTS
from littlego.rules.ruleset import LITTLE_GO

Schema = dict[str, object]
FEW = 4  # maximum number of choices listed beside a key
PAGES = tuple(HOME / "docs" / name for name in ("patterns.md", "facts.md"))
SCHEMA = Path(__file__).with_name("patterns.schema.json")
DRAFT = "http://json-schema.org/draft-07/schema#"

# -- the tables of the page ----------------------------------------------------------------------------------------


def symbols_table() -> str:
    """Return the table of the symbols in diagrams."""
    return format_table(
        ("symbol", "meaning"), [(f"`{sign}`", meaning) for sign, meaning in {**SYMBOLS, **EDGES}.items()]
    )


def keys_tables() -> str:
    """Return a table of keys for each kind of mapping in a patterns file."""
    parts = {
        "Keys of the file:": FILE_KEYS,
        "Keys of a pattern:": PATTERN_KEYS,
        "Keys of a table of points:": POINTS_KEYS,
        "Keys of `examples`:": EXAMPLES_KEYS,
        "Keys of an example:": EXAMPLE_KEYS,
    }
    return "\n\n".join(f"{title}\n\n{_format_keys(declared)}" for title, declared in parts.items())


def _format_keys(declared: Mapping[str, Key]) -> str:
    return format_table(
        ("key", "required", "meaning"),
        [(f"`{name}`", _describe_requirement(key), _describe_meaning(key)) for name, key in declared.items()],
    )


def _describe_requirement(key: Key) -> str:
    if key.required and key.excused_by:
        name, value = key.excused_by
        return f"yes, unless `{name}: {str(value).lower()}`"
    return "yes" if key.required else ""


def _describe_meaning(key: Key) -> str:
    bounds = f" From {key.least} to {key.most}." if key.least != key.most else ""
    choices = [f" `{word}`: {meaning}" for word, meaning in key.choices.items()]
    return "".join([key.meaning, bounds, *(choices if len(choices) <= FEW else [])])


def classes_table() -> str:
    """Return the table of the classes of patterns."""
    return format_table(
        ("class", "purpose of the patterns"), [(f"`{name}`", meaning) for name, meaning in CLASSES.items()]
    )


def facts_table() -> str:
    """Return the table of the facts that exist on 5x5, with usage, value and cost."""
    return _facts_table(facts_for(LITTLE_GO.size))


def large_facts_table() -> str:
    """Return the table of the facts that exist only on some board sizes."""
    return _facts_table([name for name in FACTS if sizes_text(name)])


def _facts_table(names: Iterable[str]) -> str:
    return format_table(
        ("fact", "value", "cost in µs, about"),
        [(f"`{usage(name)}`", FACTS[name].promise, str(FACTS[name].cost)) for name in names],
    )


def format_table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


PARTS = {
    "symbols": symbols_table,
    "keys": keys_tables,
    "classes": classes_table,
    "facts": facts_table,
    "large_facts": large_facts_table,
}


def refresh(page: str) -> str:
    """Return the text of a page after regenerating every generated part.

    A generated part is between `<!-- made: NAME -->` and `<!-- end -->`. NAME: a key of PARTS.
    """
    return re.sub(
        r"(<!-- made: (\w+) -->)\n.*?(<!-- end -->)",
        lambda part: f"{part[1]}\n{PARTS[part[2]]()}\n{part[3]}",
        page,
        flags=re.DOTALL,
    )


# -- the schema for editors -------------------------------------------------------------------------------------------


def schema_text() -> str:
    """Return the content of the schema file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def schema() -> Schema:
    """Return the schema of a patterns file."""
    return {
        "$schema": DRAFT,
        "$comment": "Generated by `littlego dev schema` from the declared keys; do not edit.",
        **_mapping(FILE_KEYS),
        "definitions": {
            "pattern": {
                **_mapping(PATTERN_KEYS),
                "dependencies": {name: _one_of(key.needs) for name, key in PATTERN_KEYS.items() if key.needs},
            },
            "examples": _mapping(EXAMPLES_KEYS),
            **{_list_name(needs_move): _example_list(needs_move) for needs_move in (True, False)},
        },
    }


def _mapping(declared: Mapping[str, Key]) -> Schema:
    """Return the schema of a mapping that allows only the declared keys."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, key in declared.items() if key.required and not key.excused_by],
        "properties": {name: {**_hover(key), **_VALUES[key.kind](name, key)} for name, key in declared.items()},
    }


def _one_of(names: Sequence[str]) -> Schema | list[str]:
    """Return a schema fragment that requires at least one of the given keys."""
    return list(names) if len(names) == 1 else {"anyOf": [{"required": [name]} for name in names]}


def _hover(key: Key) -> Schema:
    """Return the schema entries with the text that an editor shows for a key."""
    more = _MORE.get(key.kind)
    return {"description": key.meaning, "markdownDescription": f"{key.meaning}\n\n{more}" if more else key.meaning}


def _example_list(needs_move: bool) -> Schema:
    required = [name for name, key in EXAMPLE_KEYS.items() if key.required] + ["move"] * needs_move
    return {"type": "array", "minItems": 1, "items": {**_mapping(EXAMPLE_KEYS), "required": required}}


def _list_name(needs_move: bool) -> str:
    return "examples that match" if needs_move else "examples that do not match"


def _drawing(*rows: str) -> Schema:
    """Return the schema of a drawing, with an editor snippet that inserts the given rows.

    The snippet inserts the rows as a block literal.
    """
    block = "".join(f"\n    {row}" for row in rows)
    return {"type": "string", "defaultSnippets": [{"label": "drawing", "body": f"|{block}"}]}


def _fact_snippets() -> list[Schema]:
    return [{"label": usage(name), "description": _promise(name), "body": usage(name)} for name in FACTS]


def _expression() -> Schema:
    return {"type": ["string", "integer"], "defaultSnippets": _fact_snippets()}


def _reference(name: str) -> Schema:
    return {"allOf": [{"$ref": f"#/definitions/{name}"}]}  # draft 7 ignores everything beside a bare $ref


_VALUES: dict[str, Callable[[str, Key], Schema]] = {
    keys.TEXT: lambda name, key: {"type": "string"},
    keys.NAME: lambda name, key: {"type": "string"},
    keys.NAMES: lambda name, key: {"type": "array", "minItems": 1, "items": {"type": "string"}},
    keys.CHOICE: lambda name, key: {
        "type": "string",
        "enum": list(key.choices),
        "enumDescriptions": list(key.choices.values()),
    },
    keys.INTEGER: lambda name, key: {"type": "integer", "minimum": key.least, "maximum": key.most},
    keys.FLAG: lambda name, key: {"type": "boolean"},
    keys.DIAGRAM: lambda name, key: _drawing("X *"),
    keys.SEQUENCE: lambda name, key: _drawing("X 1", ". 2"),
    keys.LABELS: lambda name, key: _drawing("A ."),
    keys.BOARD: lambda name, key: _drawing(*[" ".join("." * LITTLE_GO.size)] * LITTLE_GO.size),
    keys.POINT: lambda name, key: {"type": "string"},
    keys.NUMBERS: lambda name, key: {"type": ["string", "integer"]},
    keys.PAIR: lambda name, key: {
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": {"type": "integer", "minimum": key.least, "maximum": key.most},
    },
    keys.EXPRESSION: lambda name, key: _expression(),
    keys.PHASES: lambda name, key: {
        "type": "object",
        "minProperties": 1,
        "maxProperties": MOST_PHASES,
        "additionalProperties": {"type": "integer", "minimum": 1},
    },
    keys.POINTS: lambda name, key: {
        **_mapping(POINTS_KEYS),
        **_expression(),
        "type": ["string", "integer", "object"],
    },
    keys.ROW: lambda name, key: {"type": ["array", "integer"], "minItems": 1, "items": {"type": "integer"}},
    keys.CONDITIONS: lambda name, key: {
        "type": ["array", "string"],
        "minItems": 1,
        "items": {"type": "string", "defaultSnippets": _fact_snippets()},
    },
    keys.PATTERNS: lambda name, key: {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/pattern"}},
    keys.EXAMPLES: lambda name, key: _reference("examples"),
    keys.EXAMPLE_LIST: lambda name, key: _reference(_list_name(name in NEED_MOVE)),
}


def _promise(fact: str) -> str:
    """Return a fact's one-line description, with the board sizes if the fact exists only on some sizes."""
    sizes = sizes_text(fact)
    return FACTS[fact].promise + (f" (boards of {sizes})" if sizes else "")


_EXPRESSIONS = (
    "Numbers and facts, `+ - *`, comparisons, `and or not`, parentheses. A, B: labels of chains; P: the label of a "
    "point, or `*` for the move.\n\n"
) + format_table(("fact", "value"), [(f"`{usage(name)}`", _promise(name)) for name in FACTS])
_MORE = {
    keys.DIAGRAM: "\n".join(f"- `{symbol}` {meaning}" for symbol, meaning in {**SYMBOLS, **EDGES}.items()),
    keys.EXPRESSION: _EXPRESSIONS,
    keys.POINTS: _EXPRESSIONS,
    keys.CONDITIONS: _EXPRESSIONS,
}
