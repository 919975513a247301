"""The SGF format: a tolerant reader of game trees, and a writer.

Other modules, such as littlego.records.main_line, interpret the properties. The reader corrects known faults of
SGF-writing programs if the meaning is certain: text before the game, an unescaped `]` in a comment, property names with
lower-case letters. The reader skips all other text that is not SGF; a warning gives the line and the column. Where the
reader cannot continue, it keeps the nodes read so far. The format is SGF FF[4] (red-bean.com/sgf).

No library both corrects faults and reports line numbers: sgfmill reports no line numbers and stops at the first fault,
and pysgf guesses silently. The tests compare this reader with both libraries and with the reader of Sabaki.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from littlego.rules.geometry import Mask, Point, points_of
from littlego.rules.position import PASS

MOST_WARNINGS = 20  # maximum number of warnings about a game
MOST_NODES = (
    50_000  # maximum number of nodes in a game tree: a game has a few hundred, a thorough review a few thousand
)
WIDTH = 79  # maximum bytes of a line, unless a value is longer
# The start of a game. Some programs omit the root's semicolon, but all programs give the root properties.
START = re.compile(r"\(\s*(?:;|(?=(?:AB|AP|AW|CA|DT|EV|FF|GM|GN|KM|PB|PW|SZ|TE)\s*\[))")
_TO_BRACKET = re.compile(r"(?:\\.|[^\\\]])*\]", re.DOTALL)
# Some programs use private property names with a dot, an underscore or digits: `.AB` is not AB.
_NAME = re.compile(r"([A-Za-z0-9_.]{1,40})\s*(?=\[)", re.ASCII)
# Possible continuations after a value: a value, a property, a node, the start or end of a variation, the end of the
# file.
_FOLLOWS = re.compile(r"\s*(?:[\[();]|[A-Z][A-Za-z]{0,20}\s*\[|\.[A-Z]{1,4}\[|\Z)")
# The places at which reading resumes after text that is not SGF.
_RESUME = re.compile(r"[;()]|(?<![A-Za-z0-9_.])[A-Z]{1,2}\[")
_MOVE_NODE = re.compile(r"\s*;\s*[BW]\s*\[")
_ENDS_WITH_MOVE = re.compile(r";\s*[BW]\[(?:[A-Za-z]{2})?\]\Z")
_BETWEEN = re.compile(r"\s*")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_BARE_BRACKET = re.compile(r"(\\.)|\]", re.DOTALL)
_VALUES_GLUED = re.compile(r"\]\s*\[")
_PARENTHESES = str.maketrans("[]", "()")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TEXTS = ("C", "GC", "N", "PB", "PW")  # properties in which an unescaped `] [` splits a value
# Properties whose values are moves, points or numbers: an unescaped `]` ends each of them.
_NO_TEXTS = frozenset(
    re.findall(
        r"\w+",
        "B W AB AW AE PL SZ GM FF HA KM TR SQ MA CR SL DD TB TW VW TM BL WL OB OW MN CA ST LGML",
    )
)
_PASSES = ("", "``", "pass")  # the standard's spelling, and spellings by some programs


class SgfError(ValueError):
    """Raised for a text that cannot be read as SGF.

    The message begins with `: `, or with the place as `:LINE: ` or `:LINE:COLUMN: `, so that callers can prepend the
    file's name.
    """


class SgfWarning(NamedTuple):
    """A fault that the reader corrected or skipped.

    line, column: one-based; line 0 means the whole file.
    """

    text: str
    line: int
    column: int


class Node:
    """A node of a game tree: its properties with escaped values.

    line, column: the node's place in the file, or 0 if unknown. broken: why the file cannot be read beyond this node,
    as the message of an SgfError; otherwise ''.
    """

    __slots__ = ("properties", "line", "column", "children", "broken")

    def __init__(self, properties: dict[str, list[str]] | None = None, line: int = 0, column: int = 0) -> None:
        self.properties = properties or {}
        self.line = line
        self.column = column
        self.children: list[Node] = []
        self.broken = ""

    def text(self, name: str) -> str:
        """Return a property's text, or '' if it is missing; restore each unescaped `] [` of a text."""
        values = self.properties.get(name, [])
        return "] [".join(map(unescape, values if name in _TEXTS else values[:1]))

    def set_text(self, name: str, text: str) -> None:
        """Set a property to a single text; see text_value. An empty text removes the property."""
        if text:
            self.properties[name] = [text_value(text)]
        else:
            self.properties.pop(name, None)

    def main_line(self) -> Iterator[Node]:
        """Yield this node and the later nodes of the main line.

        The main line continues with the first child of each node.
        """
        node = self
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]

    def nodes(self) -> Iterator[Node]:
        """Yield this node and all its descendants."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class Root(Node):
    """A game's first node, with the reader's warnings about the game."""

    __slots__ = ("warnings",)

    def __init__(self, warnings: list[SgfWarning], line: int = 0, column: int = 0) -> None:
        super().__init__(None, line, column)
        self.warnings = warnings


def read_games(text: str) -> list[Root]:
    """Return the root of each game in a text.

    Raise SgfError if there is no game, a root cannot be read, or a game has more than MOST_NODES nodes.
    """
    start = START.search(text)
    if start is None:
        raise SgfError(": not an SGF file: it has no `(;`, the start of a game")
    games: list[Root] = []
    while start is not None:
        game, at = _Reader(text, start.start()).game()
        games.append(game)
        start = START.search(text, at)
    if len(games) > 1:
        games[0].warnings.append(SgfWarning(f"{len(games)} games in the file; only the first is used", 0, 0))
    return games


class _Reader:
    """A reader of one game that starts at an offset of a text."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.line = text.count("\n", 0, at) + 1
        self.line_start = text.rfind("\n", 0, at) + 1
        self.counted = at  # line feeds are counted up to here
        self.made = 0
        self.warnings: list[SgfWarning] = []

    def game(self) -> tuple[Root, int]:
        """Return (the game's root, the offset in the text at which the game ends).

        Raise SgfError if not even the root can be read, or if the game has more than MOST_NODES nodes.
        """
        top = Node()
        node, opened = top, [top]  # the branch points of the open `(`
        self.at += 1
        self.at = _end_of(_BETWEEN, self.text, self.at)
        if not self.text.startswith(";", self.at):
            self._warn("the root has no `;`")
            node = self._add_node(top)
        while opened:
            self.at = _end_of(_BETWEEN, self.text, self.at)
            sign = self.text[self.at : self.at + 1]
            if sign == "(":
                opened.append(node)
                node = self._begin_variation(node)
            elif sign == ")":
                node = self._close(node, opened)
            elif sign == ";":
                node = self._add_node(node)
            elif not sign:
                self._warn("truncated: the file ends before the final `)` of the game")
                break
            else:
                self._read_property(node)
                continue
            self.at += 1
        root = top.children[0]
        assert isinstance(root, Root)
        if not sign and not root.properties and not root.children:
            raise SgfError(f":{root.line}: invalid SGF: truncated, expected a property such as B[cc]")
        return root, self.at

    def _begin_variation(self, node: Node) -> Node:
        """Return the node at which reading continues after `(`; add a node if a property follows without `;`."""
        if not _NAME.match(self.text, _end_of(_BETWEEN, self.text, self.at + 1)):
            return node
        self._warn("a variation without `;`")
        return self._add_node(node)

    def _close(self, node: Node, opened: list[Node]) -> Node:
        """Return the node at which reading continues after a `)`."""
        if len(opened) == 1 and _MOVE_NODE.match(self.text, self.at + 1):
            self._warn("ignored an extra `)`, because the game continues")
            return node
        return opened.pop()

    def _add_node(self, parent: Node) -> Node:
        self.made += 1
        if self.made > MOST_NODES:
            raise SgfError(f": more than {MOST_NODES:,} nodes; expected at most {MOST_NODES:,}")
        node = Node(None, *self._place()) if self.made > 1 else Root(self.warnings, *self._place())
        parent.children.append(node)
        return node

    def _place(self) -> tuple[int, int]:
        """Return the one-based (line, column) of the current offset."""
        if more := self.text.count("\n", self.counted, self.at):
            self.line += more
            self.line_start = self.text.rfind("\n", self.counted, self.at) + 1
        self.counted = self.at
        return self.line, self.at - self.line_start + 1

    def _warn(self, text: str) -> None:
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append(SgfWarning(text, *self._place()))

    def _read_property(self, node: Node) -> None:
        named = _NAME.match(self.text, self.at)
        if named is None:
            self._skip()
            return
        # FF[3] allowed meaningless lower-case letters
        name = "".join(filter(str.isupper, named[1])) if named[1].isalpha() else named[1]
        if not name:
            self._warn(f"skipped the property {named[1][:20]!r}; expected a name in capital letters")
        values = node.properties.setdefault(name, []) if name else []
        self.at = named.end()
        while self.text.startswith("[", self.at):
            end = self._end_of_value(name)
            if end is None:
                line, column = self._place()
                node.broken = f":{line}:{column}: truncated: the value that begins here has no end"
                self.at = len(self.text)
                break
            values.append(_BARE_BRACKET.sub(lambda match: match[1] or "\\]", self.text[self.at + 1 : end - 1]))
            self.at = _end_of(_BETWEEN, self.text, end)
        if name and not values:
            del node.properties[name]

    def _skip(self) -> None:
        """Skip text that is not SGF, such as a line of dashes, up to the next node, variation or property."""
        found = _RESUME.search(self.text, self.at + 1)
        end = found.start() if found else len(self.text)
        words = self.text[self.at : min(end, self.at + 20)].strip()
        self._warn(f"skipped {words!r}; expected a property such as B[cc], `;`, `(` or `)`")
        self.at = end

    def _end_of_value(self, name: str) -> int | None:
        """Return the offset after the end of a value, or None if the value has no end.

        A value ends at its first unescaped `]` if the property cannot contain text. Otherwise the value ends at the
        first unescaped `]` after which SGF can continue. If a later move or the end of the file comes first, the value
        ends at the last unescaped `]` before that place. Each earlier `]` belongs to the text.
        """
        bracket = _TO_BRACKET.match(self.text, self.at + 1)
        if bracket is None or name in _NO_TEXTS:
            return bracket.end() if bracket else None
        while True:
            end = bracket.end()
            if _FOLLOWS.match(self.text, end):
                return end
            bracket = _TO_BRACKET.match(self.text, end)
            if bracket is None:  # the text after the last `]` is not SGF
                return end
            if _ENDS_WITH_MOVE.search(self.text, max(end, bracket.end() - 12), bracket.end()):
                return end  # the text up to the next `]` ends with a move, which must not become a part of the value


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def unescape(value: str) -> str:
    """Return the text of a value; a backslash escapes the next character or removes a line end."""
    return _ESCAPED.sub(lambda match: "" if match[1].strip("\r\n") == "" else match[1], value)


def text_value(text: str) -> str:
    """Return a text as an escaped SGF value.

    If the text contains `][`, with or without white space between the brackets, all brackets of the text become
    parentheses. The common reader pysgf, which KaTrain uses, would split such a value in two even if the brackets were
    escaped.
    """
    if _VALUES_GLUED.search(text):
        text = text.translate(_PARENTHESES)
    return text.replace("\\", "\\\\").replace("]", "\\]")


def point_value(point: Point, size: int) -> str:
    """Return a point, or PASS, as an SGF value."""
    return "" if point == PASS else _LETTERS[point % size] + _LETTERS[point // size]


def point_values(points: Mask, size: int) -> list[str]:
    """Return the SGF values of all points of a mask."""
    return [point_value(point, size) for point in points_of(points)]


def point_of(value: str, size: int) -> Point | None:
    """Return the point on the board that an SGF value names, or None for an invalid value."""
    if len(value) != 2 or not set(value) <= set(_LETTERS[:size]):
        return None
    return size * _LETTERS.index(value[1]) + _LETTERS.index(value[0])


def move_of(value: str, size: int) -> Point | None:
    """Return the move that an SGF value names, or None for an invalid value.

    The function returns PASS for all common spellings of a pass.
    """
    value = unescape(value).strip()
    if value.lower() in _PASSES or (value == "tt" and size <= 19):  # the spelling before FF[4]
        return PASS
    return point_of(value, size)


def points_in(values: Iterable[str], size: int) -> Mask | None:
    """Return the mask of the points that SGF values name, including rectangles such as `aa:cc`.

    Return None if a value is invalid, or if there are more than 2 * size * size distinct values.
    """
    mask = 0
    different = set(values)
    if len(different) > 2 * size * size:  # limits the work for files with many rectangles
        return None
    for value in different:
        corners = [point_of(corner.strip(), size) for corner in value.split(":")]
        if None in corners or len(corners) > 2:
            return None
        (top, left), (bottom, right) = (divmod(corner or 0, size) for corner in (corners[0], corners[-1]))
        for row in range(min(top, bottom), max(top, bottom) + 1):
            for column in range(min(left, right), max(left, right) + 1):
                mask |= 1 << size * row + column
    return mask


def sgf_text(root: Node) -> str:
    """Return a game as SGF text with nodes and properties in order.

    Lines have at most WIDTH bytes if possible.
    """
    pieces: list[str] = []
    waiting: list[Node | str] = [")", root, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        pieces.append(";")
        pieces += (name + "".join(f"[{value}]" for value in values) for name, values in item.properties.items())
        if len(item.children) == 1:
            waiting.append(item.children[0])
        for child in reversed(item.children) if len(item.children) > 1 else ():
            waiting += (")", child, "(")
    return "\n".join(_lines(pieces)) + "\n"


def _lines(pieces: Sequence[str]) -> Iterator[str]:
    line: list[str] = []
    width = 0
    for piece in pieces:
        length = len(piece.encode("utf-8", "surrogatepass"))
        if width + length > WIDTH and line:
            yield "".join(line)
            line, width = [], 0
        line.append(piece)
        width += length
    yield "".join(line)
