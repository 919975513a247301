"""The coverage of a patterns file as a web page.

The page shows a summary, the classes of patterns, the remarks, and a card for each pattern.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from littlego.cli.page import render_page, render_template
from littlego.engines.draw import svg
from littlego.games.boards import turn_rows
from littlego.judging.corpora import corpora_of
from littlego.judging.coverage import (
    COUNTS,
    Survey,
    active_share,
    class_rows,
    format_kinds,
    group_by_corpus,
    image_numbers,
    possible_places,
    remarks_on,
)
from littlego.knowledge.files import Knowledge
from littlego.rules.patternfile import Pattern

IMAGE_CELL, PLACES_BOARD = 14, 84  # sizes in pixels: a point of a drawing, and the board with the places
STYLE = """
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 23rem), 1fr)); }
.card h3 { margin: 0 0 .25rem; }
.card p { margin: 0 0 .5rem; }
.card table { width: 100%; font-size: .8125rem; line-height: 1.35; }
.card td, .card th { padding: .125rem .25rem; overflow-wrap: normal; }
.card thead th { position: static; background: none; }
.card .pictures { margin-top: .5rem; flex-wrap: nowrap; }
.card .images { gap: .375rem; margin: 0 0 .25rem; flex-wrap: wrap; }
.unseen { opacity: .3; outline: 1px dashed currentColor; }
"""


def coverage_page(knowledge: Knowledge, surveys: Mapping[str, Survey], games: Survey) -> str:
    """Return the web page about the coverage of patterns.

    surveys: {source: survey}. games: see total_in_play.
    """
    book, corpora = knowledge.book, group_by_corpus(surveys)
    remarks = remarks_on(book, games)
    size = corpora_of(knowledge.ruleset).board_size
    cards = [_page_card(pattern, size, corpora, games, remarks.get(pattern.id, "")) for pattern in book.patterns]
    body = render_template(
        "littlego.judging",
        "coverage.html",
        name=knowledge.name,
        share=100 * active_share(book, games),
        positions=games.positions,
        kinds=format_kinds(games),
        classes=class_rows(book, games),
        remarks=remarks,
        counts=COUNTS,
        cards=cards,
    )
    return render_page(f"Coverage of {knowledge.name}", body, style=STYLE)


def _page_card(
    pattern: Pattern, size: int, corpora: Mapping[str, Survey], games: Survey, remark: str
) -> dict[str, Any]:
    seen, possible = games.places.get(pattern.id, set()), possible_places(pattern, size) if size else set()
    pictures = _image_pictures(pattern, games)
    return {
        "pattern": pattern,
        "remark": remark,
        "rows": [(name, [survey.of(pattern.id)[count] for count in COUNTS]) for name, survey in corpora.items()],
        "images": pictures,
        "images_seen": sum(was_seen for _, was_seen in pictures),
        "places": len(possible),
        "places_seen": len(seen),
        "places_picture": Markup(_draw_places(pattern, seen, possible, size)) if size else "",
    }


def _image_pictures(pattern: Pattern, games: Survey) -> list[tuple[Markup, bool]]:
    """Return (picture, whether the image fired in the games) for each distinct image of a pattern."""
    if not pattern.rows:
        return []
    seen = games.images.get(pattern.id, set())
    numbers = sorted(set(image_numbers(pattern)))
    return [(Markup(_draw_image(pattern, number)), number in seen) for number in numbers]


def _draw_image(pattern: Pattern, symmetry: int) -> str:
    rows, labels = (turn_rows(rows, symmetry) for rows in (pattern.rows, pattern.label_rows))
    return svg.draw_pattern(rows, labels, title=f"{pattern.id}, symmetry {symmetry}", cell_px=IMAGE_CELL)


def _draw_places(pattern: Pattern, seen: set[int], possible: set[int], size: int) -> str:
    marks = {point: "ring" for point in possible - seen}
    title = f"{pattern.id}: places of the drawing's top-left corner; tinted: fired here; ringed: never fired here"
    heat = dict.fromkeys(seen, 1.0)
    return svg.draw_board(size, 0, 0, heat=heat, marks=marks, coordinates=False, title=title, size_px=PLACES_BOARD)
