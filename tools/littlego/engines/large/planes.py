"""Pattern matching on a large board by shifted planes instead of a list of all placements.

A *plane* is the mask of all points in one state, such as empty points or points with stones of the mover. A *template*
is a pattern under one symmetry: a list of keys (plane, shift). If the plane of each key is shifted by the key's shift,
the bitwise `and` of all these planes gives the matching anchors (see `Template`). A shift may move bits into a
neighbouring row; these bits are harmless, because an anchor counts only if the pattern's whole box lies on the board.

Templates with a move form one trie, and templates without a move form another. Templates whose first keys are equal
share the tests of these keys. The placements of a pattern and their order are the same as in rules.matching.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from littlego.rules.geometry import SYMMETRIES, Mask, Point
from littlego.rules.matching import parse_shape, placements, point_bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from littlego.rules.matching import Shape

    Key = tuple[int, int]  # (plane, shift) or (LINE, mask)
    Node = tuple[int, tuple["Template", ...], tuple["Node", ...]]  # index of a key, complete templates, children
    Found = list[tuple["Template", Mask]]

OWN, THEIRS, EMPTY, NOT_THEIRS, NOT_OWN, LINE = range(6)
PLANE_OF = {"X": OWN, "O": THEIRS, ".": EMPTY, "*": EMPTY, "x": NOT_THEIRS, "o": NOT_OWN}
SELECTIVITY = {LINE: 16, OWN: 4, THEIRS: 4, EMPTY: 2, NOT_THEIRS: 1, NOT_OWN: 1}  # selective keys are tested first


class Drawn(Protocol):
    """The protocol of objects with a diagram, such as the patterns of a book."""

    @property
    def rows(self) -> Sequence[str]:
        """The diagram's rows of symbols, including the edges; a row contains no spaces."""

    @property
    def label_rows(self) -> Sequence[str]:
        """The diagram's rows of labels, in the layout of `rows`; empty if there are no labels."""


class Template(NamedTuple):
    """A pattern under one symmetry.

    The anchor is the pattern's move or, without a move, the first point that the diagram restricts or labels. If there
    is no such point, the anchor is point 0 of the board.

    pattern: the pattern's index in the book. number: the template's number, in the order of placements in
    rules.matching. anchors: the board points where the anchor may be. deltas: offsets from the anchor to each point
    that `cells` packs (the top-left corner of the box, the move, the labelled points), with None in place of a missing
    move. The packed value `cells` of a placement is base + unit * anchor.
    """

    pattern: int
    number: int
    keys: tuple[Key, ...]
    anchors: Mask
    deltas: tuple[int | None, ...]
    base: int
    unit: int

    @property
    def has_move(self) -> bool:
        """Whether the anchor is a move."""
        return self.deltas[1] is not None

    def placed(self, anchors: Mask) -> list[tuple[Point, int]]:
        """Return (anchor, cells) for each anchor in a mask, in ascending order."""
        pairs, base, unit = [], self.base, self.unit
        while anchors:
            low = anchors & -anchors
            anchors ^= low
            anchor = low.bit_length() - 1
            pairs.append((anchor, base + unit * anchor))
        return pairs

    def cells(self, anchors: Mask) -> list[int]:
        """Return the packed cells of the placement at each anchor in a mask.

        The list is in ascending order of the anchors.
        """
        return [cells for _, cells in self.placed(anchors)]


def templates_of(patterns: Sequence[Drawn], size: int) -> list[Template]:
    """Return the templates of all patterns that fit on the board, in the order of the patterns."""
    templates: list[Template] = []
    for index, pattern in enumerate(patterns):
        shape = parse_shape(pattern.rows, pattern.label_rows)
        taken: dict[object, Mask] = {}  # anchors already covered by an equivalent template
        for symmetry in range(SYMMETRIES):
            image = _image(shape.turned(symmetry), size)
            if image is None:
                templates += _once(shape, size, index, len(templates))
                break
            keys, anchors, deltas = image
            same = keys - {key for key in keys if key[0] == LINE}, deltas[1:]
            rest = anchors & ~taken.get(same, 0)
            taken[same] = taken.get(same, 0) | anchors
            if rest:
                base, unit = _packing(symmetry, deltas, point_bits(size))
                templates.append(Template(index, len(templates), tuple(keys), rest, deltas, base, unit))
    return templates


def _once(shape: Shape, size: int, index: int, number: int) -> list[Template]:
    """Return a list of one template for a shape that neither restricts nor labels a point.

    The list is empty if the shape does not fit on the board.
    """
    placed = placements(shape, size)
    if not placed:
        return []
    place = placed[0][2] >> 3 & (1 << point_bits(size)) - 1
    return [Template(index, number, (), 1, (place, None), placed[0][2], 0)]


def _image(shape: Shape, size: int) -> tuple[frozenset[Key], Mask, tuple[int | None, ...]] | None:
    """Return (keys, anchors, deltas) of a shape in its orientation.

    The result is None if the shape neither restricts nor labels a point.
    """
    cells = [((r, c), PLANE_OF[symbol]) for r, c, symbol in shape.cells if symbol in PLANE_OF]
    labels = [(r, c) for r, c, _ in shape.labels]
    moves = [(r, c) for r, c, symbol in shape.cells if symbol == "*"]
    if not cells and not labels:
        return None
    anchor = moves[0] if moves else min([point for point, _ in cells] + labels)

    def delta(point: tuple[int, int]) -> int:
        return size * (point[0] - anchor[0]) + point[1] - anchor[1]

    lines, anchors = _anchors(shape, anchor, size)
    keys = lines | {(plane, delta(point)) for point, plane in cells}
    deltas = (delta((0, 0)), 0 if moves else None, *(delta(label) for label in labels))
    return keys, anchors, deltas


def _anchors(shape: Shape, anchor: tuple[int, int], size: int) -> tuple[frozenset[Key], Mask]:
    """Return (the keys of the edges that the box must touch, a mask of the anchors where the box fits)."""
    top, bottom, left, right = shape.edges
    rows = _span(size - shape.height, top, bottom)
    columns = _span(size - shape.width, left, right)
    in_rows = sum((1 << size) - 1 << size * (row + anchor[0]) for row in rows)
    in_columns = sum(1 << column + anchor[1] for column in columns) * _first_column(size)
    lines = set()
    if top or bottom:
        lines.add((LINE, in_rows))
    if left or right:
        lines.add((LINE, in_columns))
    return frozenset(lines), in_rows & in_columns


@cache
def _first_column(size: int) -> Mask:
    """Return the mask of the first column; `bits * mask` repeats a row's bits in all rows."""
    return sum(1 << size * row for row in range(size))


def _span(free: int, first: bool, last: bool) -> range:
    """Return the possible indices of a box's first line (row or column) on the board.

    free: the number of the board's lines minus the number of the box's lines. first, last: whether the box must touch
    the first or the last line of the board.
    """
    return range(free if last else 0, 1 if first else free + 1) if free >= 0 else range(0)


def _packing(symmetry: int, deltas: Sequence[int | None], bits: int) -> tuple[int, int]:
    """Return (base, unit) such that base + unit * anchor packs a placement as in rules.matching."""
    base, unit = symmetry, 0
    for index, delta in enumerate(deltas):
        shift = 3 + bits * index
        base += ((1 << bits) - 1 if delta is None else delta) << shift
        unit += 0 if delta is None else 1 << shift
    return base, unit


class Planes:
    """The templates of a book on one board size, ready for matching."""

    __slots__ = ("size", "templates", "_keys", "_moves", "_others")

    def __init__(self, patterns: Sequence[Drawn], size: int) -> None:
        self.size = size
        self.templates = templates_of(patterns, size)
        ordered = sorted(_worth(self.templates).items(), key=lambda item: (-item[1], item[0]))
        self._keys = [key for key, _ in ordered]
        ranks = {key: rank for rank, key in enumerate(self._keys)}
        self._moves = _Trie([template for template in self.templates if template.has_move], ranks)
        self._others = _Trie([template for template in self.templates if not template.has_move], ranks)

    def found(self, own: Mask, theirs: Mask, moves: Mask) -> Found:
        """Return (template, mask of the matching anchors) for each matching template.

        The result is sorted by template number. moves: a mask of the moves to consider for templates with a move. A
        move on an occupied point never matches.
        """
        full = (1 << self.size * self.size) - 1
        planes = self._shifted(own, theirs, full)
        matches: Found = []
        for trie, start in ((self._moves, moves & full), (self._others, full)):
            if start:
                matches += [
                    (template, start & template.anchors) for template in trie.anywhere if start & template.anchors
                ]
                _walk(trie.nodes, start, planes, matches)
        matches.sort(key=_number)
        return matches

    def _shifted(self, own: Mask, theirs: Mask, full: Mask) -> list[Mask]:
        """Return, for each key, the mask of the anchors that match the key.

        The mask is a shifted plane or a LINE key's mask. A shifted plane may also contain harmless bits from a
        neighbouring row or outside the board: see the module's docstring.
        """
        planes = own, theirs, full & ~(own | theirs), full & ~theirs, full & ~own
        return [
            delta if plane == LINE else planes[plane] >> delta if delta >= 0 else planes[plane] << -delta
            for plane, delta in self._keys
        ]


def _number(found: tuple[Template, Mask]) -> int:
    return found[0].number


def _worth(templates: Iterable[Template]) -> Counter[Key]:
    """Return {key: test priority}.

    The priority is high for a key that many templates share and that matches few points.
    """
    worth: Counter[Key] = Counter()
    for template in templates:
        for key in template.keys:
            worth[key] += SELECTIVITY[key[0]]
    return worth


class _Trie:
    """A trie of templates; the path to a template consists of the sorted ranks of the template's keys.

    anywhere: the templates without keys.
    """

    __slots__ = ("anywhere", "nodes")

    def __init__(self, templates: list[Template], ranks: dict[Key, int]) -> None:
        entries = [(sorted(ranks[key] for key in template.keys), template) for template in templates]
        self.anywhere = [template for keys, template in entries if not keys]
        self.nodes = _nodes([entry for entry in entries if entry[0]], 0)


def _nodes(entries: list[tuple[list[int], Template]], depth: int) -> tuple[Node, ...]:
    """Return the trie nodes of templates that share their first `depth` keys and have more keys."""
    groups: dict[int, list[tuple[list[int], Template]]] = {}
    for entry in entries:
        groups.setdefault(entry[0][depth], []).append(entry)
    nodes = []
    for key, group in sorted(groups.items()):
        complete = tuple(template for keys, template in group if len(keys) == depth + 1)
        nodes.append((key, complete, _nodes([entry for entry in group if len(entry[0]) > depth + 1], depth + 1)))
    return tuple(nodes)


def _walk(nodes: tuple[Node, ...], mask: Mask, planes: list[Mask], found: Found) -> None:
    """Append (template, mask of its matching anchors) to `found` for each matching template below `nodes`.

    mask: the anchors to consider.
    """
    for key, complete, below in nodes:
        here = mask & planes[key]
        if here:
            for template in complete:
                if here & template.anchors:
                    found.append((template, here & template.anchors))
            if below:
                _walk(below, here, planes, found)
