"""YAML text to nodes: composed, never loaded, and going on after a syntax error.

PyYAML's own reading of values (`no`, `01210`, the last of two equal keys) does not happen. Aliases, anchors
and tags are reported, since `*`, `&` and `!` mean something else in diagrams and conditions.
"""

from __future__ import annotations

import re
from itertools import pairwise

import yaml

from tools.knowledge.problems import counted
from tools.knowledge.source import Source

_ITEM = re.compile(r"( *)- ")
_PATTERN = re.compile(r"( *)- id:")
_VISIBLE = re.compile(r"[^\r\n\x85\u2028\u2029]")
_HINTS = (
    ("alias", "in YAML a value that starts with `*` is an alias: put it in quotes"),
    ("anchor", "in YAML a value that starts with `&` names an anchor: put it in quotes"),
    ("tag", "in YAML a value that starts with `!` is a tag: put it in quotes"),
    ("quoted scalar", "close the quote, and double a `'` inside single quotes"),
    ("'\\t'", "indent with spaces, not with tabs"),
    ("mapping values", "put a value that holds `: ` in quotes"),
    ("expected <block end>", "align the keys of one pattern, and quote values that start with a quote"),
    ("cannot start any token", "put the value in quotes"),
)
_OTHER_HINT = "compare with the patterns above, or put the value in quotes"


def compose(source: Source) -> yaml.Node | None:
    """Return the document's root node, or None where there is none.

    A syntax error is reported, the pattern that holds it blanked out and the rest read again, so that one run
    shows the errors of all patterns.
    """
    text, seen = source.text, set()
    while True:
        known = len(source.problems)
        source.settled.clear()
        try:
            return _root(text, source)
        except yaml.reader.ReaderError as error:
            found = f"the character U+{error.character:04X}"
            source.report(error.position, "P002", found, "printable text", "delete it")
            return None
        except yaml.MarkedYAMLError as error:
            del source.problems[known:]  # the next reading finds them again
            index = _report(error, source)
        except RecursionError:
            source.report(
                0, "P003", "values nested too deeply", "at most a few levels", "draw patterns as the others are"
            )
            return None
        except (ValueError, OverflowError) as error:  # numbers that PyYAML does not check, as in "\UFFFFFFFF"
            source.report(0, "P003", f"unreadable YAML: {error}", "plain values", "look for escapes in double quotes")
            return None
        source.repaired = True
        text = None if index in seen else _without_item(text, index, source)
        seen.add(index)
        if text is None:
            return None


def _report(error: yaml.MarkedYAMLError, source: Source) -> int:
    """Keep a syntax error, and return the index that it is reported at."""
    context = error.context or ""
    scanning = context.startswith("while scanning a") and error.context_mark is not None
    mark = error.context_mark if scanning else error.problem_mark or error.context_mark
    said = f"{context}: {error.problem}" if scanning else str(error.problem)
    hint = next((hint for part, hint in _HINTS if part in said), _OTHER_HINT)
    index = min(mark.index, len(source.text)) if mark else 0
    if begun := _PATTERN.match(source.text, source.starts[source.place(index)[0] - 1]):
        hint = f"`- id:` of every pattern starts in one column; here it stands after {counted(len(begun[1]), 'space')}"
    source.report(index, "P003", f"broken YAML: {said}", "", hint)
    return index


def _without_item(text: str, index: int, source: Source) -> str | None:
    """Return the text with the pattern around the index blanked out, or None where there is none."""
    lines = [text[a:b] for a, b in pairwise([*source.starts, len(text)])]
    items = [(row, len(found[1])) for row, line in enumerate(lines) if (found := _ITEM.match(line))]
    starts = [row for row, indent in items if indent == items[0][1]]
    row = source.place(index)[0] - 1
    begin = max((start for start in starts if start <= row), default=None)
    if begin is None:
        return None
    end = min((start for start in starts if start > row), default=len(lines))
    blank = [_VISIBLE.sub(" ", line) for line in lines[begin:end]]
    return "".join(lines[:begin] + blank + lines[end:])


class _Loader(yaml.SafeLoader):
    """PyYAML's reader in pure Python (its messages are the same everywhere), with aliases and tags reported."""

    def __init__(self, text: str, source: Source):
        super().__init__(text)
        self.source = source

    def compose_node(self, parent, index):
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent):
            self.get_event()
            self._unwanted(event, f"the alias `*{event.anchor}`", "alias")
            return yaml.ScalarNode("", "", event.start_mark, event.end_mark)
        if event.anchor is not None:
            self._unwanted(event, f"the anchor `&{event.anchor}`", "anchor")
            event.anchor = None
        if event.tag is not None:
            self._unwanted(event, f"the tag `{event.tag}`", "tag")
        return super().compose_node(parent, index)

    def _unwanted(self, event: yaml.Event, found: str, kind: str) -> None:
        self.source.report(event.start_mark.index, "P004", found, "a plain value", dict(_HINTS)[kind])
        self.source.settled.add(event.start_mark.index)


def _root(text: str, source: Source) -> yaml.Node | None:
    loader = _Loader(text, source)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()
