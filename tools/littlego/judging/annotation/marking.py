"""Additions to SGF nodes, marked so that a later run of littlego can remove them.

The property LGAN lists the property values that littlego added to a node, except comments, each as `NAME:value`. The
lines BEGIN and END enclose littlego's part of a comment. In a node that littlego added for a variation, LGAN lists the
move. A later run removes a node that littlego added, unless the node has gained child nodes or properties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from littlego.records.sgf import Node, point_value
from littlego.records.sgf_writing import LETTERS
from littlego.rules.geometry import Point

KEPT = "LGAN"
BEGIN, END = "{littlego}", "{/littlego}"
_OURS = re.compile(rf"(?:^|\n){re.escape(BEGIN)}\n.*?\n{re.escape(END)}(?=\n|$)", re.DOTALL)
MARKUP = ("MA", "CR", "LB", "TR", "SQ")  # a point has at most one of these marks; the first in this order wins
_ALSO_MARKUP = ("SL",)
EXCLUSIVE = (("BM", "DO", "IT", "TE"), ("DM", "GB", "GW", "UC"), ("TB", "TW"))  # at most one of a group in a node
ORDER = ("BM", "DO", "IT", "TE", "GB", "GW", "HO", "N", "V", "SBKV", "SBKS", *MARKUP, "AR", "TB", "TW")


@dataclass
class Notes:
    """Additions to a node: properties with values, and lines for the node's comment."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def add(self, name: str, *values: str) -> None:
        """Add values to the property `name`."""
        self.properties.setdefault(name, []).extend(values)


def add_notes(node: Node, notes: Notes) -> None:
    """Add notes to a node that has no notes yet; omit values that conflict with the author's values."""
    added: list[str] = []
    for name in ORDER:
        values = _free_values(node, name, notes.properties.get(name, ()))
        if values:
            node.properties.setdefault(name, []).extend(values)
            added += (f"{name}:{value}" for value in values)
    if notes.lines:
        said = node.text("C")
        ours = "\n".join([BEGIN, *notes.lines, END])
        node.set_text("C", f"{said}\n{ours}" if said else ours)
    if added:
        node.properties.setdefault(KEPT, []).extend(added)


def _free_values(node: Node, name: str, values: Sequence[str]) -> list[str]:
    """Return `values` without the values that conflict with, or repeat, an existing value of the node."""
    if name in MARKUP:
        taken = {point for other in (*MARKUP, *_ALSO_MARKUP) for point in _points(node.properties, other)}
        return [value for value in dict.fromkeys(values) if value[:2] not in taken]
    rivals = next((group for group in EXCLUSIVE if name in group), (name,))
    theirs = set(rivals) & node.properties.keys() - {one.partition(":")[0] for one in node.properties.get(KEPT, ())}
    return [] if theirs and name != "AR" else [one for one in values if one not in node.properties.get(name, ())]


def _points(properties: Mapping[str, list[str]], name: str) -> set[str]:
    """Return the points that a property marks, including every point of a marked rectangle."""
    points: set[str] = set()
    for value in properties.get(name, ()):
        first, last = value[:2], value[3:5] if name != "LB" and value[2:3] == ":" else value[:2]
        if len(first) == len(last) == 2:
            columns, rows = (range(ord(min(pair)), ord(max(pair)) + 1) for pair in zip(first, last, strict=True))
            points |= {chr(column) + chr(row) for column in columns for row in rows}
    return points


def add_variation(parent: Node, moves: Sequence[tuple[int, Point]], size: int, lines: Sequence[str]) -> None:
    """Add a variation after a node, unless a child of the node already has the variation's first move.

    moves: at least one pair (colour, point or PASS). lines: the lines of the comment on the first move.
    """
    played = [(LETTERS[colour], point_value(move, size)) for colour, move in moves]
    letter, value = played[0]
    if any(value in child.properties.get(letter, ()) for child in parent.children):
        return
    node = parent
    for letter, value in played:
        child = Node({letter: [value]})
        add_notes(child, Notes(lines=list(lines) if node is parent else []))
        child.properties[KEPT] = [f"{letter}:{value}"]
        node.children.append(child)
        node = child


def remove_ours(root: Node) -> None:
    """Remove littlego's additions from a game.

    A variation move that has gained child nodes or properties stays in the game.
    """
    gone: set[Node] = set()
    for node in reversed(list(root.nodes())):  # children before their parents
        node.children = [child for child in node.children if child not in gone]
        if _strip(node) and node is not root:
            gone.add(node)


def _strip(node: Node) -> bool:
    """Remove littlego's annotations from a node; return whether the node itself can be removed.

    A node can be removed if littlego added the move and the node has no children and no other property.
    """
    kept = node.properties.pop(KEPT, [])
    said = node.text("C")
    if _OURS.search(said):
        node.set_text("C", _OURS.sub("", said).removeprefix("\n"))
    moves = [one for one in kept if one.partition(":")[0] in LETTERS.values()]
    for one in kept:
        if one not in moves:
            _take(node, one)
    return bool(moves) and not node.children and node.properties.keys() <= set(LETTERS.values())


def _take(node: Node, one: str) -> None:
    name, _, value = one.partition(":")
    values = node.properties.get(name, [])
    if value in values:
        values.remove(value)
        if not values:
            del node.properties[name]
