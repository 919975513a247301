"""Where patterns apply on a large board: shifted planes instead of a list of all placements.

A *plane* is a mask of the points that bear own stones, stones of theirs, or nothing ... A *template* is a pattern
under one symmetry: a list of keys (plane, shift), and `and` of the planes shifted by its keys gives all the places
where it matches, at once for the whole board. Bits that a shift carries round the end of a row do no harm: in the end
only anchors count from which the whole box lies on the board.

The templates of a book form one trie, so that what many have in common is looked at once. Which placements match, and
which of equal ones stands for them, is what rules.matching says.
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

    Key = tuple[int, int]  # a plane and how far it is shifted; or LINE and a mask
    Node = tuple[int, tuple["Template", ...], tuple["Node", ...]]  # index of a key, what is complete, what goes on
    Found = list[tuple["Template", Mask]]

OWN, THEIRS, EMPTY, NOT_THEIRS, NOT_OWN, LINE = range(6)
PLANE_OF = {"X": OWN, "O": THEIRS, ".": EMPTY, "*": EMPTY, "x": NOT_THEIRS, "o": NOT_OWN}
SELECTIVITY = {LINE: 16, OWN: 4, THEIRS: 4, EMPTY: 2, NOT_THEIRS: 1, NOT_OWN: 1}  # how much sooner a key is asked


class Drawn(Protocol):
    """What has places on a board, a pattern of a book for one: the rows of its diagram and of its labels."""

    @property
    def rows(self) -> Sequence[str]:
        """The symbols without spaces, edges included."""

    @property
    def label_rows(self) -> Sequence[str]:
        """Drawn alike; none where it has no labels."""


class Template(NamedTuple):
    """A pattern under one symmetry. The anchor is its move, or some point of it where it has none.

    pattern: its index in the book; number: the template's own, in the order in which rules.matching lists placements.
    anchors: where on the board the anchor may be. deltas: from it to each point that `cells` packs (the place, the
    move, the labelled points), None for no point. cells of a placement are base + unit * anchor.
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
        """Return (anchor, cells) of the placements at the anchors of a mask, in ascending order."""
        found, base, unit = [], self.base, self.unit
        while anchors:
            low = anchors & -anchors
            anchors ^= low
            anchor = low.bit_length() - 1
            found.append((anchor, base + unit * anchor))
        return found

    def cells(self, anchors: Mask) -> list[int]:
        """Return the `cells` of the placements at the anchors of a mask, in ascending order."""
        return [cells for _, cells in self.placed(anchors)]


def templates_of(patterns: Sequence[Drawn], size: int) -> list[Template]:
    """Return the templates of all patterns that have a place on a board of that size, in order."""
    found: list[Template] = []
    for index, pattern in enumerate(patterns):
        shape = parse_shape(pattern.rows, pattern.label_rows)
        taken: dict[object, Mask] = {}  # anchors of templates that mean the same, one of which stands for them all
        for symmetry in range(SYMMETRIES):
            image = _image(shape.turned(symmetry), size)
            if image is None:
                found += _once(shape, size, index, len(found))
                break
            keys, anchors, deltas = image
            same = keys - {key for key in keys if key[0] == LINE}, deltas[1:]
            rest = anchors & ~taken.get(same, 0)
            taken[same] = taken.get(same, 0) | anchors
            if rest:
                base, unit = _packing(symmetry, deltas, point_bits(size))
                found.append(Template(index, len(found), tuple(keys), rest, deltas, base, unit))
    return found


def _once(shape: Shape, size: int, index: int, number: int) -> list[Template]:
    """Return the template of a shape that asks nothing of any point: it applies once, or not where it has no room."""
    placed = placements(shape, size)
    if not placed:
        return []
    place = placed[0][2] >> 3 & (1 << point_bits(size)) - 1
    return [Template(index, number, (), 1, (place, None), placed[0][2], 0)]


def _image(shape: Shape, size: int) -> tuple[frozenset[Key], Mask, tuple[int | None, ...]] | None:
    """Return (keys, anchors, deltas) of a shape as it lies; None where it has no point to be anchored at."""
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
    """Return where the anchor may be: as keys, for the edges that the box must touch, and as a mask for all of it."""
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
    """Return the points of the first column; times the columns of a row, it gives these columns in all rows."""
    return sum(1 << size * row for row in range(size))


def _span(free: int, first: bool, last: bool) -> range:
    """Return where a box may begin that leaves so many lines free, if it must touch the first or the last line."""
    return range(free if last else 0, 1 if first else free + 1) if free >= 0 else range(0)


def _packing(symmetry: int, deltas: Sequence[int | None], bits: int) -> tuple[int, int]:
    """Return (base, unit) with which base + unit * anchor packs a placement as rules.matching does."""
    base, unit = symmetry, 0
    for index, delta in enumerate(deltas):
        shift = 3 + bits * index
        base += ((1 << bits) - 1 if delta is None else delta) << shift
        unit += 0 if delta is None else 1 << shift
    return base, unit


class Planes:
    """The templates of a book on one board size, ready to be asked."""

    __slots__ = ("size", "templates", "_keys", "_moves", "_others")

    def __init__(self, patterns: Sequence[Drawn], size: int) -> None:
        self.size = size
        self.templates = templates_of(patterns, size)
        ordered = sorted(_worth(self.templates).items(), key=lambda item: (-item[1], item[0]))
        self._keys = [key for key, _ in ordered]
        ranks = {key: rank for rank, key in enumerate(self._keys)}
        self._moves = _Trie([one for one in self.templates if one.has_move], ranks)
        self._others = _Trie([one for one in self.templates if not one.has_move], ranks)

    def found(self, own: Mask, theirs: Mask, moves: Mask) -> Found:
        """Return the templates that match with the mask of their anchors, in order; with a move only those in `moves`.

        A move must be empty, whatever `moves` says.
        """
        full = (1 << self.size * self.size) - 1
        planes = self._shifted(own, theirs, full)
        found: Found = []
        for trie, start in ((self._moves, moves & full), (self._others, full)):
            if start:
                found += [(one, start & one.anchors) for one in trie.anywhere if start & one.anchors]
                _walk(trie.nodes, start, planes, found)
        found.sort(key=_number)
        return found

    def _shifted(self, own: Mask, theirs: Mask, full: Mask) -> list[Mask]:
        """Return the plane of each key, shifted so that the bit of an anchor tells of the point that the key names."""
        planes = own, theirs, full & ~(own | theirs), full & ~theirs, full & ~own
        return [
            delta if plane == LINE else planes[plane] >> delta if delta >= 0 else planes[plane] << -delta
            for plane, delta in self._keys
        ]


def _number(found: tuple[Template, Mask]) -> int:
    return found[0].number


def _worth(templates: Iterable[Template]) -> Counter[Key]:
    """Return for each key how early it should be asked: where many templates have it, and where few points pass."""
    worth: Counter[Key] = Counter()
    for template in templates:
        for key in template.keys:
            worth[key] += SELECTIVITY[key[0]]
    return worth


class _Trie:
    """Templates by their keys, those with a low rank first. anywhere: those without a key."""

    __slots__ = ("anywhere", "nodes")

    def __init__(self, templates: list[Template], ranks: dict[Key, int]) -> None:
        entries = [(sorted(ranks[key] for key in template.keys), template) for template in templates]
        self.anywhere = [template for keys, template in entries if not keys]
        self.nodes = _nodes([entry for entry in entries if entry[0]], 0)


def _nodes(entries: list[tuple[list[int], Template]], depth: int) -> tuple[Node, ...]:
    """Return the nodes for templates that agree in their first `depth` keys and have more."""
    groups: dict[int, list[tuple[list[int], Template]]] = {}
    for entry in entries:
        groups.setdefault(entry[0][depth], []).append(entry)
    nodes = []
    for key, group in sorted(groups.items()):
        complete = tuple(template for keys, template in group if len(keys) == depth + 1)
        nodes.append((key, complete, _nodes([entry for entry in group if len(entry[0]) > depth + 1], depth + 1)))
    return tuple(nodes)


def _walk(nodes: tuple[Node, ...], mask: Mask, planes: list[Mask], found: Found) -> None:
    """Append what matches below some nodes at the anchors of a mask."""
    for key, complete, below in nodes:
        here = mask & planes[key]
        if here:
            for template in complete:
                if here & template.anchors:
                    found.append((template, here & template.anchors))
            if below:
                _walk(below, here, planes, found)
