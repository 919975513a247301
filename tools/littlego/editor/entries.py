"""The entries of a patterns file, each compiled separately and cached by its text.

Separate compilation gives the same result for an entry as the compilation of the whole file. Only one kind of problem
depends on other entries: a duplicate id. Each entry's id is therefore compared with the ids of the entries above it.
The file's knowledge base is assembled from its compiled entries.
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
from littlego.engines.books import source_digest
from littlego.knowledge.compiler import read, read_nodes
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem, no_such
from littlego.knowledge.source import Source, compose
from littlego.rules.ruleset import Ruleset

MOST_KEPT = 1000  # maximum number of cached compiled entries: more than twice as many as the longest shipped file has
MOST_NODES = 8  # maximum number of entries whose YAML nodes are cached
_BEGUN = re.compile(r" *- *")
_EMPTY = ("P009", "P010")  # problem codes for an invalid or empty list
BY_NUMBER = "#"  # prefix of the entry's zero-based number, which names an entry without an id


class NoSuchEntryError(LookupError):
    """Raised for an unknown id; the message suggests a similar id, if any."""


@dataclass(frozen=True)
class Compiled:
    """The compiler's result for one entry: the problems in file order, and the patterns.

    patterns: [] if there are problems. digest: the digest of the lines of Cut.head, the entry's text and the file's
    name. first: the one-based number of the entry's first line when the entry was compiled.
    """

    digest: str
    first: int
    problems: list[Problem]
    patterns: list[KnownPattern]


@dataclass
class Nodes:
    """An entry as YAML nodes, with the nodes' source.

    source: an excerpt of the file with only this entry. root: the excerpt's top node. item: the entry's mapping, None
    if the entry is not a mapping. values, keys: the nodes of the values and of the keys, by key; for a duplicate key,
    the first node.
    """

    source: Source
    root: yaml.Node | None
    item: yaml.MappingNode | None
    values: dict[str, yaml.Node] = field(default_factory=dict)
    keys: dict[str, yaml.Node] = field(default_factory=dict)


@dataclass
class Kept:
    """A cache of compiled entries by digest (see Compiled), shared by all revisions of a file."""

    compiled: OrderedDict[str, Compiled] = field(default_factory=OrderedDict)
    heads: dict[str, tuple[list[Problem], KnowledgeBase]] = field(default_factory=dict)

    def get(self, digest: str) -> Compiled | None:
        """Return the cached entry with a digest, or None; mark the returned entry as recently used."""
        if digest in self.compiled:
            self.compiled.move_to_end(digest)
        return self.compiled.get(digest)

    def put(self, entry: Compiled) -> Compiled:
        """Cache an entry; drop the least recently used entry if the cache is full. Return the entry."""
        self.compiled[entry.digest] = entry
        self.compiled.move_to_end(entry.digest)
        if len(self.compiled) > MOST_KEPT:
            self.compiled.popitem(last=False)
        return entry


class Entries:
    """The entries of one text of a patterns file.

    kept: the cache of compiled entries; None creates a cache. before: the entries of an earlier text of the file, which
    are reused if the texts differ in a single entry.
    """

    def __init__(self, text: str, filename: str, kept: Kept | None = None, before: Entries | None = None):
        self.cut: Cut = Cut(text, filename, before.cut if before else None)
        self._ids_before = before.ids if before and self.cut.edited is not None else None
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
        """The ids of the entries, found without parsing the YAML.

        An entry without an id gets `#` and the entry's zero-based number, such as `#3`.
        """
        edited = self.cut.edited
        if self._ids_before is None or edited is None:
            return [self._id_of(entry) for entry in self.all]
        return [*self._ids_before[:edited], self._id_of(self.all[edited]), *self._ids_before[edited + 1 :]]

    def _id_of(self, entry: Entry) -> str:
        return skim(self.cut.text_of(entry), "id") or f"{BY_NUMBER}{entry.number}"

    def entry(self, name: str) -> Entry:
        """Return the entry that a name refers to.

        A name is an entry's id, the id of a move of an entry's sequence, or `#` followed by an entry's zero-based
        number. Raise NoSuchEntryError for any other name.
        """
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
        """Return the patterns of an entry or, for the id of a sequence move, only the pattern of this move.

        Raise NoSuchEntryError for an unknown name.
        """
        patterns = self.compiled(self.entry(name)).patterns
        return [pattern for pattern in patterns if pattern.id == name] or patterns

    def nodes(self, entry: Entry) -> Nodes:
        """Return an entry as YAML nodes, from a cache of the last MOST_NODES entries."""
        if entry.number not in self._nodes:
            source = self.cut.excerpt(entry)
            root = compose(source)
            item = _only_item(root)
            self._nodes[entry.number] = Nodes(source, root, item, *values_and_keys(item))
            if len(self._nodes) > MOST_NODES:
                self._nodes.popitem(last=False)
        return self._nodes[entry.number]

    def compiled(self, entry: Entry) -> Compiled:
        """Return the compiler's result for an entry."""
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
        """Return the compiler's result for an entry, or None if the result is not cached."""
        known = self.kept.compiled.get(_digest(self.cut.head, self.cut.text_of(entry), self.filename))
        return None if known is None else self.compiled(entry)

    def _compile(self, entry: Entry, digest: str, taken: dict[str, int] | None = None) -> Compiled:
        nodes = self.nodes(entry)
        source = Source(nodes.source.text, self.filename)  # a copy with only the problems from composing the YAML nodes
        source.starts = nodes.source.starts
        source.problems, source.count = list(nodes.source.problems), nodes.source.count
        source.repaired, source.settled = nodes.source.repaired, set(nodes.source.settled)
        base = read_nodes(source, nodes.root, taken)
        within = [one for one in dict.fromkeys(source.problems) if entry.first <= one.line <= entry.last]
        problems = sorted(replace(one, excerpt=source.line(one.line)) for one in within)
        return Compiled(digest, entry.first, problems, base.patterns)

    def _without_taken_ids(self, entry: Entry, known: Compiled) -> Compiled:
        """Return `known` or, if an entry above has the same id, a result that also reports the duplicate id."""
        above = self.ids[: entry.number]
        names = {self.ids[entry.number], *(pattern.id for pattern in known.patterns)}
        if not names.intersection(above):
            return known
        taken = {name: self.all[number].first for number, name in reversed(list(enumerate(above)))}
        return self._compile(entry, known.digest, taken)

    @cached_property
    def head(self) -> tuple[list[Problem], KnowledgeBase]:
        """The problems outside the entries, and a knowledge base without entries.

        The knowledge base has only the ruleset, the phases and the shared patterns.
        """
        digest = _digest(self.cut.outside if self.all else self.text, self.filename, str(bool(self.all)))
        if digest not in self.kept.heads:
            self.kept.heads.clear()
            self.kept.heads[digest] = self._read_head()
        return self.kept.heads[digest]

    def _read_head(self) -> tuple[list[Problem], KnowledgeBase]:
        source = self.cut.excerpt(None, shares=True) if self.all else Source(self.text, self.filename)
        base = read(source)
        problems = [replace(one, excerpt=source.line(one.line)) for one in dict.fromkeys(source.problems)]
        if self.all:  # the excerpt has no entries, but the file has some
            empty = [problem for problem in problems if problem.code in _EMPTY and "`patterns`" in problem.message]
            problems = [problem for problem in problems if problem not in empty]
        return sorted(problems), base

    @property
    def ruleset(self) -> Ruleset:
        return self.head[1].ruleset

    @property
    def shared(self) -> list[KnownPattern]:
        """The patterns for this file's ruleset, from the file named by the key `shares`."""
        return self.head[1].shared

    def base(self) -> tuple[KnowledgeBase, list[Problem]]:
        """Return the valid patterns of the file, and the problems that the compiler finds, in file order."""
        compiled = [self.compiled(entry) for entry in self.all]
        patterns = [pattern for one in compiled for pattern in one.patterns]
        problems = [*self.head[0], *(problem for one in compiled for problem in one.problems)]
        digest = source_digest(self.text.encode("utf-8", "surrogatepass"))
        head = self.head[1]
        base = KnowledgeBase(self.filename, head.ruleset, digest, patterns, head.shared, head.phases)
        return base, sorted(problems)


def move_lines(pattern: KnownPattern, by: int) -> KnownPattern:
    """Return a copy of a pattern with all line numbers increased by `by`."""
    return replace(
        pattern,
        line=pattern.line + by,
        places={key: (line + by, column) for key, (line, column) in pattern.places.items()},
        examples=[replace(example, line=example.line + by) for example in pattern.examples],
        companions=tuple(move_lines(companion, by) for companion in pattern.companions),
    )


@lru_cache(maxsize=6000)
def skim(text: str, key: str) -> str:
    """Return the value of a key in an entry's text, or '' if the key is missing or has no one-line value.

    The entry is not parsed.
    """
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


@lru_cache(maxsize=2 * MOST_KEPT)
def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _only_item(root: yaml.Node | None) -> yaml.MappingNode | None:
    pairs: Iterable[tuple[yaml.Node, yaml.Node]] = root.value if isinstance(root, yaml.MappingNode) else ()
    for key, value in pairs:
        if key.value == "patterns" and isinstance(value, yaml.SequenceNode) and value.value:
            return value.value[0] if isinstance(value.value[0], yaml.MappingNode) else None
    return None


def values_and_keys(node: yaml.Node | None) -> tuple[dict[str, yaml.Node], dict[str, yaml.Node]]:
    """Return a mapping's value nodes and key nodes, each by key; for a duplicate key, the first node."""
    values: dict[str, yaml.Node] = {}
    keys: dict[str, yaml.Node] = {}
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode) and key.value not in values:
            values[key.value], keys[key.value] = value, key
    return values, keys
