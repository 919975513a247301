"""Boards, patterns and decisions as SVG, for all commands; the studio's page draws its own boards.

A picture is one `<svg>` element as text, for a separate file or for a page. It contains no ids, so a page may contain
any number of pictures. Colours are presentation attributes, which style sheets can override through the classes
`go-ground`, `go-lines`, `go-black`, `go-white`, `go-move`, `go-mark`, `go-heat`, `go-text` and `go-halo`. The
background is drawn, too, so that a picture looks the same on dark and light pages. Important differences are shown by
shape, not only by colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from typing import TypeVar

from littlego.engines.draw.decisions import reason_line
from littlego.games.boards import board_rows, move_text
from littlego.games.game import last_move_of
from littlego.games.sizes import STARS_FROM, corner_line
from littlego.rules.engine import Decision
from littlego.rules.geometry import Mask, Point
from littlego.rules.matching import parse_shape
from littlego.rules.position import PASS

PITCH = 20  # SVG units between points; a point's cell is PITCH wide
HALF = PITCH // 2
RADIUS = 9  # radius of a stone in SVG units
RIM = 12  # units for coordinates, above and to the left
GROUND, LINES, INK, PAPER = "#ecd3a0", "#76592d", "#141414", "#fcfcfc"
ACCENT, LIGHT_ACCENT = "#bf2a17", "#ff9b85"  # colours of marks, and of marks on black stones
MOST_NUMBERS = 25  # most numbered moves of a decision, enough for all moves on the course's board
EVERY_EDGE = (True, True, True, True)  # top, bottom, left, right
HIDDEN = "?"  # a point where a diagram allows anything
MARKS = {  # a mark's name -> its path around the middle of a point
    "cross": "M-4.5-4.5l9 9m0-9l-9 9",
    "ring": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    "square": "M-4.5-4.5h9v9h-9z",
    "triangle": "M0-5.5l5 8.5h-10z",
    "dot": "M-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0",
}
_STAR = "M0-5V5M-4.3-2.5L4.3 2.5M-4.3 2.5L4.3-2.5"
_HALF_STONE = f"M0-{RADIUS}a{RADIUS} {RADIUS} 0 0 0 0 {2 * RADIUS}z"
_HATCH = f"l{HALF}-{HALF}m{HALF} 0l-{PITCH} {PITCH}m{HALF} 0l{HALF}-{HALF}"  # from the middle of a cell's left side
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Spot = tuple[int, int]  # row, column
T = TypeVar("T")


@dataclass(frozen=True)
class _Drawing:
    """The content of a picture: symbols of the pattern language and overlays, by (row, column)."""

    cells: Mapping[Spot, str]
    height: int
    width: int
    edges: tuple[bool, bool, bool, bool]
    texts: Mapping[Spot, str] = field(default_factory=dict)
    marks: Mapping[Spot, str] = field(default_factory=dict)
    heat: Mapping[Spot, float] = field(default_factory=dict)
    rim: int = 0

    def middle(self, spot: Spot) -> tuple[int, int]:
        """Return the SVG coordinates (x, y) of a point's centre."""
        return self.rim + HALF + PITCH * spot[1], self.rim + HALF + PITCH * spot[0]

    def having(self, symbols: str) -> list[Spot]:
        return [spot for spot, symbol in self.cells.items() if symbol in symbols]


def draw_board(
    size: int,
    black: Mask,
    white: Mask,
    *,
    move: Point | None = None,
    last: Point | None = None,
    marks: Mapping[Point, str] | None = None,
    labels: Mapping[Point, str] | None = None,
    heat: Mapping[Point, float] | None = None,
    coordinates: bool = True,
    title: str = "",
    size_px: int = 180,
) -> str:
    """Return the SVG of a board.

    black, white: masks of stones. move: the highlighted point, drawn as a disc, or as a ring on a stone. last: the last
    move, marked with a dot on its stone; no dot for PASS, None or an empty point. marks: point -> a name in MARKS.
    labels: point -> a letter or a number of up to four digits. heat: point -> 0 to 1, the strength of the point's tint.
    title: the text for screen readers and tooltips, by default the rows of the board and the move. size_px: the width
    and height on the page, in pixels.
    """
    symbols = list("".join(board_rows(size, black, white)))
    marked = dict(marks or {})
    for point, name in ((last, "dot"), (move, "ring")):
        if point is not None and point >= 0 and symbols[point] != ".":
            marked[point] = name
    if move is not None and move >= 0 and symbols[move] == ".":
        symbols[move] = "*"
    drawing = _Drawing(
        _by_spot(dict(enumerate(symbols)), size),
        size,
        size,
        EVERY_EDGE,
        texts=_by_spot(labels or {}, size),
        marks=_by_spot(marked, size),
        heat=_by_spot(heat or {}, size),
        rim=RIM if coordinates else 0,
    )
    return _svg(drawing, title or _words(size, black, white, move), size_px / (drawing.rim + PITCH * size))


def draw_pattern(rows: Sequence[str], label_rows: Sequence[str] = (), *, title: str = "", cell_px: int = 28) -> str:
    """Return the SVG of a diagram in the pattern language. cell_px: the width of a point on the page, in pixels.

    rows, label_rows: the diagram's rows of symbols, including the edges, and its rows of labels, both without spaces.
    `x` and `o` are each drawn as half a stone in a dashed ring, `?` as a hatched cell, and an edge as a thick line. A
    diagram without rows, which matches any board, is drawn as a single hatched cell.
    """
    shape = parse_shape(list(rows) or [HIDDEN], list(label_rows))
    drawing = _Drawing(
        {(row, column): symbol for row, column, symbol in shape.cells},
        shape.height,
        shape.width,
        shape.edges,
        texts={(row, column): letter for row, column, letter in shape.labels},
    )
    return _svg(drawing, title or "pattern " + (" / ".join(rows) or "of any board"), cell_px / PITCH)


def draw_decision(decision: Decision, size_px: int = 400) -> str:
    """Return the SVG of a complete decision, with the best moves numbered by rank from 1.

    A move with positive points and the chosen move's priority is tinted according to its points, unless it is a vetoed
    move other than the chosen move. At most MOST_NUMBERS moves are numbered: the chosen move and the best moves that
    are not vetoed. The chosen move is drawn as a disc. A dot marks the opponent's last move if it is known. A cross
    marks each vetoed move except the chosen move. The title, shown as a tooltip, gives the reason for the move. A pass
    is not drawn and has no number.
    """
    position, chosen = decision.position, decision.chosen
    open_moves = [
        candidate
        for candidate in decision.candidates
        if candidate.move != PASS and (not candidate.veto or candidate is chosen)
    ]
    crossed = [
        candidate.move
        for candidate in decision.candidates
        if candidate.move != PASS and candidate.veto and candidate is not chosen
    ]
    peers = [candidate for candidate in open_moves if candidate.priority == chosen.priority and candidate.points > 0]
    most = max((candidate.points for candidate in peers), default=1)
    return draw_board(
        position.ruleset.size,
        position.black,
        position.white,
        move=None if decision.move == PASS else decision.move,
        last=last_move_of(position),
        labels={candidate.move: str(number) for number, candidate in enumerate(open_moves[:MOST_NUMBERS], 1)},
        marks=dict.fromkeys(crossed, "cross"),
        heat={candidate.move: candidate.points / most for candidate in peers},
        title=reason_line(decision),
        size_px=size_px,
    )


def _by_spot(values: Mapping[Point, T], size: int) -> dict[Spot, T]:
    return {divmod(point, size): value for point, value in values.items()}


def _words(size: int, black: Mask, white: Mask, move: Point | None) -> str:
    rows = " / ".join(board_rows(size, black, white))
    return f"board {rows}" if move is None else f"board {rows}, move {move_text(move, size)}"


def _svg(drawing: _Drawing, title: str, scale: float) -> str:
    width, height = drawing.rim + PITCH * drawing.width, drawing.rim + PITCH * drawing.height
    layers = (_ground, _heat, _lines, _hidden, _stones, _half_stones, _moves, _marks, _texts, _coordinates)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="go" role="img" viewBox="0 0 {width} {height}" '
        f'width="{round(scale * width)}" height="{round(scale * height)}" font-family="sans-serif" '
        f'text-anchor="middle"><title>{_clean(title)}</title>{"".join(layer(drawing) for layer in layers)}</svg>'
    )


def _clean(text: str) -> str:
    """Return escaped text in which U+FFFD replaces characters that XML forbids."""
    return escape(_NOT_XML.sub("\ufffd", text), quote=False)


def _group(css_class: str, attributes: str, shapes: Sequence[str]) -> str:
    return f'<g class="{css_class}" {attributes}>{"".join(shapes)}</g>' if shapes else ""


def _ground(drawing: _Drawing) -> str:
    width, height = drawing.rim + PITCH * drawing.width, drawing.rim + PITCH * drawing.height
    return f'<rect class="go-ground" width="{width}" height="{height}" rx="2" fill="{GROUND}"/>'


def _bar(drawing: _Drawing, spot: Spot, cells: int = 1, attributes: str = "") -> str:
    """Return a rectangle over `cells` adjacent cells of a row, beginning with the cell at `spot`."""
    x, y = drawing.middle(spot)
    return f'<rect x="{x - HALF}" y="{y - HALF}" width="{cells * PITCH}" height="{PITCH}"{attributes}/>'


def _heat(drawing: _Drawing) -> str:
    tinted = [
        _bar(drawing, spot, attributes=f' opacity="{0.75 * min(share, 1.0):.2f}"')
        for spot, share in sorted(drawing.heat.items())
        if share > 0
    ]
    return _group("go-heat", f'fill="{ACCENT}"', tinted)


def _lines(drawing: _Drawing) -> str:
    """Return the lines and the star points of the board as SVG.

    Where the board continues beyond the drawing, the lines extend by half a cell. The lines along the board's edges are
    thick.
    """
    top, bottom, left, right = drawing.edges
    x0, y0 = drawing.middle((0, 0))
    x1, y1 = drawing.middle((drawing.height - 1, drawing.width - 1))
    north, south = y0 - HALF * (not top), y1 + HALF * (not bottom)
    west, east = x0 - HALF * (not left), x1 + HALF * (not right)
    thin = "".join(f"M{west} {y}H{east}" for y in range(y0, y1 + 1, PITCH))
    thin += "".join(f"M{x} {north}V{south}" for x in range(x0, x1 + 1, PITCH))
    thick = "".join(f"M{west} {y}H{east}" for y, is_edge in ((y0, top), (y1, bottom)) if is_edge)
    thick += "".join(f"M{x} {north}V{south}" for x, is_edge in ((x0, left), (x1, right)) if is_edge)
    edge = f'<path d="{thick}" stroke-width="3"/>' if thick else ""
    stars = "".join(f"M{x} {y}h0" for x, y in map(drawing.middle, _star_points(drawing)))
    dots = f'<path d="{stars}" stroke-width="5" stroke-linecap="round"/>' if stars else ""
    return _group("go-lines", f'stroke="{LINES}" stroke-linecap="square"', [f'<path d="{thin}"/>', edge, dots])


def _star_points(drawing: _Drawing) -> list[Spot]:
    """Return the star points of a drawing.

    Star points are near the corners, in the centre (odd sizes) and on the sides (odd sizes from 17). Only a whole board
    of size STARS_FROM or more has star points.
    """
    size = drawing.width
    if drawing.edges != EVERY_EDGE or drawing.height != size or size < STARS_FROM:
        return []
    first = corner_line(size)
    ends, middle = {first, size - 1 - first}, {size // 2} if size % 2 else set()
    corners = [(row, column) for row in sorted(ends) for column in sorted(ends)]
    sides = [(row, column) for row in sorted(ends | middle) for column in sorted(ends | middle)]
    return sides if size >= 17 else corners + [(row, row) for row in middle]


def _hidden(drawing: _Drawing) -> str:
    """Return SVG that hides the board's lines under hatching at the points that a diagram draws as `?`."""
    spots = drawing.having(HIDDEN)
    hatched = "".join(f"M{x - HALF} {y}{_HATCH}" for x, y in map(drawing.middle, spots))
    covers = [_bar(drawing, spot, width) for spot, width in _runs(spots)]
    hatch = [f'<path d="{hatched}"/>'] if hatched else []
    ground = _group("go-ground", f'fill="{GROUND}"', covers)
    return ground + _group("go-lines", f'stroke="{LINES}" opacity=".45"', hatch)


def _runs(spots: Sequence[Spot]) -> Iterator[tuple[Spot, int]]:
    """Yield (first spot, length) of each run of adjacent spots in a row. spots: in reading order."""
    for row, beside in groupby(enumerate(spots), key=lambda entry: (entry[1][0], entry[1][1] - entry[0])):
        run = [spot for _, spot in beside]
        yield (row[0], run[0][1]), len(run)


def _stones(drawing: _Drawing) -> str:
    black, white = (
        [f'<circle cx="{x}" cy="{y}" r="{RADIUS}"/>' for x, y in map(drawing.middle, drawing.having(symbol))]
        for symbol in "XO"
    )
    return _group("go-black", f'fill="{INK}"', black) + _group("go-white", f'fill="{PAPER}" stroke="{INK}"', white)


def _half_stones(drawing: _Drawing) -> str:
    return "".join(
        _group(css_class, f'fill="{fill}" stroke="{INK}"', [_half_stone(drawing, spot) for spot in spots])
        for css_class, fill, spots in (
            ("go-black", INK, drawing.having("x")),
            ("go-white", PAPER, drawing.having("o")),
        )
    )


def _half_stone(drawing: _Drawing, spot: Spot) -> str:
    x, y = drawing.middle(spot)
    ring = f'<circle r="{RADIUS}" fill="none" stroke-dasharray="3 2.6"/>'
    return f'<g transform="translate({x} {y})"><path d="{_HALF_STONE}" stroke="none"/>{ring}</g>'


def _moves(drawing: _Drawing) -> str:
    """Return the move as SVG: a disc, with a star unless the point has a label or a mark."""
    shapes = []
    for spot in drawing.having("*"):
        x, y = drawing.middle(spot)
        shapes.append(f'<circle cx="{x}" cy="{y}" r="{RADIUS - 1}"/>')
        if spot not in drawing.texts and spot not in drawing.marks:
            shapes.append(f'<path transform="translate({x} {y})" d="{_STAR}" stroke="{PAPER}" stroke-width="2"/>')
    return _group("go-move", f'fill="{ACCENT}"', shapes)


def _marks(drawing: _Drawing) -> str:
    shapes = []
    for spot, name in sorted(drawing.marks.items()):
        x, y = drawing.middle(spot)
        lighter = {"*": f' stroke="{PAPER}"', "X": f' stroke="{LIGHT_ACCENT}"'}.get(drawing.cells[spot], "")
        shapes.append(f'<path transform="translate({x} {y})" d="{MARKS[name]}"{lighter}/>')
    return _group("go-mark", f'fill="none" stroke="{ACCENT}" stroke-width="2.2"', shapes)


def _texts(drawing: _Drawing) -> str:
    """Return the letters and numbers as SVG, light on dark or dark on light.

    An outline hides the board's lines behind a text, except on the move or on a full stone.
    """
    return _group("go-text", 'font-weight="bold"', [_text(drawing, spot) for spot in sorted(drawing.texts)])


def _text(drawing: _Drawing, spot: Spot) -> str:
    (x, y), text, symbol = drawing.middle(spot), drawing.texts[spot], drawing.cells[spot]
    fill = PAPER if symbol in "X*" else INK
    halo = f' class="go-halo" stroke="{GROUND}" stroke-width="4" paint-order="stroke"' if symbol in ".?xo" else ""
    size = {2: 10, 3: 8}.get(len(text), 11 if len(text) < 2 else 6.5)
    return f'<text x="{x}" y="{y}" dy=".36em" font-size="{size}" fill="{fill}"{halo}>{_clean(text)}</text>'


def _coordinates(drawing: _Drawing) -> str:
    """Return the row and column numbers, from 0, as SVG, or '' for a picture without coordinates."""
    if not drawing.rim:
        return ""
    spots = [(0, column) for column in range(drawing.width)], [(row, 0) for row in range(drawing.height)]
    tops = [f'<text x="{drawing.middle(spot)[0]}" y="{RIM - 2}">{spot[1]}</text>' for spot in spots[0]]
    sides = [f'<text x="{HALF - 2}" y="{drawing.middle(spot)[1]}" dy=".36em">{spot[0]}</text>' for spot in spots[1]]
    return _group("go-text", f'fill="{LINES}" font-size="9"', tops + sides)
