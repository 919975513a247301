"""Line ends: normalization for the editor, and restoration when the file is saved."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from littlego.editor.merging import matches

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_END = re.compile(r"[\r\n]+$")


def normal(raw: str) -> str:
    """Return a text with every line end replaced by a line feed, as in the page's editor."""
    return raw.replace("\r\n", "\n").replace("\r", "\n")


def restored(text: str, raw: str) -> str:
    """Return an edited text with the line ends of the original.

    text: the edited text, with line feeds only. raw: the contents of the original file. A line that is in both texts
    keeps its line end. An added line gets the most frequent line end of the file. An empty line after a line that ends
    with a lone CR gets CR LF, because a CR followed by an LF would be read as a single line end.
    """
    if "\r" not in raw:
        return text
    before, after = _lines(raw), _lines(text)
    end = _commonest_end(before)
    parts, at = [], 0
    for start, here, count in matches([normal(line) for line in before], after):
        parts += [line.replace("\n", end) for line in after[at:here]]
        parts += before[start : start + count]
        at = here + count
    return "".join("\r\n" if last[-1:] + part == "\r\n" else part for last, part in pairwise(["", *parts]))


def _lines(text: str) -> list[str]:
    return _LINE.findall(text)


def _commonest_end(lines: list[str]) -> str:
    ends = Counter(found[0] for line in lines if (found := _END.search(line)))
    return ends.most_common(1)[0][0]
