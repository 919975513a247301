"""Links from the examples of a docs page to the playground."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from textwrap import dedent
from urllib.parse import quote

from littlego.editor.cutting import Cut
from littlego.editor.entries import skim
from littlego.editor.links import link_to
from littlego.engines.large import facts  # noqa: F401 - registers the facts
from littlego.engines.large.vocabulary import LargeFact
from littlego.games.match import NAME as MATCH
from littlego.knowledge.keys import EXAMPLE_KEYS, PATTERN_KEYS
from littlego.rules.facts import FACTS
from littlego.rules.ruleset import LITTLE_GO

_FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$\n?", re.MULTILINE | re.DOTALL)
_ROWS = re.compile(r"(?:^ *[XO.*](?: ?[XO.*]){4,18} *$\n?)+", re.MULTILINE)
_BOARD_SIZES = range(5, 20)


def with_links(page: str, playground: str) -> str:
    """Return a Markdown page with links to a playground.

    Each complete pattern in a YAML block gets a link. Each drawing of a whole board in any other code block gets a
    frame, which loads the playground when the reader opens it.
    """

    def linked(fence: re.Match[str]) -> str:
        indent, language, content = fence.groups()
        parts = [
            *(_link(playground, *one) for one in (patterns_in(dedent(content)) if language == "yaml" else ())),
            *(_frame(playground, *one) for one in ([] if language == "yaml" else boards_in(content))),
        ]
        return fence[0] + "".join(f"\n{indent}{part}\n" for part in parts)

    return _FENCE.sub(linked, page)


def _link(playground: str, what: str, fragment: str) -> str:
    # HTML, because MyST expects each Markdown link to lead to one of the pages
    return f'<a href="{playground}#{escape(fragment)}">Open {escape(what)} in the playground</a>'


def _frame(playground: str, what: str, fragment: str) -> str:
    frame = f'<iframe src="{playground}#embed=1&amp;{escape(fragment)}" title="{what}" loading="lazy"></iframe>'
    return f'<details class="playground"><summary>Play {what} here</summary>{frame}</details>'


def patterns_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield (id, URL fragment) of each complete pattern in an excerpt of a patterns file."""
    head = "" if re.search(r"^patterns:", text, re.MULTILINE) else "patterns:\n"
    cut = Cut(head + text, "example")
    for entry in cut.entries:
        link = link_to(cut.text_of(entry), "", _ruleset(text))
        if link.id and skim(link.pattern, "class"):  # otherwise the text is only a part of an entry
            yield link.id, f"v1={link.text()}"


def _ruleset(text: str) -> str:
    """Return the name of the ruleset that an excerpt of a patterns file belongs to.

    The result is MATCH if the excerpt names this ruleset or uses a key or a fact that only this ruleset has.
    """
    return MATCH if re.search(_match_words(), text, re.MULTILINE) else LITTLE_GO.name


@cache
def _match_words() -> str:
    """Return a regular expression that finds the ruleset MATCH, or its own keys and facts, in YAML."""
    keys = "|".join(name for name, key in {**PATTERN_KEYS, **EXAMPLE_KEYS}.items() if key.only == MATCH)
    calls = "|".join(name for name, fact in FACTS.items() if isinstance(fact, LargeFact) and fact.kinds)
    return rf"^ruleset: *{MATCH}\b|^ *(?:{keys}):|\b(?:{calls})\("


def boards_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield (`this board`, URL fragment) for each square board of 5 to 19 rows in a text.

    Boards drawn side by side are not found.
    """
    for found in _ROWS.finditer(text):
        rows = [re.sub("[ *]", lambda one: "." if one[0] == "*" else "", line) for line in found[0].splitlines()]
        size = len(rows)
        if size in _BOARD_SIZES and all(len(row) == size for row in rows):
            board = "/".join(rows) + ("" if size == LITTLE_GO.size else f" ruleset={MATCH}")
            yield "this board", f"view=board&board={quote(board, safe='/=.')}"


def linker(playground: str) -> Callable[[str], str]:
    """Return a function that adds links to a page or, without a playground, returns the page unchanged."""
    return (lambda page: with_links(page, playground)) if playground else (lambda page: page)
