"""Coverage as a web page: the counts of every pattern, its images and the places where it was seen."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from rules.patternfile import Pattern
from tools.draw import svg
from tools.draw.boards import turn_rows
from tools.draw.page import render_page, render_template
from tools.effects.books import Knowledge
from tools.effects.coverage import COUNTS, Survey, active_share, class_rows, remarks_on
from tools.effects.coverage_text import by_corpus
from tools.effects.images import images, places

CELL, BOARD = 14, 84  # pixels of a point in the images, and of the board with the places
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


def coverage_page(knowledge: Knowledge, found: Mapping[str, Survey], games: Survey) -> str:
    """Return the page. found: source -> survey; games: all of them that are play."""
    book, corpora = knowledge.book, by_corpus(found)
    remarks = remarks_on(book, games)
    body = render_template(
        "tools.effects",
        "coverage.html",
        name=knowledge.name,
        share=100 * active_share(book, games),
        positions=games.positions,
        classes=class_rows(book, games),
        remarks=remarks,
        counts=COUNTS,
        cards=[_card(pattern, book.size, corpora, games, remarks.get(pattern.id, "")) for pattern in book.patterns],
    )
    return render_page(f"Coverage of {knowledge.name}", body, style=STYLE)


def _card(pattern: Pattern, size: int, corpora: Mapping[str, Survey], games: Survey, remark: str) -> dict:
    seen, possible = games.places.get(pattern.id, set()), places(pattern, size)
    pictures = _images(pattern, games)
    return {
        "pattern": pattern,
        "remark": remark,
        "rows": [(name, [survey.of(pattern.id)[count] for count in COUNTS]) for name, survey in corpora.items()],
        "images": pictures,
        "images_seen": sum(was_seen for _, was_seen in pictures),
        "places": len(possible),
        "places_seen": len(seen),
        "places_picture": Markup(_places_picture(pattern, seen, possible, size)),
    }


def _images(pattern: Pattern, games: Survey) -> list[tuple[Markup, bool]]:
    """Return a picture of each image of a pattern, and whether it was seen; none for a pattern without a drawing."""
    if not pattern.rows:
        return []
    seen = games.images.get(pattern.id, set())
    return [(Markup(_image(pattern, symmetry)), symmetry in seen) for symmetry in sorted(set(images(pattern)))]


def _image(pattern: Pattern, symmetry: int) -> str:
    drawn = (turn_rows(rows, symmetry) for rows in (pattern.rows, pattern.label_rows))
    return svg.draw_pattern(*drawn, title=f"{pattern.id}, symmetry {symmetry}", cell_px=CELL)


def _places_picture(pattern: Pattern, seen: set[int], possible: set[int], size: int) -> str:
    marks = {point: "ring" for point in possible - seen}
    title = f"{pattern.id}: tinted where its corner was seen, a ring where it never was"
    heat = dict.fromkeys(seen, 1.0)
    return svg.draw_board(size, 0, 0, heat=heat, marks=marks, coordinates=False, title=title, size_px=BOARD)
