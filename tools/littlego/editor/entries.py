"""The entries of a patterns file, each compiled alone and cached by its text.

What is said of an entry is what the compiler says of the whole file, but for what takes other entries to see: an id
used twice is found among the ids above. The file's knowledge base is put together from its entries.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256

import yaml

from littlego.editor.cutting import Cut, Entry
from littlego.knowledge.compiler import read, read_nodes
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem, no_such
from littlego.knowledge.source import Source, compose
from littlego.rules.ruleset import Ruleset

MOST_KEPT = 1000  # entries compiled: twice those of the longest file of today
MOST_NODES = 8  # entries whose YAML is kept
_BEGUN = re.compile(r" *- *")
_EMPTY = ("P009", "P010")  # codes of a list that is none, or has nothing in it
BY_NUMBER = "#"  # before the number of an entry that has no id, in place of its id


class NoSuchEntryError(LookupError):
    """No entry has that id; the text says so, and which may be meant."""


@dataclass(frozen=True)
class Compiled:
    """What the compiler says of one entry: problems by place, and the patterns, none where there is a problem.

    digest: of all that it was read from. first: the line on which it stood.
    """

    digest: str
    first: int
    problems: list[Problem]
    patterns: list[KnownPattern]


@dataclass
class Nodes:
    """An entry as YAML: the source it was read from, and its mapping, None where it is none.

    values: the nodes of its keys, of a key written twice the first.
    """

    source: Source
    root: yaml.Node | None
    item: yaml.MappingNode | None
    values: dict[str, yaml.Node] = field(default_factory=dict)
    keys: dict[str, yaml.Node] = field(default_factory=dict)


@dataclass
class Kept:
    """What was compiled before, by text; lives longer than any revision of a file."""

    compiled: OrderedDict[str, Compiled] = field(default_factory=OrderedDict)
    heads: dict[str, tuple[list[Problem], KnowledgeBase]] = field(default_factory=dict)

    def get(self, digest: str) -> Compiled | None:
        """Return an entry that was compiled before, and keep it longer than those that nobody asks for."""
        if digest in self.compiled:
            self.compiled.move_to_end(digest)
        return self.compiled.get(digest)

    def put(self, entry: Compiled) -> Compiled:
        """Keep an entry, and let go of the one that was asked for longest ago."""
        self.compiled[entry.digest] = entry
        self.compiled.move_to_end(entry.digest)
        if len(self.compiled) > MOST_KEPT:
            self.compiled.popitem(last=False)
        return entry


class Entries:
    """The entries of one text. kept: what was compiled of earlier ones."""

    def __init__(self, text: str, filename: str, kept: Kept | None = None):
        self.cut = Cut(text, filename)
        self.kept = kept if kept is not None else Kept()
        self._nodes: OrderedDict[int, Nodes] = OrderedDict()

    @property
    def text(self) -> str:
        return self.cut.text

    @property
    def filename(self) -> str:
        return self.cut.filename

    @property
    def all(self) -> list[Entry]:
        return self.cut.entries

    @cached_property
    def ids(self) -> list[str]:
        """The id of each entry, as its line has it; `#3` for the fourth where there is none."""
        return [skim(self.cut.text_of(entry), "id") or f"{BY_NUMBER}{entry.number}" for entry in self.all]

    def entry(self, name: str) -> Entry:
        """Return the entry with an id, that of a move of a sequence, or `#` and a number; raise NoSuchEntryError."""
        if name in self.ids:
            return self.all[self.ids.index(name)]
        number = name.removeprefix(BY_NUMBER)
        if name != number and number.isascii() and number.isdigit() and int(number) < len(self.all):
            return self.all[int(number)]
        sequence, _, move = name.rpartition("-")
        if move.isdigit() and sequence in self.ids:
            entry = self.all[self.ids.index(sequence)]
            if any(pattern.id == name for pattern in self.compiled(entry).patterns):
                return entry
        raise NoSuchEntryError(no_such("pattern", name, self.ids))

    def patterns(self, name: str) -> list[KnownPattern]:
        """Return the patterns that an entry makes, of the one move alone where the id is that of a sequence's move."""
        patterns = self.compiled(self.entry(name)).patterns
        return [one for one in patterns if one.id == name] or patterns

    def nodes(self, entry: Entry) -> Nodes:
        """Return an entry as YAML."""
        if entry.number not in self._nodes:
            source = self.cut.excerpt(entry)
            root = compose(source)
            item = _only_item(root)
            self._nodes[entry.number] = Nodes(source, root, item, *values_and_keys(item))
            if len(self._nodes) > MOST_NODES:
                self._nodes.popitem(last=False)
        return self._nodes[entry.number]

    def compiled(self, entry: Entry) -> Compiled:
        """Return what the compiler says of an entry."""
        digest = _digest(self.cut.head, self.cut.text_of(entry), self.filename)
        known = self.kept.get(digest)
        if known is None or (known.problems and known.first != entry.first):
            known = self.kept.put(self._compile(entry, digest))
        elif known.first != entry.first:
            shift = entry.first - known.first
            moved = [move_lines(pattern, shift) for pattern in known.patterns]
            known = self.kept.put(Compiled(digest, entry.first, [], moved))
        return self._without_taken_ids(entry, known)

    def known(self, entry: Entry) -> Compiled | None:
        """Return what the compiler says of an entry where it was asked before, else None."""
        known = self.kept.compiled.get(_digest(self.cut.head, self.cut.text_of(entry), self.filename))
        return None if known is None else self.compiled(entry)

    def _compile(self, entry: Entry, digest: str, taken: dict[str, int] | None = None) -> Compiled:
        nodes = self.nodes(entry)
        source = Source(nodes.source.text, self.filename)  # one that has the problems of composing it alone
        source.starts = nodes.source.starts
        source.problems, source.count = list(nodes.source.problems), nodes.source.count
        source.repaired, source.settled = nodes.source.repaired, set(nodes.source.settled)
        base = read_nodes(source, nodes.root, taken)
        within = [one for one in dict.fromkeys(source.problems) if entry.first <= one.line <= entry.last]
        problems = sorted(replace(one, excerpt=source.line(one.line)) for one in within)
        return Compiled(digest, entry.first, problems, base.patterns)

    def _without_taken_ids(self, entry: Entry, known: Compiled) -> Compiled:
        """Return the entry, read anew where an entry above has its id."""
        above = self.ids[: entry.number]
        names = {self.ids[entry.number], *(pattern.id for pattern in known.patterns)}
        if not names.intersection(above):
            return known
        taken = {name: self.all[number].first for number, name in reversed(list(enumerate(above)))}
        return self._compile(entry, known.digest, taken)

    @cached_property
    def head(self) -> tuple[list[Problem], KnowledgeBase]:
        """What is wrong outside the entries, and the knowledge base without them: its ruleset, what it shares."""
        digest = _digest(self.cut.outside if self.all else self.text, self.filename, str(bool(self.all)))
        if digest not in self.kept.heads:
            self.kept.heads.clear()
            self.kept.heads[digest] = self._read_head()
        return self.kept.heads[digest]

    def _read_head(self) -> tuple[list[Problem], KnowledgeBase]:
        source = self.cut.excerpt(None, shares=True) if self.all else Source(self.text, self.filename)
        base = read(source)
        problems = [replace(one, excerpt=source.line(one.line)) for one in dict.fromkeys(source.problems)]
        if self.all:  # then `patterns` is not as empty as it looks
            empty = [one for one in problems if one.code in _EMPTY and "`patterns`" in one.message]
            problems = [one for one in problems if one not in empty]
        return sorted(problems), base

    @property
    def ruleset(self) -> Ruleset:
        return self.head[1].ruleset

    @property
    def shared(self) -> list[KnownPattern]:
        """The patterns of another file that count here, too."""
        return self.head[1].shared

    def base(self) -> tuple[KnowledgeBase, list[Problem]]:
        """Return the patterns of the file that are in order, and all problems but failing examples, by place."""
        compiled = [self.compiled(entry) for entry in self.all]
        patterns = [pattern for one in compiled for pattern in one.patterns]
        problems = [*self.head[0], *(problem for one in compiled for problem in one.problems)]
        digest = sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
        base = KnowledgeBase(self.filename, self.ruleset, digest, patterns, self.shared)
        return base, sorted(problems)


def move_lines(pattern: KnownPattern, by: int) -> KnownPattern:
    """Return a pattern that stands so many lines further down."""
    return replace(
        pattern,
        line=pattern.line + by,
        places={key: (line + by, column) for key, (line, column) in pattern.places.items()},
        examples=[replace(example, line=example.line + by) for example in pattern.examples],
        companions=tuple(move_lines(one, by) for one in pattern.companions),
    )


@lru_cache(maxsize=6000)
def skim(text: str, key: str) -> str:
    """Return the one-line value of a key of an entry, without reading the entry; '' where it has none."""
    begun = _BEGUN.match(text)
    if begun is None:
        return ""
    indent = rf"(?:{re.escape(begun[0])}|^ {{{len(begun[0])}}})"
    found = re.search(rf"{indent}{key}[ \t]*:([ \t].*)?\r?$", text, re.MULTILINE)
    return _scalar(found[1]) if found and found[1] else ""


def _scalar(text: str) -> str:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return text.strip()
    return " ".join(node.value.split()) if isinstance(node, yaml.ScalarNode) else ""


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _only_item(root: yaml.Node | None) -> yaml.MappingNode | None:
    pairs: Iterable[tuple[yaml.Node, yaml.Node]] = root.value if isinstance(root, yaml.MappingNode) else ()
    for key, value in pairs:
        if key.value == "patterns" and isinstance(value, yaml.SequenceNode) and value.value:
            return value.value[0] if isinstance(value.value[0], yaml.MappingNode) else None
    return None


def values_and_keys(node: yaml.Node | None) -> tuple[dict[str, yaml.Node], dict[str, yaml.Node]]:
    """Return the nodes of a mapping's values, and those of its keys, by key; of one written twice the first."""
    values: dict[str, yaml.Node] = {}
    keys: dict[str, yaml.Node] = {}
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode) and key.value not in values:
            values[key.value], keys[key.value] = value, key
    return values, keys
