"""The SGF format: a reader of any program's game trees, and a writer of trees that all programs read.

Other modules interpret the properties (littlego.records.records). The reader corrects known faults of programs if the
meaning is certain: text before the game, an unescaped `]` in a comment, property names with small letters. For any
other fault, the reader rejects the file and reports the line. The format is FF[4]: see red-bean.com/sgf.

No library both corrects faults and reports lines: sgfmill reports no lines and stops at the first fault, and pysgf
guesses silently. The tests compare this reader with both libraries and with the reader of Sabaki.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NoReturn

from littlego.rules.geometry import Mask, Point, points_of
from littlego.rules.position import PASS

LARGEST_HEAD = 10_000  # bytes that are searched for the encoding
_ENCODING = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "shift-jis": "cp932", "euc-kr": "cp949", "utf-8": "utf-8-sig"}
MOST_NODES = 50_000  # nodes of a file; a game has a few hundred, a thorough review a few thousand
WIDTH = 79  # bytes of a line, unless a value is longer
_START = re.compile(r"\(\s*;")
_TO_BRACKET = re.compile(r"(?:\\.|[^\\\]])*\]", re.DOTALL)
_NAME = re.compile(r"([A-Za-z]{1,40})\s*(?=\[)")
# Possible continuations after a value: a value, a property, a node, the start or end of a variation, the end of the
# file.
_FOLLOWS = re.compile(r"\s*(?:[\[();]|[A-Z][A-Za-z]{0,20}\s*\[|\Z)")
_BETWEEN = re.compile(r"\s*")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_BARE_BRACKET = re.compile(r"(\\.)|\]", re.DOTALL)
_VALUES_GLUED = re.compile(r"\]\s*\[")
_PARENTHESES = str.maketrans("[]", "()")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TEXTS = ("C", "GC", "N", "PB", "PW")  # properties in which an unescaped `] [` splits a text into two values
_PASSES = ("", "``", "pass")  # the standard's spelling, and spellings by some programs


def is_sgf(data: bytes) -> bool:
    """Return whether a file may be SGF: a game begins in it, perhaps after other text."""
    return not data.lstrip().startswith(b"{") and bool(_START.search(data.decode("latin-1")))


def decode_sgf(data: bytes, encoding: str = "latin-1") -> str:
    """Return the decoded text of an SGF file.

    The encoding is the value of CA if this encoding can decode the bytes, else UTF-8 if the bytes are valid UTF-8, else
    `encoding`. The standard's default is Latin-1. Points and properties are ASCII in all encodings in use.
    """
    named = _ENCODING.search(data[:LARGEST_HEAD])
    encoding_name = named[1].decode("latin-1").lower().replace("_", "-") if named else ""
    for name in (_SUPERSETS.get(encoding_name, encoding_name), "utf-8-sig", encoding):
        with suppress(LookupError, UnicodeDecodeError, ValueError):
            text = data.decode(name) if name else None
            if isinstance(text, str):
                return text
    return data.decode("latin-1")


class SgfError(ValueError):
    """Raised for a text that is not SGF; the message continues the file's name: `:LINE: ...` or `: ...`."""


class Node:
    """A node, with its properties and their escaped values, its line in the file (or 0) and its children."""

    __slots__ = ("properties", "line", "children")

    def __init__(self, properties: dict[str, list[str]] | None = None, line: int = 0) -> None:
        self.properties = properties or {}
        self.line = line
        self.children: list[Node] = []

    def text(self, name: str) -> str:
        """Return a property's value as text, '' if it is missing. The parts of a split text are joined."""
        values = self.properties.get(name, [])
        return "] [".join(map(unescape, values if name in _TEXTS else values[:1]))

    def set_text(self, name: str, text: str) -> None:
        """Set a property to a single text; see text_value. An empty text removes the property."""
        if text:
            self.properties[name] = [text_value(text)]
        else:
            self.properties.pop(name, None)

    def main_line(self) -> Iterator[Node]:
        """Yield this node and its main line: the first child of each node."""
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


def read_games(text: str) -> list[Node]:
    """Return the root of each game in a text, at least one; raise SgfError."""
    start = _START.search(text)
    if start is None:
        raise SgfError(": not an SGF file: it has no `(;`, the start of a game")
    games, at = [], start.start()
    while start is not None:
        game, at = _Reader(text, start.start()).game()
        games.append(game)
        start = _START.search(text, at)
    return games


class _Reader:
    """A reader of one game that starts at an offset of a text."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.line = text.count("\n", 0, at) + 1
        self.counted = at  # the offset up to which line feeds are counted
        self.made = 0

    def game(self) -> tuple[Node, int]:
        """Return (the root, the end offset of the game)."""
        top = Node()
        node, opened = top, [top]  # the branch points of the open `(`
        self.at += 1
        while opened:
            self.at = _end_of(_BETWEEN, self.text, self.at)
            sign = self.text[self.at : self.at + 1]
            if sign == "(":
                opened.append(node)
            elif sign == ")":
                node = opened.pop()
            elif sign == ";":
                node = self._add_node(node)
            elif node is not top:
                self._read_property(node)
                continue
            else:
                self._refuse("`;`")
            self.at += 1
        return top.children[0], self.at

    def _add_node(self, parent: Node) -> Node:
        self.made += 1
        if self.made > MOST_NODES:
            raise SgfError(f": more than {MOST_NODES:,} nodes, the limit")
        node = Node(line=self._line())
        parent.children.append(node)
        return node

    def _line(self) -> int:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def _read_property(self, node: Node) -> None:
        named = _NAME.match(self.text, self.at)
        if named is None:
            self._refuse("a property such as B[cc], `;`, `(` or `)`")
        name = "".join(filter(str.isupper, named[1]))  # FF[3] allowed small letters, which have no meaning
        if not name:
            self._refuse("the name of a property in capital letters")
        values = node.properties.setdefault(name, [])
        self.at = named.end()
        while self.text.startswith("[", self.at):
            end = self._end_of_value()
            values.append(_BARE_BRACKET.sub(lambda match: match[1] or "\\]", self.text[self.at + 1 : end - 1]))
            self.at = _end_of(_BETWEEN, self.text, end)

    def _end_of_value(self) -> int:
        """Return the end of a value: the first `]` after which SGF can continue.

        A `]` before this end belongs to the text.
        """
        end = self.at + 1
        while True:
            bracket = _TO_BRACKET.match(self.text, end)
            if bracket is None:
                raise SgfError(f":{self._line()}: broken off: the value that begins in this line has no end")
            end = bracket.end()
            if _FOLLOWS.match(self.text, end):
                return end

    def _refuse(self, expected: str) -> NoReturn:
        rest = self.text[self.at : self.at + 20]
        what = f"found {rest!r}" if rest else "broken off"
        raise SgfError(f":{self._line()}: invalid SGF: {what}, expected {expected}")


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def unescape(value: str) -> str:
    """Return the text of a value; a backslash escapes the next character or removes a line end."""
    return _ESCAPED.sub(lambda match: "" if match[1].strip("\r\n") == "" else match[1], value)


def text_value(text: str) -> str:
    """Return a text as an escaped SGF value.

    If the text contains `][`, the text's brackets become parentheses, because a common reader (pysgf, used by KaTrain)
    splits such a value in two even if the brackets are escaped.
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
    """Return the board point for a value, None for anything else."""
    if len(value) != 2 or not set(value) <= set(_LETTERS[:size]):
        return None
    return size * _LETTERS.index(value[1]) + _LETTERS.index(value[0])


def move_of(value: str, size: int) -> Point | None:
    """Return the move for a value, None for anything else. All common spellings of a pass return PASS."""
    value = unescape(value).strip()
    if value.lower() in _PASSES or (value == "tt" and size <= 19):  # the spelling before FF[4]
        return PASS
    return point_of(value, size)


def points_in(values: Iterable[str], size: int) -> Mask | None:
    """Return the mask of points in values, including rectangles like `aa:cc`; None if a value is invalid."""
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
    """Return a game as SGF text, nodes and properties in order, in lines of up to WIDTH bytes if possible."""
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
