"""Writing patterns.txt: the compiled patterns as bytes, and those bytes in place of the old file or not at all."""

from __future__ import annotations

from base64 import b64encode
from binascii import crc32
from collections.abc import Sequence
from pathlib import Path

from rules import patternfile
from rules.matching import pack_placements, parse_shape, placements, point_bits
from rules.ruleset import LITTLE_GO, Ruleset
from tools.files import write_bytes
from tools.knowledge.keys import MATCH
from tools.knowledge.model import KnowledgeBase, KnownPattern
from tools.large.book import LargeBook, load_large


def pattern_line(pattern: KnownPattern) -> str:
    """Return a pattern's line of patterns.txt: ten fields separated by tabs."""
    return "\t".join(
        [
            pattern.id,
            pattern.kind,
            str(pattern.priority),
            str(pattern.specificity),
            pattern.flags,
            "/".join(pattern.rows),
            "/".join(pattern.label_rows),
            pattern.points,
            " ; ".join(pattern.when),
            pattern.summary,
        ]
    )


def book_for(patterns: Sequence[KnownPattern], ruleset: Ruleset) -> patternfile.Book:
    """Return a Book that holds just these patterns, in this order."""
    lines = [patternfile.Pattern(pattern_line(pattern)) for pattern in patterns]
    return patternfile.book_of(ruleset.name, ruleset.size, lines)


def large_book_for(patterns: Sequence[KnownPattern], size: int) -> LargeBook:
    """Return a LargeBook that holds just these patterns, in this order, for boards of that size."""
    return LargeBook(MATCH.name, size, [patternfile.Pattern(pattern_line(pattern)) for pattern in patterns])


def placement_line(pattern: KnownPattern, size: int) -> str:
    """Return a pattern's placements on boards of that size as base64.

    '' where it fits nowhere, and for sizes whose placements do not fit into packed words: those are found anew.
    """
    if point_bits(size) > point_bits(LITTLE_GO.size):
        return ""
    packed = pack_placements(placements(parse_shape(pattern.rows, pattern.label_rows), size))
    return b64encode(packed).decode("ascii")


def to_bytes(base: KnowledgeBase) -> bytes:
    """Return the whole patterns.txt; the same knowledge gives the same bytes on every machine."""
    ranked, size = base.ranked(), base.ruleset.size
    lines = [pattern_line(pattern) for pattern in ranked]
    lines += [placement_line(pattern, size) for pattern in ranked]
    body = "\n".join(lines + ["end", ""]).encode("utf-8")
    head = f"{patternfile.MAGIC} {patternfile.VERSION} {base.ruleset.name}"
    return f"{head} {crc32(body):08x} {base.source} {len(ranked)} {size}\n".encode() + body


def write(data: bytes, path: Path) -> None:
    """Replace the file by these bytes, once the player's own reader has understood them.

    Raise PatternFileError where it does not, OSError where the folder does not allow it; the old file then stays.
    """
    is_small = data.split(b" ", 3)[2] == LITTLE_GO.name.encode()
    write_bytes(path, data, check=lambda written: _read_all((patternfile.load if is_small else load_large)(written)))


def _read_all(book: patternfile.Book) -> None:
    for index, pattern in enumerate(book.patterns):
        try:
            book.conditions(index)
        except (KeyError, ValueError) as error:
            raise patternfile.PatternFileError(f"{pattern.id}: a program that cannot be read: {error}") from error
