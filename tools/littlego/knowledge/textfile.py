"""The writer of patterns.txt, the file of the compiled patterns."""

from __future__ import annotations

from base64 import b64encode
from binascii import crc32
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from littlego.engines.choosing import engine_for, load_book
from littlego.files import write_bytes
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.rules import patternfile
from littlego.rules.engine import canonical
from littlego.rules.facts import FACTS
from littlego.rules.matching import pack_placements, parse_shape, placements, point_bits
from littlego.rules.position import BLACK, WHITE, from_boards
from littlego.rules.ruleset import LITTLE_GO, Ruleset

if TYPE_CHECKING:
    from littlego.rules.programs import Test

_PACKED_BITS = point_bits(LITTLE_GO.size)  # number of bits for each point in a packed placement
_TOLD_BY_LEFT = {FACTS[name].function for name in ("moves_left", "move_number", "colour")}


def pattern_line(pattern: KnownPattern) -> str:
    """Return a pattern's line of patterns.txt: eleven fields separated by tabs."""
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
            pattern.table,
            " ; ".join(pattern.when),
            pattern.summary,
        ]
    )


def book_for(patterns: Sequence[KnownPattern], ruleset: Ruleset) -> patternfile.Book:
    """Return a Book of the given patterns, in the given order, for the engine of a ruleset."""
    lines = [patternfile.Pattern(pattern_line(pattern)) for pattern in patterns]
    return engine_for(ruleset).book(lines, ruleset)


def placement_line(pattern: KnownPattern, size: int) -> str:
    """Return a pattern's placements as base64 text, or '' if the pattern fits nowhere on the board.

    Also return '' for boards that are too large for packed placements; for such boards, the player computes the
    placements.
    """
    if point_bits(size) > _PACKED_BITS:
        return ""
    packed = pack_placements(placements(parse_shape(pattern.rows, pattern.label_rows), size))
    return b64encode(packed).decode("ascii")


def _lefts_mark(pattern: KnownPattern, ruleset: Ruleset) -> str:
    """Return a hexadecimal mask of the numbers of moves left with which a pattern can apply.

    Bit n of the mask stands for n moves left; a space follows the mask. Return '' if games have no fixed length, or if
    no condition limits the moves left. Conditions on the colour and the move number also limit the moves left.
    """
    if not ruleset.length:
        return ""
    asked = [test for test in book_for([pattern], ruleset).conditions(0).game_tests if test[0][0] in _TOLD_BY_LEFT]
    lefts = range(1, ruleset.length + 1)
    mask = sum(1 << left for left in lefts if all(_holds(test, left, ruleset) for test in asked))
    return f"{mask:x} " if asked else ""


def _holds(test: Test, left: int, ruleset: Ruleset) -> bool:
    """Return whether a condition on moves left, move number or colour is true when `left` moves are left."""
    (function, *_), low, high = test
    colour = WHITE if (ruleset.length - left) % 2 else BLACK
    _, state = canonical(from_boards(ruleset, None, (0, 0), colour, left))
    return low <= function(state, 0) <= high


def to_bytes(base: KnowledgeBase) -> bytes:
    """Return the bytes of patterns.txt; equal source files give equal bytes on every machine."""
    ranked, size = base.ranked(), base.ruleset.size
    lines = [pattern_line(pattern) for pattern in ranked]
    lines += [_lefts_mark(pattern, base.ruleset) + placement_line(pattern, size) for pattern in ranked]
    body = "\n".join(lines + ["end", ""]).encode("utf-8")
    head = f"{patternfile.MAGIC} {patternfile.VERSION} {base.ruleset.name}"
    return f"{head} {crc32(body):08x} {base.source} {len(ranked)} {size}\n".encode() + body


def write(data: bytes, path: Path) -> None:
    """Write `data` as a patterns.txt after the player's reader has accepted the bytes.

    Raise PatternFileError if the reader rejects the bytes, and OSError if the file cannot be written. After an error,
    the old file is unchanged.
    """
    write_bytes(path, data, check=lambda written: _read_all(load_book(Path(written).read_bytes(), str(written))))


def _read_all(book: patternfile.Book) -> None:
    for index, pattern in enumerate(book.patterns):
        try:
            book.conditions(index)
        except (KeyError, ValueError) as error:
            raise patternfile.PatternFileError(f"{pattern.id}: unreadable program: {error}") from error
