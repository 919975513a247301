"""The lines of patterns.txt for an edited text; unchanged entries are not compiled again.

Compiling all entries of a long file takes seconds. If the patterns.txt beside the file was compiled from the file on
disk, it provides the lines of unchanged entries, and only edited entries are compiled.
"""

from __future__ import annotations

import re
from pathlib import Path

from littlego.editor.cutting import Entry
from littlego.editor.entries import Entries
from littlego.editor.lineends import normal
from littlego.engines.books import source_digest
from littlego.files import LARGEST_INPUT, read_limited
from littlego.knowledge.textfile import pattern_line
from littlego.rules.turn import as_written

_MOVE = re.compile(r"(.+)-\d+")  # the id of a move of a sequence
Known = dict[tuple[str, str], tuple[str, ...]]  # (text outside the entries, an entry's text) -> the entry's lines


class Lines:
    """A cache of the lines that each entry has in patterns.txt; it remains valid when the text changes."""

    def __init__(self) -> None:
        self._known: Known = {}
        self._path = ""
        self._last: tuple[str, ...] | None = None

    def of(self, entries: Entries, path: str) -> tuple[str, ...] | None:
        """Return the lines that the compiler would write to patterns.txt for a text, in the compiler's order.

        path: the path of the text's file. For an invalid text, return the lines of the last valid text, or None if no
        text was valid. If the cache is empty, return None; the caller must then compile every entry.
        """
        if path != self._path:
            self._known, self._path, self._last = known_beside(path, entries.filename), path, None
        if not self._known:
            return None
        if entries.head[0] or len(set(entries.ids)) < len(entries.ids):
            return self._last
        found = [pattern_line(pattern) for pattern in entries.shared]
        for entry in entries.all:
            key = _key(entries, entry)
            if key not in self._known:
                compiled = entries.compiled(entry)
                if compiled.problems:
                    return self._last
                self._known[key] = tuple(map(pattern_line, compiled.patterns))
            found += self._known[key]
        self._last = tuple(sorted(found, key=_rank))
        return self._last


def known_beside(path: str, filename: str) -> Known:
    """Return each entry's lines in the patterns.txt beside a file; {} if patterns.txt is missing or stale."""
    source = Path(path)
    try:
        data, compiled = (read_limited(one, LARGEST_INPUT) for one in (source, source.with_suffix(".txt")))
        head, *lines = as_written(compiled).decode("utf-8").split("\n")
        text = normal(data.decode("utf-8"))
    except (OSError, ValueError):
        return {}
    if head.split(" ")[4:5] != [source_digest(data)]:
        return {}
    by_id: dict[str, list[str]] = {}
    for line in lines:
        name = _id(line)
        by_id.setdefault(name, []).append(line)
        if is_move := _MOVE.fullmatch(name):
            by_id.setdefault(f"{is_move[1]}-", []).append(line)
    entries = Entries(text, filename)
    ids = set(entries.ids)
    return {
        _key(entries, entry): tuple(
            by_id.get(name) or [one for one in by_id.get(f"{name}-", ()) if _id(one) not in ids]
        )
        for name, entry in zip(entries.ids, entries.all, strict=True)
    }


def _id(line: str) -> str:
    return line.partition("\t")[0]


def _key(entries: Entries, entry: Entry) -> tuple[str, str]:
    return entries.cut.head, entries.cut.text_of(entry)


def _rank(line: str) -> tuple[int, str]:
    name, _, priority, _ = line.split("\t", 3)
    return -int(priority), name
