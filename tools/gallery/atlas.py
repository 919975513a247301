"""The atlas as one HTML page: a legend, an index by class, a card a pattern, the facts that patterns ask."""

from __future__ import annotations

from collections import Counter

from rules.vocabulary import FACTS
from tools.draw import svg
from tools.draw.page import render_page, render_template
from tools.effects.coverage import COUNTS, Survey
from tools.gallery.cards import Card, cards
from tools.knowledge.diagrams import SYMBOLS
from tools.knowledge.model import CLASSES, KnowledgeBase
from tools.knowledge.problems import plural
from tools.knowledge.programs import usage

LEGEND_PX = 24  # a point of a legend's picture
EDGE = ("+-", "|."), "edges of the board"


def atlas(base: KnowledgeBase, name: str, counts: Survey | None = None) -> str:
    """Return the page for the patterns of a file of that name.

    counts: what they did in the recorded decisions; without it the page does not speak of that.
    """
    from markupsafe import Markup

    shown = list(cards(base))
    title = f"{plural(len(shown), 'pattern')} of {name}"
    body = render_template(
        "tools.gallery",
        "atlas.html",
        title=title,
        name=name,
        sections=by_class(shown),
        counts=counts,
        legend=_legend(),
        facts=_facts(shown),
        picture=Markup,
        in_play=in_play,
    )
    style, script = (render_template("tools.gallery", f"atlas.{kind}") for kind in ("css", "js"))
    return render_page(title, body, style=style, script=script)


def in_play(did: Counter) -> str:
    """Return a pattern's counts in words, those that are 0 left out."""
    return ", ".join(f"{name} {did[name]:,}" for name in COUNTS if did[name]) or "never fired"


def by_class(shown: list[Card]) -> list[tuple[str, str, list[Card]]]:
    """Return (class, its meaning, its cards) in the order in which the file first names the classes."""
    classes = dict.fromkeys(card.pattern.kind for card in shown)
    return [(kind, CLASSES[kind], [card for card in shown if card.pattern.kind == kind]) for kind in classes]


def _legend() -> list[tuple[str, str]]:
    drawn = [
        (svg.draw_pattern([symbol], cell_px=LEGEND_PX, title=symbol), meaning) for symbol, meaning in SYMBOLS.items()
    ]
    return [*drawn, (svg.draw_pattern(EDGE[0], cell_px=LEGEND_PX, title=EDGE[1]), EDGE[1])]


def _facts(shown: list[Card]) -> list[tuple[str, str, str]]:
    """Return (name, how it is called, what it promises) of the facts that the patterns ask."""
    asked = {word for card in shown for pieces in (card.points, *card.when) for word, is_fact in pieces if is_fact}
    return [(fact[0], usage(fact[0]), fact[4]) for fact in FACTS if fact[0] in asked]
