"""Proposals of patterns, found in one part of the working positions and evaluated on the rest.

The search uses two thirds of the boards. Symmetric boards belong to the same part. The lower bound of a rule's
precision on unseen positions is computed from the remaining third alone, with Bonferroni's correction for the number of
rules evaluated on this third. All bounds of one report hold simultaneously with 95% confidence if the positions are
independent. Positions from the same game are only approximately independent. To count fixed blunders and spoilt wins,
the compiled player decides each position again with the pattern added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from textwrap import indent
from typing import Any, NamedTuple

import numpy as np

from littlego.engines.compiled.engine import compile_book, decide_many, fired_many
from littlego.engines.compiled.reasons import reasons_many
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import Knowledge, book_of_lines
from littlego.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern
from littlego.knowledge.problems import in_one_line
from littlego.knowledge.textfile import book_for, pattern_line
from littlego.learning.mining.changes import Change, Edited, best_change
from littlego.learning.mining.climbing import Climb
from littlego.learning.mining.drawing import draw_rule
from littlego.learning.mining.limits import TRIALS, Limit
from littlego.learning.mining.rules import (
    SPEAKS,
    WARNS,
    Features,
    MinedRule,
    Rule,
    Search,
    condition_texts,
    confidence_of_each,
    lower_bound,
    precision_of,
)
from littlego.learning.mining.table import Table, table_of
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import KO_AT, LEFT_AT, unpack, unpack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.labels import Labels
from littlego.truth.labels.positions import at_stake, held_out

SHOWN = 3  # maximum number of examples of each kind (MATCHES, NO_MATCH) in an entry
HEADER = "ruleset: little-go\npatterns:\n"
WARNING = "avoid"
_QUIET = (1 << LEFT_AT) - (1 << KO_AT)  # the bits of a code for the ko point and for whether a pass ends the game
MOSTLY = 0.7  # a rule gets a class if more than this share of its moves fits the class
_KINDS = (
    ("capture", "captures", 1, "Capture the stones: the move keeps the win in this shape."),
    ("escape", "saves", 1, "Bring the stones in atari to safety: the move keeps the win in this shape."),
    ("eye", "makes_life", 1, "Make the stones alive: the move keeps the win in this shape."),
    ("attack", "atari", 1, "Give atari: the move keeps the win in this shape."),
    ("connect", "joins", 2, "Join the chains: the move keeps the win in this shape."),
    ("cut", "cuts", 2, "Keep the opponent's chains apart: the move keeps the win in this shape."),
    ("edge", "edge", 1, "Play on the edge: the move keeps the win in this shape."),
)  # (class, fact, minimum value of the fact, summary)


@dataclass(frozen=True)
class Draft:
    """The values of a proposed pattern's entry, except the shape, the conditions and the examples."""

    id: str
    kind: str
    summary: str
    priority: int
    points: int
    doubt: str


def format_entry(draft: Draft, rule: Rule, matches: Sequence[Example], others: Sequence[Example]) -> str:
    """Return the entry as text, indented for the list under `patterns:`.

    matches, others: examples where the pattern fires, and examples where it does not.
    """
    rows, labels = draw_rule(rule)
    return "\n".join(
        [
            f"  - id: {draft.id}",
            f"    class: {draft.kind}",
            f'    summary: "{draft.summary}"',
            f"    priority: {draft.priority}",
            f"    points: {draft.points}",
            *_format_block("diagram", rows),
            *_format_block("labels", labels),
            *_format_conditions(rule),
            f'    doubt: "{draft.doubt}"',
            "    examples:",
            "      matches:",
            *(indent(example.text(), " " * 8) for example in matches),
            "      no_match:",
            *(indent(example.text(), " " * 8) for example in others),
        ]
    )


def _format_block(key: str, rows: Iterable[str]) -> list[str]:
    rows = [f"      {' '.join(row)}" for row in rows]
    return [f"    {key}: |", *rows] if rows else []


def _format_conditions(rule: Rule) -> list[str]:
    conditions = condition_texts(rule)
    return ["    when:", *(f"      - {condition}" for condition in conditions)] if conditions else []


def is_quiet(code: int) -> bool:
    """Return whether an example of a position needs no `previous` board.

    The board suffices if ko forbids no point and the last move was not a pass. code: the code of the position.
    """
    return not code & _QUIET


def example_of(kind: str, code: int, move: int) -> Example:
    """Return a position as an example of a pattern. kind: MATCHES or NO_MATCH."""
    return Example.of_position(kind, unpack(code), move)


@dataclass(frozen=True)
class Tally:
    """The effect of a rule, as counts of positions.

    fixed: blunders fixed. spoilt: wins spoilt. right: positions where the rule is right. positions: positions where the
    rule fires.
    """

    fixed: int
    spoilt: int
    right: int
    positions: int

    @property
    def gain(self) -> int:
        """Blunders fixed minus wins spoilt."""
        return self.fixed - self.spoilt

    def __str__(self) -> str:
        return f"+{self.fixed} -{self.spoilt}"


@dataclass(frozen=True)
class Proposal:
    """A proposed pattern.

    grown, held: the pattern's effect on searched and on held-out positions. bound: the lower bound of the pattern's
    precision on unseen positions. elsewhere: (number of positions where the pattern fires and every move loses, number
    of positions where the pattern fires and every move wins).
    """

    id: str
    text: str
    points: int
    grown: Tally
    held: Tally
    bound: float
    elsewhere: tuple[int, int]

    @property
    def gain(self) -> int:
        """Blunders fixed minus wins spoilt, on the whole working part."""
        return self.grown.gain + self.held.gain

    def as_yaml(self) -> str:
        """Return the entry as YAML, after a comment with the pattern's effect."""
        kept = f"right in at least {self.bound:.1%} of unseen positions"
        return f"  # {self.id}: searched {self.grown}, held out {self.held}; {kept}\n{self.text}"

    def as_json(self) -> dict[str, Any]:
        """Return the proposal as plain JSON values."""
        return {**asdict(self), "gain": self.gain}


class Report(NamedTuple):
    """Proposed patterns and proposed changes, each evaluated without the others."""

    proposals: list[Proposal]
    changes: list[Change]

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        return {
            "proposals": [one.as_json() for one in self.proposals],
            "changes": [one.as_json() for one in self.changes],
        }


class Mine:
    """A search for patterns and changes in labelled positions, with an evaluation on held-out positions."""

    def __init__(
        self,
        labels: Labels,
        knowledge: Knowledge,
        seed: int = 0,
        precision: float | None = None,
        ids: Sequence[str] = (),
        weights: np.ndarray | None = None,
    ):
        """labels: the labels of the working part. seed, precision: see rules.Search.

        ids: names of patterns; the search uses only the blunders whose moves these patterns decide or support, or all
        blunders if `ids` is empty.

        weights: the weights of the labels for hill climbing (see climbing), or None for the beam search.
        """
        stake = at_stake(labels.codes, labels.winning)
        self.knowledge, self.others = knowledge, labels.where(~stake)
        some = labels.where(stake)
        apart = held_out(some.codes)
        parts = some.where(~apart), some.where(apart)
        self.grown, self.held = (table_of(part.codes, part.winning, knowledge.book) for part in parts)
        self.held_features = Features(self.held)
        wanted = _has_a_say(ids, self.grown, knowledge.book) if ids else None
        if weights is None:
            self.search = Search(self.grown, seed, precision, wanted)
        else:
            self.search = Climb(
                self.grown, self.held_features, (weights[stake][~apart], weights[stake][apart]), seed, wanted
            )
        self.harmful = 0  # proposals and changes dropped because they do harm on the held-out positions

    def changes(self, ids: Sequence[str] = (), limit: Limit | None = None) -> Iterator[Change | None]:
        """Yield the best change to each changeable pattern, or None if it is not good enough.

        A change is good enough if best_change accepts it on the searched positions, and if its gain on the held-out
        positions is not negative.
        """
        book = self.knowledge.book
        grown, held = self.search.features, self.held_features
        fired, fired_held = (fired_many(one.table.codes, compile_book(book)) for one in (grown, held))
        for index in (limit or Limit()).take(self.changeable(ids), "patterns to change", TRIALS):
            edits = Edited(grown, book, index, fired[:, index]), Edited(held, book, index, fired_held[:, index])
            change = best_change(book.patterns[index], *edits)
            harms = change is not None and change.held[0] < change.held[1]
            self.harmful += harms
            yield None if harms else change

    def changeable(self, ids: Sequence[str] = ()) -> list[int]:
        """Return the indices of the patterns that may be changed.

        These are the patterns in `ids` or, if `ids` is empty, all patterns that fire in a searched position with a
        blunder.
        """
        book = self.knowledge.book
        if ids:
            return [index for index, pattern in enumerate(book.patterns) if pattern.id in ids]
        fired = fired_many(self.grown.codes[self.grown.blunders], compile_book(book))
        return np.flatnonzero((fired != 0).any(axis=0)).tolist()

    def as_json(self) -> dict[str, Any]:
        """Return the numbers of positions and of blunders in each part."""
        parts = {"grown": self.grown, "held": self.held}
        return {name: {"positions": one.codes.size, "blunders": int(one.blunders.sum())} for name, one in parts.items()}

    def describe(self) -> str:
        """Return a line with the numbers of positions and of blunders in each part."""
        grown, held = self.as_json().values()
        return (
            f"{grown['positions']} positions searched, {grown['blunders']} of them with blunders; "
            f"{held['positions']} held out, {held['blunders']} of them with blunders."
        )

    def proposals(self, most: int, limit: Limit | None = None) -> list[Proposal]:
        """Return the proposals from the rules found so far, largest gain on the whole working part first.

        Proposals with a negative gain on the held-out positions are dropped and counted in `harmful`.
        """
        rules = self.search.best(most)
        confidence = confidence_of_each(len(rules))
        numbered = (limit or Limit()).take(list(enumerate(rules, 1)), "rules to judge")
        proposals = [self._propose(one, number, confidence) for number, one in numbered]
        harmless = [one for one in proposals if one.held.gain >= 0]
        self.harmful += len(proposals) - len(harmless)
        return sorted(harmless, key=lambda one: (-one.gain, one.id))

    def _propose(self, mined: MinedRule, number: int, confidence: float) -> Proposal:
        name = f"mined-{number}"
        fired = self.search.features.fired(mined.rule)
        right, positions = precision_of(self.grown, fired, mined.priority)
        doubt = f"Mined: right in {right} of {positions} searched positions; name and explain this pattern."
        kind, summary = self._classify(mined, fired)
        draft = Draft(name, kind, summary, mined.priority, mined.points, doubt)
        text = format_entry(draft, mined.rule, *self._examples(mined, fired))
        pattern = compile_entry(text)
        grown, held = (self._tally(table, pattern, mined.priority) for table in (self.grown, self.held))
        bound = lower_bound(held.right, held.positions, confidence)
        return Proposal(name, text, mined.points, grown, held, bound, self._count_elsewhere(pattern))

    def _classify(self, mined: MinedRule, fired: np.ndarray) -> tuple[str, str]:
        """Return a provisional (class, summary) for a mined rule."""
        if mined.priority == WARNS:
            return WARNING, "In this shape the move gives wins away."
        for kind, fact, least, summary in _KINDS:
            if np.mean(self.search.features.facts[fact][fired] >= least) > MOSTLY:
                return kind, summary
        return "shape", "In this shape the move keeps the win."

    def _examples(self, mined: MinedRule, fired: np.ndarray) -> tuple[list[Example], list[Example]]:
        """Return (matching examples, non-matching examples) of a mined rule, from the searched positions.

        The method prefers matching examples in which the rule is right, and non-matching examples that are near misses.
        """
        table = self.grown
        wanted = table.wins if mined.priority == SPEAKS else ~table.wins
        matters = np.isin(table.position, list(mined.fixed))
        quiet = np.array([is_quiet(code) for code in table.codes.tolist()])[table.position]
        matches = [row for row in np.lexsort((~matters, ~wanted)).tolist() if fired[row] and quiet[row]]
        misses = self._find_near_misses(mined, ~wanted & quiet & ~fired) or np.flatnonzero(quiet & ~fired).tolist()
        return self._draw_examples(MATCHES, matches), self._draw_examples(NO_MATCH, misses)

    def _find_near_misses(self, mined: MinedRule, wanted: np.ndarray) -> list[int]:
        """Return rows where exactly one literal of the rule does not hold, at most one row for each literal.

        wanted: bool [rows], the rows to choose from.
        """
        rows = []
        for literal in mined.rule:
            rest = self.search.features.fired(tuple(one for one in mined.rule if one != literal))
            rows += np.flatnonzero(rest & wanted)[:1].tolist()
        return rows

    def _draw_examples(self, kind: str, rows: list[int]) -> list[Example]:
        """Return at most SHOWN examples, each from a position's first row in `rows`."""
        table, first = self.grown, dict[int, int]()
        for row in rows:
            first.setdefault(int(table.position[row]), row)
            if len(first) == SHOWN:
                break
        pairs = ((int(table.codes[position]), int(table.move[row])) for position, row in first.items())
        return [example_of(kind, code, unpack_move(move)) for code, move in pairs]

    def _tally(self, table: Table, pattern: KnownPattern, priority: int) -> Tally:
        """Return an additional pattern's effect on the player's decisions in a table's positions."""
        with_it = compile_book(book_of_lines((*self.knowledge.lines, pattern_line(pattern))))
        moves, _ = decide_many(table.codes, with_it)
        wins = (table.winning >> moves & 1).astype(bool)
        before = ~table.blunders
        right, positions = precision_of(table, fired_rows(table, pattern), priority)
        return Tally(int((wins & ~before).sum()), int((before & ~wins).sum()), right, positions)

    def _count_elsewhere(self, pattern: KnownPattern) -> tuple[int, int]:
        fires = _fired_masks(self.others.codes, pattern) != 0
        won = self.others.winning != 0
        return int((fires & ~won).sum()), int((fires & won).sum())


def compile_entry(text: str) -> KnownPattern:
    """Compile an entry, run its examples, and return the pattern; raise ValueError for any problem."""
    _, problems, base = compile_text(HEADER + text + "\n", "mined.yaml")
    if problems:
        raise ValueError(in_one_line(problems))
    return base.patterns[0]


def _fired_masks(codes: np.ndarray, pattern: KnownPattern) -> np.ndarray:
    masks: np.ndarray = fired_many(codes, compile_book(book_for([pattern], LITTLE_GO)))
    return masks[:, 0]


def fired_rows(table: Table, pattern: KnownPattern) -> np.ndarray:
    """Return, for each row of a table, whether a pattern fires for the row's move: bool [rows]."""
    fired: np.ndarray = _fired_masks(table.codes, pattern)[table.position] >> table.move & 1
    return fired.astype(bool)


def _has_a_say(ids: Sequence[str], table: Table, book: Book) -> np.ndarray:
    """Return, for each position, whether a pattern in `ids` decides or supports the player's move."""
    indices = [index for index, pattern in enumerate(book.patterns) if pattern.id in ids]
    return reasons_many(table.codes, compile_book(book), with_firings=False).has_a_say(indices)
