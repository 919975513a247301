"""The atlas: an HTML page with a legend, an index by class, a card for each pattern, and the facts.

A card shows a pattern's texts, its diagram with the rotations and reflections, and its examples. The page lists only
the facts that the patterns use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from littlego.cli.page import render_page, render_template
from littlego.engines.draw import svg
from littlego.engines.draw.decisions import drawn_points
from littlego.engines.draw.tables import drawn_table
from littlego.games.boards import diagram_images
from littlego.judging.coverage import COUNTS, Survey
from littlego.knowledge.diagrams import SYMBOLS
from littlego.knowledge.examples import point_name
from littlego.knowledge.firing import firings_for
from littlego.knowledge.model import (
    CLASSES,
    MATCHES,
    NO_MATCH,
    TODO_MATCH,
    TODO_NO_MATCH,
    Example,
    KnowledgeBase,
    KnownPattern,
)
from littlego.knowledge.problems import plural
from littlego.knowledge.programs import usage
from littlego.knowledge.tables import Points
from littlego.knowledge.textfile import book_for
from littlego.rules.facts import FACTS
from littlego.rules.matching import parse_shape, placements
from littlego.rules.patternfile import Book
from littlego.rules.position import BLACK, PASS
from littlego.rules.programs import Table

LEGEND_PX = 24  # size of a point in a picture of the legend
EDGE = ("+-", "|."), "edges of the board"
EXAMPLE_POINT_PX = 11  # size of a point in an example on a large board
MOST_CELLS = 25  # number of cells in the largest diagram that is also drawn rotated and reflected
DIAGRAM_PX, IMAGE_PX, EXAMPLE_PX = 34, 13, 128  # sizes: a diagram's point, an image's point, an example's board
HEADINGS = {
    MATCHES: "Fires",
    NO_MATCH: "Does not fire",
    TODO_MATCH: "Should fire, but does not yet",
    TODO_NO_MATCH: "Should not fire, but still does",
}
_WORD = re.compile(r"([a-z_][a-z_0-9]*)")


def atlas_page(base: KnowledgeBase, name: str, counts: Survey | None = None) -> str:
    """Return the atlas of a file's patterns as an HTML page. name: the file's name.

    counts: the survey of the recorded decisions, or None for a page without counts.
    """
    return page_of_cards(list(cards_of(base)), name, counts)


def cards_of(base: KnowledgeBase) -> Iterator[Card]:
    """Yield the card of each pattern: first the patterns of the file, then the shared patterns."""
    return (card_of(pattern, base) for pattern in (*base.patterns, *base.shared))


def page_of_cards(cards: list[Card], name: str, counts: Survey | None = None, scripted: bool = True) -> str:
    """Return the HTML page of an atlas with the given cards: see `atlas_page`.

    scripted: whether to include the search script; False for an embedded page, in which scripts are blocked.
    """
    title = f"{plural(len(cards), 'pattern')} of {name}"
    asked = {word for card in cards for pieces in (card.points, *card.when) for word, is_fact in pieces if is_fact}
    body = render_template(
        "littlego.judging.gallery",
        "atlas.html",
        title=title,
        name=name,
        sections=group_by_class(cards),
        counts=counts,
        legend=_legend(),
        facts=[(name, usage(name), fact.promise) for name, fact in FACTS.items() if name in asked],
        picture=Markup,
        in_play=in_play,
    )
    style, script = (render_template("littlego.judging.gallery", f"atlas.{kind}") for kind in ("css", "js"))
    return render_page(title, body, style=style, script=script if scripted else "")


def in_play(did: Counter[str]) -> str:
    """Return a pattern's nonzero counts as text, or `never fired` if all counts are zero."""
    return ", ".join(f"{name} {did[name]:,}" for name in COUNTS if did[name]) or "never fired"


def group_by_class(cards: list[Card]) -> list[tuple[str, str, list[Card]]]:
    """Return (class, meaning, cards) for each class, in the order of the classes' first patterns."""
    return [
        (kind, CLASSES[kind], [card for card in cards if card.pattern.kind == kind])
        for kind in dict.fromkeys(card.pattern.kind for card in cards)
    ]


def _legend() -> list[tuple[str, str]]:
    drawn = [
        (svg.draw_pattern([symbol], cell_px=LEGEND_PX, title=symbol), meaning) for symbol, meaning in SYMBOLS.items()
    ]
    return [*drawn, (svg.draw_pattern(EDGE[0], cell_px=LEGEND_PX, title=EDGE[1]), EDGE[1])]


@dataclass(frozen=True)
class ShownExample:
    """An example as a picture with its caption.

    wrong: '' if the example has the expected result, else "fails now" or, for a todo example, "passes now". width_px:
    the picture's width.
    """

    picture: str
    caption: str
    wrong: str
    width_px: int = EXAMPLE_PX

    @property
    def is_wide(self) -> bool:
        """Whether the picture is wider than the style sheet allows for an example."""
        return self.width_px > EXAMPLE_PX


@dataclass(frozen=True)
class Card:
    """The content of a pattern's card in the atlas.

    images: pictures of the rotated and reflected diagram; [] if all pictures look alike, or if the diagram is large or
    missing. places: the number of the pattern's placements on a board of the ruleset's size, or 0 without a diagram.
    source: see _source_of. points: the expression for the points, as pairs (text, whether the text is the name of a
    fact), or []. table: the rows of the table of points, or []. when: the conditions, each as pairs like `points`.
    examples: a list of (heading, examples below the heading). words: the pattern's texts, tags and expressions in lower
    case, for the search. link: an address where the pattern can be tried, or ''.
    """

    pattern: KnownPattern
    picture: str
    images: list[str]
    places: int
    source: str
    points: list[tuple[str, bool]]
    table: list[list[str]]
    when: list[list[tuple[str, bool]]]
    examples: list[tuple[str, list[ShownExample]]]
    words: str
    link: str = ""

    @property
    def flags(self) -> list[str]:
        """Descriptions of the pattern's flags and other special properties."""
        named = {
            "forbids the move": self.pattern.forbid,
            "sacrifice": self.pattern.sacrifice,
            "price of a risk": self.pattern.risk,
            "rare": self.pattern.rare,
            "doubt": self.pattern.doubt,
        }
        return [name for name, is_so in named.items() if is_so]


def card_of(pattern: KnownPattern, base: KnowledgeBase, link: str = "") -> Card:
    """Return a pattern's card; the player's engine runs the pattern's examples. link: see Card."""
    is_small = len(parse_shape(pattern.rows).cells) <= MOST_CELLS if pattern.rows else False
    drawn = diagram_images(pattern.rows, pattern.label_rows) if is_small else []
    pictures = [svg.draw_pattern(*image, cell_px=IMAGE_PX, title=f"image {n}") for n, image in enumerate(drawn, 1)]
    points = Points.of(pattern.points_text, pattern.table)
    words = [pattern.id, pattern.kind, pattern.summary, points.line, *pattern.when_text, *pattern.tags]
    return Card(
        pattern,
        svg.draw_pattern(pattern.rows, pattern.label_rows, cell_px=DIAGRAM_PX, title=f"diagram of {pattern.id}"),
        pictures if len(pictures) > 1 else [],
        _count_places(pattern, base) if pattern.rows else 0,
        _source_of(pattern, base),
        split_expression(points.each or "0" * (not points.rows)),
        drawn_table(Table(pattern.table)) if pattern.table else [],
        [split_expression(condition) for condition in pattern.when_text],
        _show_examples(pattern, base),
        " ".join([*words, pattern.rare, pattern.doubt]).lower(),
        link,
    )


def _source_of(pattern: KnownPattern, base: KnowledgeBase) -> str:
    """Return the place of a pattern's definition, as text for the pattern's card.

    For a pattern of the atlas's own file, the text is `FILE:LINE`. For a shared pattern, the text gives the line in the
    other file and the pattern's other rulesets.
    """
    if pattern in base.patterns:
        return f"{Path(base.filename).name}:{pattern.line}"
    others = [name for name in pattern.rulesets if name != base.ruleset.name]
    return f"shared: line {pattern.line} of the file for {' and '.join(others)}, with its examples"


def _count_places(pattern: KnownPattern, base: KnowledgeBase) -> int:
    """Return the number of a pattern's placements on a board of the ruleset's size."""
    return len(placements(parse_shape(pattern.rows, pattern.label_rows), base.ruleset.size))


def split_expression(expression: str) -> list[tuple[str, bool]]:
    """Return the pieces of an expression as pairs (text, whether the text is the name of a fact)."""
    return [(piece, piece in FACTS) for piece in _WORD.split(expression) if piece]


def _show_examples(pattern: KnownPattern, base: KnowledgeBase) -> list[tuple[str, list[ShownExample]]]:
    book = book_for([pattern, *pattern.companions], base.ruleset)
    groups: dict[str, list[ShownExample]] = {}
    for example in pattern.examples:
        groups.setdefault(HEADINGS[example.kind], []).append(_show_example(pattern, example, book))
    return list(groups.items())


def _show_example(pattern: KnownPattern, example: Example, book: Book | None) -> ShownExample:
    size, position = example.ruleset.size, example.position()
    firings = firings_for(pattern, position, book)
    star = example.move if example.must_fire else None
    marks = {example.move: "cross"} if not example.must_fire and example.move not in (None, PASS) else {}
    if position.ko:
        marks[position.ko.bit_length() - 1] = "square"
    width_px = max(EXAMPLE_PX, EXAMPLE_POINT_PX * size)
    picture = svg.draw_board(
        size,
        *example.stones,
        move=star,
        marks=marks,
        labels=drawn_points(firings[star], size)[1] if star in firings else {},
        title=f"line {example.line}: {example.kind}",
        size_px=width_px,
    )
    passes = (bool(firings) if example.move is None else example.move in firings) == example.must_fire
    fault = ("passes now" if passes else "fails now") if passes == example.is_todo else ""
    return ShownExample(picture, _format_caption(example), fault, width_px)


def _format_caption(example: Example) -> str:
    position, size = example.position(), example.ruleset.size
    move = "nowhere" if example.move is None else point_name(example.move, size)
    parts = [move if example.must_fire or example.move is None else f"not {move}"]
    parts += [f"{example.moves_left} left"] if example.ruleset.length else []
    parts += [f"O's last {point_name(example.last, size)}"] if example.last is not None else []
    parts += [f"X's last {point_name(example.own_last, size)}"] if example.own_last is not None else []
    parts += [f"prisoners {example.prisoners[0]} to {example.prisoners[1]}"] if example.prisoners else []
    parts += ["X is White"] if example.colour != BLACK else []
    parts += ["after a pass"] if position.passed else []
    parts += [f"ko at {point_name(position.ko.bit_length() - 1, size)}"] if position.ko else []
    return " · ".join(parts)
