"""The reader that turns a patterns file into YAML nodes and continues after errors.

The reader keeps the line and column of every character of a value, so that each problem has an exact place. The nodes
are composed, not loaded, because PyYAML's loader interprets values such as `no` and `01210` and accepts duplicate keys.
Aliases, anchors, merge keys and tags are reported, because the pattern language excludes these features.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from operator import sub
from typing import Any, NamedTuple

import yaml

from littlego.files import find_conflicts
from littlego.games.lookalikes import describe_lookalike, taken_for
from littlego.knowledge.problems import Problem, plural

BREAK = re.compile(r"\r\n|[\r\n\x85\u2028\u2029]")  # line ends in YAML
_PLAIN = re.compile(r"\S")
_QUOTED = {
    "'": re.compile(r"''|\S"),
    '"': re.compile(r"\\(?:x.{2}|u.{4}|U.{8}|\r\n|.)|\S", re.DOTALL),
}
_ITEM = re.compile(r"( *)- ")
_PATTERN = re.compile(r"( *)- id:")
_VISIBLE = re.compile(r"[^\r\n\x85\u2028\u2029]")
_BLANK = r"(?:[^\S\x00-\x20\x85\u2028\u2029]|[\u200b-\u200d\u2060\ufeff])"  # blanks that YAML reads as text
_CURLY = "[“”„‟«»‘’‚‛＂＇]"
# Matches a line up to a character that only looks like a blank, dash, colon or quote of YAML.
_MISTYPED = re.compile(
    rf"[ \t]*(?:{_BLANK}|[‐‑‒–—―−－](?=[ \t])|-{_BLANK}|(?:-[ \t]+)?(?:[\w-]+[ \t]*[：﹕∶ː˸]|[\w-]+:{_BLANK}|"
    rf"(?:[\w-]+:[ \t]+)?{_CURLY}))"
)
_TYPE_INSTEAD = {
    "": "delete this invisible character",
    " ": "replace all such characters: YAML reads them as text, not as spaces",
    "'": "YAML needs straight quotes: replace both curly quotes",
    '"': "YAML needs straight quotes: replace both curly quotes",
}
# The limits of one file. patterns.match.yaml, the largest shipped file, has about a million characters.
LARGEST = 2_000_000  # characters
LONGEST_LINE = 10_000  # characters
MOST_READ = 3_000_000  # characters in total, if the text is read again after syntax errors
MOST_NAMED = 10  # maximum number of lines that a hint lists
_SECOND_DOCUMENT = "expected a single document in the stream"  # in PyYAML's words
_MERGE = "tag:yaml.org,2002:merge"  # PyYAML's tag of a key `<<`
_HINTS = (
    ("alias", "in YAML a value that starts with `*` is an alias: put it in quotes"),
    ("anchor", "in YAML a value that starts with `&` names an anchor: put it in quotes"),
    ("tag", "in YAML a value that starts with `!` is a tag: put it in quotes"),
    ("quoted scalar", "close the quote, and double a `'` inside single quotes"),
    ("'\\t'", "indent with spaces, not with tabs"),
    ("mapping values", "put a value that contains `: ` in quotes"),
    ("expected <block end>", "align the keys of one pattern, and quote values that start with a quote"),
    ("cannot start any token", "put the value in quotes"),
)
_OTHER_HINT = "compare with the patterns above, or put the value in quotes"


class Source:
    """The text of one patterns file, and its problems so far."""

    def __init__(self, text: str, filename: str):
        self.text = text
        self.filename = filename
        self.problems: list[Problem] = []
        self.count = 0  # number of problems, including unrecorded consequences of other problems
        self.repaired = False  # whether broken parts were blanked out; a missing value may then be in these parts
        self.settled: set[int] = set()  # text indexes at which problems are only consequences and are not recorded
        self.starts = [0] + [line_end.end() for line_end in BREAK.finditer(text)]

    def place(self, index: int) -> tuple[int, int]:
        """Return the one-based line and column of a character of the text."""
        line = bisect_right(self.starts, index)
        return line, index - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return a line of the text without its line end. number: the one-based line number."""
        following = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : following].rstrip("\r\n\x85\u2028\u2029")

    def report(self, index: int, code: str, message: str, expected: str = "", hint: str = "") -> None:
        """Count a problem, and record it unless its text index is in `settled`."""
        self.count += 1
        if index not in self.settled:
            self.problems.append(Problem(self.filename, *self.place(index), code, message, expected, hint))

    def report_at(self, node: yaml.Node, code: str, message: str, expected: str = "", hint: str = "") -> None:
        """Report a problem at the start of a node; see `report`."""
        self.report(node.start_mark.index, code, message, expected, hint)

    def indexes(self, node: yaml.ScalarNode) -> list[int]:
        """Return the text indexes of the characters of a scalar's value, and the index of the value's end.

        YAML may change white space, so a white-space character gets the index after the preceding visible character.
        """
        units = self._units(node)
        places, last = [], node.start_mark.index + (node.style in _QUOTED)
        for character in node.value:
            if character.isspace():
                places.append(last)
            else:
                start, last = next(units, (last, last))
                places.append(start)
        return [*places, last]

    def _units(self, node: yaml.ScalarNode) -> Iterator[tuple[int, int]]:
        """Yield (start, end) in the source text for each visible character of a scalar."""
        start, end = node.start_mark.index, node.end_mark.index
        if node.style in _QUOTED:
            start, end = start + 1, end - 1
        elif node.style in ("|", ">"):
            header = BREAK.search(self.text, start)
            start = header.end() if header else end
        for unit in _QUOTED.get(node.style, _PLAIN).finditer(self.text, start, end):
            if not _is_white_escape(unit[0]):
                yield unit.span()


def _is_white_escape(unit: str) -> bool:
    """Return whether a unit is an escape sequence for white space or a line break.

    unit: a match of _QUOTED or _PLAIN in a scalar's source text. Only double-quoted scalars have escape sequences.
    """
    if len(unit) < 2 or unit[0] != "\\":
        return False
    return chr(int(unit[2:], 16)).isspace() if unit[1] in "xuU" else unit[1] in "tnvfrN_LP" or unit[1].isspace()


def compose(source: Source) -> yaml.Node | None:
    """Return the document's root node, or None if the document is empty or unreadable. Report the errors.

    After a syntax error, the function blanks out the pattern with the error and reads the text again. Thus one run can
    report errors in many patterns. In total, the function reads at most about MOST_READ characters.
    """
    if _report_size(source) or _report_conflicts(source):
        return None
    seen: set[int] = set()
    text: str | None = source.text
    for left in range(max(MOST_READ // (len(source.text) + 1), 1), -1, -1):
        if text is None or not left:
            break
        known = len(source.problems)
        source.settled.clear()
        try:
            return _compose_root(text, source)
        except yaml.MarkedYAMLError as error:
            del source.problems[known:]  # the next reading reports these problems again
            index = _report_syntax(error, source)
            if error.context == _SECOND_DOCUMENT:
                text = text[:index]
                continue
        except (yaml.reader.ReaderError, RecursionError, ValueError, OverflowError) as error:
            _report_unreadable(error, source)
            return None
        source.repaired = True
        text = None if index in seen else _blank_item(text, index, source)
        seen.add(index)
    if text is not None:
        source.report(
            index, "P003", "too much broken YAML for one run", "", "correct the reported problems, and check again"
        )
    return None


def _report_unreadable(error: Exception, source: Source) -> None:
    """Report why a text is unreadable. error: a ReaderError, RecursionError, ValueError or OverflowError."""
    if isinstance(error, yaml.reader.ReaderError):
        message = f"the character U+{error.character:04X}"
        source.report(error.position, "P002", message, "printable text", "delete it")
    elif isinstance(error, RecursionError):
        hint = "write the pattern in the same form as the other patterns"
        source.report(0, "P003", "values nested too deeply", "at most a few levels", hint)
    else:  # numbers that PyYAML does not check, as in "\UFFFFFFFF"
        source.report(0, "P003", f"unreadable YAML: {error}", "plain values", "check the escapes in double quotes")


def _report_size(source: Source) -> bool:
    """Report a text or a line that is too long. Return whether a problem was reported."""
    if len(source.text) > LARGEST:
        message, most = f"a file of {len(source.text):,} characters", f"at most {LARGEST:,}"
        source.report(LARGEST, "P003", message, most, "delete everything that is not a pattern, or split the file")
        return True
    if len(source.text) <= LONGEST_LINE:
        return False
    lengths: list[int] = list(map(sub, [*source.starts[1:], len(source.text)], source.starts))
    is_long = max(lengths) > LONGEST_LINE
    if is_long:
        long = source.starts[next(line for line, length in enumerate(lengths) if length > LONGEST_LINE)]
        hint = "continue on the next line, indented"
        source.report(long, "P003", "a line that is too long", f"at most {LONGEST_LINE:,} characters", hint)
    return is_long


def _report_conflicts(source: Source) -> bool:
    """Report each merge conflict that git left in the text. Return whether there is a conflict."""
    conflicts = find_conflicts(source.text)
    for start in conflicts:
        hint = "keep one version, and delete the other version and the marker lines"
        source.report(start, "P038", "an unresolved merge conflict", "one of its versions", hint)
    return bool(conflicts)


def _report_syntax(error: yaml.MarkedYAMLError, source: Source) -> int:
    """Report a syntax error. Return the text index of the error."""
    if error.context == _SECOND_DOCUMENT:
        return _report_second_document(error, source)
    context = error.context or ""
    scanning = context.startswith("while scanning a") and error.context_mark is not None
    mark = error.context_mark if scanning else error.problem_mark or error.context_mark
    problem = f"{context}: {error.problem}" if scanning else str(error.problem)
    hint = next((hint for part, hint in _HINTS if part in problem), _OTHER_HINT)
    index = min(mark.index, len(source.text)) if mark else 0
    mistyped = _find_mistyped(source, source.place(index)[0])
    if mistyped is not None:
        odd = source.text[mistyped]
        meant = taken_for(odd)
        hint = _TYPE_INSTEAD.get(meant, f"type `{meant}`")
        source.report(mistyped, "P003", f"broken YAML: {describe_lookalike(odd)}", "", hint)
        return mistyped
    if begun := _PATTERN.match(source.text, source.starts[source.place(index)[0] - 1]):
        hint = f"put `- id:` of every pattern in the same column; here it follows {plural(len(begun[1]), 'space')}"
    source.report(index, "P003", f"broken YAML: {problem}", "", hint)
    return index


def _report_second_document(error: yaml.MarkedYAMLError, source: Source) -> int:
    """Report the start of a second document. Return the text index where the second document starts."""
    index = error.problem_mark.index if error.problem_mark else 0
    source.report(
        index,
        "P003",
        "broken YAML: a second document begins here and is not read",
        expected="one document, with all patterns under one `patterns:`",
        hint="delete `---`, and move the patterns below it up to the other patterns",
    )
    return index


def _find_mistyped(source: Source, line: int) -> int | None:
    """Return the text index of a pattern's first mistyped character, or None.

    The search starts at the pattern's start or, if the line is in no pattern, at the start of the text. line: the
    one-based number of the last line to search. Curly quotes in a continuation line are ignored, because they may be
    part of a text.
    """
    found, indent = None, _indent(source.line(line))
    for number in range(line, 0, -1):
        text = source.line(number)
        mistyped, is_owner = _MISTYPED.match(text), number == line or _indent(text) < indent
        if mistyped and (is_owner or not re.fullmatch(_CURLY, mistyped[0][-1])):
            found = source.starts[number - 1] + mistyped.end() - 1
        indent = 0 if is_owner and number < line else indent
        if _PATTERN.match(text):
            break
    return found


def _indent(line: str) -> int:
    """Return the zero-based column of the first character after the list dashes of a line.

    The result is sys.maxsize for a blank line.
    """
    begun = re.match(r"[ \t]*(?:-[ \t]+)*(?=\S)", line)
    return begun.end() if begun else sys.maxsize


def _blank_item(text: str, index: int, source: Source) -> str | None:
    """Return the text with the pattern at an index blanked out, or None if no pattern is there."""
    lines = [text[a:b] for a, b in pairwise([*source.starts, len(text)])]
    items = [(row, len(begun[1])) for row, line in enumerate(lines) if (begun := _ITEM.match(line))]
    starts = [row for row, indent in items if indent == items[0][1]]
    row = source.place(index)[0] - 1
    begin = max((start for start in starts if start <= row), default=None)
    if begin is None:
        return None
    end = min((start for start in starts if start > row), default=len(lines))
    return "".join([*lines[:begin], *(_VISIBLE.sub(" ", line) for line in lines[begin:end]), *lines[end:]])


class _Foreign(NamedTuple):
    """A YAML feature that the pattern language excludes."""

    at: int  # text index
    message: str
    kind: str  # a key of _HINTS, or "merge"
    name: str = ""  # the name of the anchor or alias


class _Loader(yaml.SafeLoader):
    """PyYAML's pure Python reader, extended to collect the excluded features.

    The C reader is not used because its messages differ.
    """

    def __init__(self, text: str):
        super().__init__(text)
        self.foreign: list[_Foreign] = []
        self.merging: list[int] = []  # start indexes of the mappings with a merge key

    def forward(self, length: int = 1) -> None:
        """Advance by a number of characters. Within a line, the override is faster than the base class's method."""
        place = self.pointer + length
        if place + 1 < len(self.buffer) and self.buffer[self.pointer : place].isprintable():  # breaks are not printable
            self.pointer = place
            self.index += length
            self.column += length
        else:
            super().forward(length)

    def scan_block_scalar_breaks(self, indent: int) -> tuple[list[str], Any]:
        """Advance to the next line with text in a block scalar. Return the skipped line breaks and their end mark."""
        missing, mark = indent - self.column, self.get_mark()
        if missing > 0 and self.buffer.startswith(" " * missing, self.pointer):
            self.forward(missing)
        breaks, end = super().scan_block_scalar_breaks(indent)
        return breaks, end if breaks else mark

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        events: Any = self  # PyYAML's stubs leave these methods and the marks untyped
        event = events.peek_event()
        if isinstance(event, yaml.AliasEvent):
            marks: Any = event.start_mark, event.end_mark
            events.get_event()
            self._gather(event, f"the alias `*{event.anchor}`", "alias", str(event.anchor))
            return yaml.ScalarNode("", "", *marks)
        if event.anchor is not None:
            self._gather(event, f"the anchor `&{event.anchor}`", "anchor", event.anchor)
            event.anchor = None
        if event.tag is not None:
            self._gather(event, f"the tag `{event.tag}`", "tag")
        node = super().compose_node(parent, index)
        if isinstance(node, yaml.MappingNode):
            for key in (key for key, _ in node.value if key.tag == _MERGE):
                self._gather(key, "the merge key `<<`", "merge")
                self.merging.append(node.start_mark.index)
        return node

    def _gather(self, found: Any, message: str, kind: str, name: str = "") -> None:
        self.foreign.append(_Foreign(found.start_mark.index, message, kind, name))


def _compose_root(text: str, source: Source) -> yaml.Node | None:
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
    finally:
        loader.dispose()
    _report_foreign(source, sorted(loader.foreign), loader.merging)
    return root


def _report_foreign(source: Source, foreign: list[_Foreign], merging: list[int]) -> None:
    """Report the excluded YAML features.

    If a file has a merge key, or an alias of an anchor, the author probably uses these features on purpose. A single
    problem then reports all anchors, aliases and merge keys of the file. Other anchors and aliases, and all tags, are
    probably texts that lack quotes; the function reports each in a separate problem. Keys that seem to be missing
    beside a merge key are not reported.
    """
    names = [{one.name for one in foreign if one.kind == kind} for kind in ("anchor", "alias")]
    is_meant = bool(merging or names[0] & names[1])
    together = [one for one in foreign if is_meant and one.kind != "tag"]
    for one in foreign:
        if not is_meant or one.kind == "tag":
            source.report(one.at, "P004", one.message, "a plain value", dict(_HINTS)[one.kind])
    if together:
        lines = sorted({source.place(one.at)[0] for one in together[1:]})
        more = ", ..." if len(lines) > MOST_NAMED else ""
        counted = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines[:MOST_NAMED]))}{more}"
        others = f"; see also {counted}" if lines else ""
        hint = f"anchors, aliases and `<<` are not part of this language{others}"
        source.report(together[0].at, "P004", together[0].message, "each value written out where it is used", hint)
    source.settled.update(merging, (one.at for one in foreign))
    source.count += len(together[1:])
