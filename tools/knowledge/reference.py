"""The reference in docs/patterns.md: its tables of symbols, keys and facts, made from the declarations.

`python -m tools.knowledge.reference` writes them anew between the page's markers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from rules.vocabulary import FACTS
from tools.files import write_text
from tools.knowledge.diagrams import EDGES, SYMBOLS
from tools.knowledge.keys import EXAMPLE_KEYS, EXAMPLES_KEYS, FILE_KEYS, PATTERN_KEYS, Key
from tools.knowledge.model import CLASSES
from tools.knowledge.programs import usage

FEW = 4  # choices that still fit beside a key
PAGE = Path(__file__).resolve().parents[2] / "docs" / "patterns.md"


def symbols() -> str:
    """Return the table of what may stand in a diagram."""
    signs = {**SYMBOLS, **EDGES}
    return _table(("symbol", "stands for"), [(f"`{sign}`", said) for sign, said in signs.items()])


def keys() -> str:
    """Return the tables of the keys of a file, a pattern and an example."""
    parts = [
        ("The file holds", FILE_KEYS),
        ("A pattern holds", PATTERN_KEYS),
        ("`examples` holds", EXAMPLES_KEYS),
        ("An example holds", EXAMPLE_KEYS),
    ]
    return "\n\n".join(f"{title}\n\n{_keys(found)}" for title, found in parts)


def _keys(declared: Mapping[str, Key]) -> str:
    rows = [(f"`{name}`", _must(key), _meaning(key)) for name, key in declared.items()]
    return _table(("key", "must", "meaning"), rows)


def _must(key: Key) -> str:
    if not key.required:
        return ""
    if key.excused_by is None:
        return "yes"
    name, value = key.excused_by
    return f"yes, but with `{name}: {str(value).lower()}`"


def _meaning(key: Key) -> str:
    bounds = f" From {key.least} to {key.most}." if key.least != key.most else ""
    return key.meaning + bounds + ("" if len(key.choices) > FEW else _choices(key))


def _choices(key: Key) -> str:
    return "".join(f" `{word}`: {meaning}" for word, meaning in key.choices.items())


def classes() -> str:
    """Return the table of classes."""
    return _table(("class", "what its patterns are about"), [(f"`{name}`", said) for name, said in CLASSES.items()])


def facts() -> str:
    """Return the table of facts: how each is called, what it promises, what it costs."""
    rows = [(f"`{usage(name)}`", meaning, str(cost)) for name, _, _, cost, meaning in FACTS]
    return _table(("fact", "value", "cost in µs, about"), rows)


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


PARTS = {"symbols": symbols, "keys": keys, "classes": classes, "facts": facts}


def refreshed(page: str) -> str:
    """Return the page with every part between `<!-- made: NAME -->` and `<!-- end -->` made anew."""

    def part(found: re.Match) -> str:
        return f"{found[1]}\n{PARTS[found[2]]()}\n{found[3]}"

    return re.sub(r"(<!-- made: (\w+) -->)\n.*?(<!-- end -->)", part, page, flags=re.DOTALL)


if __name__ == "__main__":
    write_text(PAGE, refreshed(PAGE.read_text(encoding="utf-8")))
