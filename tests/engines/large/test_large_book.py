"""Tests that LargeBook has the contents of a patterns.txt for every size, and rejects damaged files."""

from __future__ import annotations

from binascii import crc32

import pytest

from littlego.engines.large.book import LargeBook, large_book, load_large
from littlego.paths import PATTERNS_TXT
from littlego.rules.geometry import make_grid
from littlego.rules.patternfile import Book, PatternFileError, load

DATA = PATTERNS_TXT.read_bytes()
HEAD, _, BODY = DATA.partition(b"\n")
NUMBER = int(HEAD.split()[5])


def sealed(body: bytes, **fields) -> bytes:
    """Return a file with this body, a correct checksum and changed header fields: f6=b"7" sets field 6."""
    head = HEAD.split(b" ")
    head[3] = b"%08x" % crc32(body)
    for name, value in fields.items():
        head[int(name[1:])] = value
    return b" ".join(head) + b"\n" + body


def of_a_match() -> bytes:
    """Return a file in the compiler's format for matches, in which all lines of placements are empty."""
    lines = BODY.split(b"\n")[:NUMBER] + [b""] * NUMBER + [b"end", b""]
    return sealed(b"\n".join(lines), f2=b"match", f6=b"19")


def test_the_patterns_and_conditions_of_the_file():
    book, other = load(str(PATTERNS_TXT)), load_large(PATTERNS_TXT.read_bytes(), "patterns.txt")
    assert (other.ruleset_name, other.size) == (book.ruleset_name, book.size)
    assert [pattern.id for pattern in other.patterns] == [pattern.id for pattern in book.patterns]
    for index in range(NUMBER):
        assert other.conditions(index).tests == book.conditions(index).tests
        assert other.conditions(index).points == book.conditions(index).points


def test_a_file_for_matches():
    book = load_large(of_a_match(), "patterns.match.txt")
    assert (book.ruleset_name, book.size, len(book.patterns)) == ("match", 19, NUMBER)
    assert {template.pattern for template in book.planes.templates} >= {0}


def test_a_book_for_each_size_once():
    book = load_large(PATTERNS_TXT.read_bytes(), "patterns.txt")
    large = book.for_size(19)
    assert large is book.for_size(19) and large.for_size(5) is book and large.bits == 9
    assert large.planes.size == 19 and large.patterns is book.patterns
    with pytest.raises(ValueError, match="board size 20"):
        book.for_size(20)


def test_a_book_without_planes_becomes_one_with():
    book = load(str(PATTERNS_TXT))
    large = large_book(book)
    assert type(book) is Book and isinstance(large, LargeBook) and large_book(large) is large
    assert large.patterns == book.patterns and len(large.cells) == 0


LINES = BODY.split(b"\n")
DAMAGED = {
    "a field less": (b"\n".join([LINES[0].rpartition(b"\t")[0], *LINES[1:]]), {}, "cannot be understood"),
    "no end": (
        BODY.removesuffix(b"end\n"),
        {},
        f"understood: {len(LINES) - 2} lines, expected {len(LINES) - 1}",
    ),
    "not text": (b"\xff" + BODY, {}, "cannot be understood"),
    "another magic": (BODY, {"f0": b"patterns"}, "line 1 is not a header"),
    "another version": (BODY, {"f1": b"1"}, "format version 1, expected 2"),
    "a field more": (BODY, {"f6": b"5 5"}, "line 1 is not a header"),
    "size 20": (BODY, {"f6": b"20", "f2": b"match"}, "board size 20"),
    "size x": (BODY, {"f6": b"x", "f2": b"match"}, "cannot be understood"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged(name):
    body, fields, why = DAMAGED[name]
    with pytest.raises(PatternFileError, match=why):
        load_large(sealed(body, **{"f2": b"match"} | fields), "patterns.match.txt")


def test_edited_by_hand():
    with pytest.raises(PatternFileError, match="patterns.txt: the checksum is wrong"):
        load_large(DATA.replace(b"corner", b"cornet", 1), "patterns.txt")


def test_every_size_that_a_board_has():
    book = load_large(PATTERNS_TXT.read_bytes(), "patterns.txt")
    for size in range(2, 20):
        assert book.for_size(size).size == make_grid(size)[0]
