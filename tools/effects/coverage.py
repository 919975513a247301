"""What each pattern does in play: how often it fires, decides, changes the move, and is vetoed.

Pure functions of decisions and the book that made them; who plays the games is another room's matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.engine import Candidate, Decision, decide
from rules.patternfile import Book, Pattern

PATIENCE = 20  # positions in which a pattern that decides may fail to change the move before the search ends
BUILT_IN = "(built-in)"  # what stands for a class where no pattern spoke for the move
FIRED, DECIDED, CHANGED, VETOED = COUNTS = ("fired", "decided", "changed", "vetoed")


@dataclass
class Survey:
    """What a book did in a number of positions.

    positions: how many. classes: class -> moves that it decided. counts: pattern id -> Counter of COUNTS, each
    in positions: fired for a move that was looked at; decided the move; changed it (without the pattern, another
    move is played; searched for until found, so 1 a survey); vetoed (it forbids a move there, or a move that it
    led was vetoed).
    """

    positions: int = 0
    classes: Counter = field(default_factory=Counter)
    counts: dict[str, Counter] = field(default_factory=dict)

    def of(self, pattern_id: str) -> Counter:
        """Return a pattern's counts."""
        return self.counts.get(pattern_id, Counter())

    def add(self, other: Survey) -> None:
        """Count another survey's positions too."""
        self.positions += other.positions
        self.classes.update(other.classes)
        for pattern_id, counts in other.counts.items():
            self.counts.setdefault(pattern_id, Counter()).update(counts)

    def as_json(self) -> dict:
        """Return the survey as plain values."""
        counts = {pattern_id: dict(counts) for pattern_id, counts in sorted(self.counts.items())}
        return {"positions": self.positions, "classes": dict(self.classes), "counts": counts}


def from_json(values: dict) -> Survey:
    """Return the Survey that `as_json` wrote."""
    counts = {pattern_id: Counter(counts) for pattern_id, counts in values["counts"].items()}
    return Survey(values["positions"], Counter(values["classes"]), counts)


def total(surveys: Iterable[Survey]) -> Survey:
    """Return one survey of all their positions."""
    whole = Survey()
    for survey in surveys:
        whole.add(survey)
    return whole


def survey(decisions: Iterable[Decision], book: Book) -> Survey:
    """Return what the patterns of a book did in the decisions that it made."""
    found, without = Survey(), _Without(book)
    for decision in decisions:
        found.positions += 1
        leading = decision.chosen.firings[:1]
        found.classes[leading[0].pattern.kind if leading else BUILT_IN] += 1
        for pattern_id, did in _did(decision).items():
            counts = found.counts.setdefault(pattern_id, Counter())
            counts.update(did)
            if not counts[CHANGED] and _may_change(pattern_id, decision):
                counts[CHANGED] += without.changes(pattern_id, decision, PATIENCE if counts[DECIDED] else None)
    return found


def _did(decision: Decision) -> dict[str, set[str]]:
    """Return for every pattern that fired for a move looked at: which of COUNTS it did, changes aside."""
    found: dict[str, set[str]] = {}
    for candidate in decision.candidates:
        for rank, firing in enumerate(candidate.firings):
            did = found.setdefault(firing.pattern.id, {FIRED})
            if candidate.veto and (rank == 0 or firing.pattern.forbid):
                did.add(VETOED)
            if rank == 0 and candidate is decision.chosen:
                did.add(DECIDED)
    return found


def _may_change(pattern_id: str, decision: Decision) -> bool:
    """Return whether another move might be played without the pattern; False is certain, and spares deciding anew.

    It can matter if it leads the chosen move or a vetoed one, forbids one, or if its points keep the chosen move
    ahead of another.
    """
    chosen = decision.chosen
    given = _points_of(pattern_id, chosen)
    limit = chosen.priority, chosen.points - given, chosen.specificity
    for candidate in decision.candidates:
        leads = bool(candidate.firings) and candidate.firings[0].pattern.id == pattern_id
        if leads and (candidate is chosen or candidate.veto):
            return True
        if any(firing.pattern.forbid and firing.pattern.id == pattern_id for firing in candidate.firings):
            return True
        own = _points_of(pattern_id, candidate)
        if given > own and (candidate.priority, candidate.points - own, candidate.specificity) >= limit:
            return True
    return bool(chosen.veto)  # then losses count, not ranks


def _points_of(pattern_id: str, candidate: Candidate) -> int:
    return sum(firing.points for firing in candidate.firings if firing.pattern.id == pattern_id)


class _Without:
    """What would be played without one of a book's patterns."""

    def __init__(self, book: Book):
        self.book = book
        self.index = {pattern.id: index for index, pattern in enumerate(book.patterns)}
        self.books: dict[str, Book] = {}
        self.tries = Counter()

    def changes(self, pattern_id: str, decision: Decision, patience: int | None) -> bool:
        """Return whether another move is played; False once `patience` positions have been tried in vain."""
        if patience is not None and self.tries[pattern_id] >= patience:
            return False
        self.tries[pattern_id] += 1
        if pattern_id not in self.books:
            self.books[pattern_id] = book_without(self.book, self.index[pattern_id])
        return decide(decision.position, self.books[pattern_id]).move != decision.move


def book_without(book: Book, index: int) -> Book:
    """Return the book without patterns[index]; the placements of the others are not computed again."""
    begin, end = book.starts[index], book.starts[index + 1]
    starts = book.starts[:index] + [start - (end - begin) for start in book.starts[index + 1 :]]
    patterns = book.patterns[:index] + book.patterns[index + 1 :]
    words = tuple(list(column[:begin]) + list(column[end:]) for column in (book.cares, book.values, book.cells))
    return Book(book.ruleset_name, book.size, patterns, starts, words)


def is_inert(pattern: Pattern, games: Survey) -> bool:
    """Return whether a pattern neither decided nor changed a move in any game."""
    counts = games.of(pattern.id)
    return not counts[DECIDED] and not counts[CHANGED]


def remark(pattern: Pattern, games: Survey) -> str:
    """Return what is odd about a pattern's counts over games, or ''."""
    counts = games.of(pattern.id)
    if pattern.rare:
        return "" if is_inert(pattern, games) else "marked rare, yet it decides or changes moves: drop the mark"
    if not counts[FIRED]:
        return "inert: it never fires for a move that is looked at"
    if is_inert(pattern, games):
        return "inert: it fires, but never decides or changes a move"
    if not counts[CHANGED]:
        return "it decides, but the same moves are played without it"
    return ""


def table(book: Book, columns: dict[str, Survey], remarks: dict[str, str], everything: bool) -> list[str]:
    """Return a row for each pattern, or just for those with a remark: its counts in every column's survey."""
    width = max([len(pattern.id) for pattern in book.patterns] + [7])
    heads = "".join(f" {head:>32}" for head in columns)
    names = "".join(f"{name:>8}" for name in COUNTS)
    rows = [f"{'':{width + 10}}{heads}", f"{'pattern':{width}}  {'class':8}" + f" {names}" * len(columns)]
    for pattern in book.patterns:
        if everything or pattern.id in remarks:
            cells = "".join(f" {_cells(survey.of(pattern.id))}" for survey in columns.values())
            rows.append(f"{pattern.id:{width}}  {pattern.kind:8}{cells}  {remarks.get(pattern.id, '')}".rstrip())
    return rows


def remarks_on(book: Book, games: Survey) -> dict[str, str]:
    """Return what is odd, by pattern id, of the patterns where something is."""
    return {pattern.id: found for pattern in book.patterns if (found := remark(pattern, games))}


def _cells(counts: Counter) -> str:
    shown = {**counts, CHANGED: "yes" if counts[CHANGED] else "-"}
    return "".join(f"{shown.get(name, 0) or '-':>8}" for name in COUNTS)


def class_table(book: Book, games: Survey) -> list[str]:
    """Return a row for each class of the book: its patterns, those that changed a move, the moves it decided."""
    members = Counter(pattern.kind for pattern in book.patterns)
    changing = Counter(pattern.kind for pattern in book.patterns if games.of(pattern.id)[CHANGED])
    rows = [f"{'class':12}{'patterns':>9}{'changing':>9}{'decided':>9}"]
    for kind in sorted([*members, BUILT_IN], key=lambda kind: -games.classes[kind]):
        share = 100 * games.classes[kind] / max(games.positions, 1)
        rows.append(f"{kind:12}{members[kind]:9}{changing[kind]:9}{games.classes[kind]:9}{share:6.1f}%")
    return rows


def unreached(book: Book, games: Survey) -> list[str]:
    """Return the classes of the book whose patterns neither decided nor changed a move of the games."""
    reached = {pattern.kind for pattern in book.patterns if not is_inert(pattern, games)}
    return sorted({pattern.kind for pattern in book.patterns} - reached)
