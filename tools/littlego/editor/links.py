"""Links: one entry of a patterns file and a board, as text for the fragment of a URL.

The text consists of the version (`1.`) and deflated JSON in URL-safe base64. The compression dictionary DICTIONARY
shortens the text by about a sixth. The link's entry replaces the entry with the same id in the shipped patterns of the
link's ruleset. If there is no such entry, the link's entry is added after the last entry. Because a link may come from
a stranger, its size is limited before and after unpacking, and the studio opens its content only as an unsaved text.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from textwrap import dedent, indent

from littlego.cli.arguments import ArgumentError, read_file
from littlego.editor.cutting import Cut
from littlego.editor.entries import skim
from littlego.editor.lineends import normal
from littlego.editor.methods import Refusal
from littlego.editor.positions import LONGEST as LONGEST_BOARD
from littlego.games.match import NAME as MATCH
from littlego.paths import MATCH_YAML, PATTERNS_YAML
from littlego.rules.ruleset import LITTLE_GO

VERSION = "1."
LONGEST = 8_000  # maximum characters of a link
LARGEST = 40_000  # maximum bytes of a link's unpacked content
BASES = {LITTLE_GO.name: PATTERNS_YAML, MATCH: MATCH_YAML}
# Links of VERSION can be read only with exactly this dictionary; a change of the dictionary requires a new version.
DICTIONARY = b"""
match","board":"........./........./...../...................../ black left=12 white ruleset=match last=3,4 previous=
- id: white-second-line-edge-corner
  class: ladder
  summary: "The move that the stones of the opponent beside the point make the other's
  priority: 100
  points: -12
  diagram: |
    + - - - - - +
    | . . . . . |
    ? ? ? ? ?
    . X * O .
    o . x
  when:
    - liberties(A) >= 2
    - moves_left >= 10
    - colour == 2
    - captures(*) == 0
  examples:
    matches:
      - board: |
          . . . . . . . . . . . . . . . . . . .
        move: 2,3
        last: 4,3
        colour: white
    no_match:
      - board: |
          . . . . .
          X O X O .
"""
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Link:
    """The content of a link.

    pattern: the text of an entry. board: a position in the syntax of editor.positions, or ''. ruleset: the ruleset of
    the shipped patterns that the entry changes.
    """

    pattern: str
    board: str = ""
    ruleset: str = LITTLE_GO.name

    @property
    def id(self) -> str:
        """The entry's id, or '' if the entry has no id."""
        return skim(self.pattern, "id")

    def text(self) -> str:
        """Return the link's text."""
        usual = asdict(Link(""))
        values = {name: value for name, value in asdict(self).items() if name == "pattern" or value != usual[name]}
        packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=DICTIONARY)
        packed = packer.compress(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode())
        return VERSION + base64.urlsafe_b64encode(packed + packer.flush()).rstrip(b"=").decode()

    def filename(self) -> str:
        """Return a file name for the link's patterns, with a digest that distinguishes different links."""
        name = _NOT_IN_NAMES.sub("-", self.id.lower())[:40].strip("-") or "pattern"
        return f"{name}-{sha256(self.text().encode()).hexdigest()[:6]}.yaml"

    def base(self) -> str:
        """Return the text of the shipped patterns that the link changes."""
        path: Path = BASES[self.ruleset]
        return normal(read_file(path).decode("utf-8"))

    def applied(self) -> str:
        """Return the text of the shipped patterns after the link's entry is applied.

        Raise Refusal unless `pattern` is exactly one entry.
        """
        base = self.base()
        cut = _cut(base, BASES[self.ruleset].name)
        entry = indent(dedent(self.pattern).strip("\n") + "\n", " " * cut.indent)
        same = [one for one in cut.entries if skim(cut.text_of(one), "id") == self.id]
        if same:
            text = base[: same[0].begin] + entry + base[same[0].end :]
        else:
            end = cut.entries[-1].end
            text = f"{base[:end]}\n{entry}{base[end:]}"
        changed = Cut(text, cut.filename, cut)
        if len(changed.entries) != len(cut.entries) + (not same) or changed.outside != cut.outside:
            raise Refusal("invalid", "the link's pattern is not exactly one entry of a patterns file; get a new link")
        return text


_cut = lru_cache(maxsize=2)(Cut)


def read_link(text: str) -> Link:
    """Return the link that a text contains; raise Refusal for an invalid text."""
    if not text.startswith(VERSION) or len(text) > LONGEST:
        told = f"has {len(text):,} characters" if text.startswith(VERSION) else f"starts with {text[:20]!r}"
        raise Refusal("invalid", f"the link {told}; expected at most {LONGEST:,} characters, starting with `{VERSION}`")
    try:
        packed = base64.urlsafe_b64decode(text.removeprefix(VERSION) + "==")
        unpacker = zlib.decompressobj(-15, zdict=DICTIONARY)
        data = unpacker.decompress(packed, LARGEST)
        if not unpacker.eof:
            raise Refusal("invalid", f"the link is damaged or contains more than {LARGEST:,} bytes; get a new link")
        link = Link(**json.loads(data))
    except (binascii.Error, zlib.error, ValueError, TypeError, RecursionError):
        raise Refusal("invalid", "the link is damaged: a part is missing or was changed; copy the whole link") from None
    _check(link)
    return link


def _check(link: Link) -> None:
    """Raise Refusal for content that the studio never writes into a link."""
    if not all(isinstance(value, str) for value in asdict(link).values()) or link.ruleset not in BASES:
        wanted = f"strings, and the ruleset {' or '.join(BASES)}"
        raise Refusal("invalid", f"the link has unknown content; expected {wanted}; get a new link")
    if len(link.board) > LONGEST_BOARD:
        raise Refusal(
            "invalid", f"the link's board has {len(link.board):,} characters; expected at most {LONGEST_BOARD:,}"
        )


def link_to(entry: str, board: str, ruleset: str) -> Link:
    """Return a link that contains an entry and a board. Raise ArgumentError for an entry that is too long."""
    link = Link(dedent(entry).strip("\n") + "\n", board, ruleset)
    if len(link.text()) > LONGEST:
        raise ArgumentError(
            f"a link to {link.id} has {len(link.text()):,} characters; expected at most {LONGEST:,}: shorten the entry"
        )
    return link
