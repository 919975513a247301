"""What each pattern does in play: how often it fires, decides, changes the move, and is vetoed, and where.

Pure functions of decisions and the book that made them; who plays the games is another room's matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.engine import Decision
from rules.patternfile import Book, Pattern
from tools.effects.images import Locator
from tools.effects.without import Without

BUILT_IN = "(built-in)"  # what stands for a class where no pattern spoke for the move
FIRED, DECIDED, CHANGED, VETOED = COUNTS = ("fired", "decided", "changed", "vetoed")


@dataclass
class Survey:
    """What a book did in a number of positions.

    positions: how many. classes: class -> moves that it decided. counts: pattern id -> Counter of COUNTS, each
    in positions: fired for a move that was looked at; decided the move; changed it (without the pattern, another
    move is played); vetoed (it forbids a move there, or a move that it led was vetoed). images, places: pattern id
    -> under which symmetries (see images.images) and with its top-left corner where it fired.
    """

    positions: int = 0
    classes: Counter = field(default_factory=Counter)
    counts: dict[str, Counter] = field(default_factory=dict)
    images: dict[str, set[int]] = field(default_factory=dict)
    places: dict[str, set[int]] = field(default_factory=dict)

    def of(self, pattern_id: str) -> Counter:
        """Return a pattern's counts."""
        return self.counts.get(pattern_id, Counter())

    def add(self, other: Survey) -> None:
        """Count another survey's positions too."""
        self.positions += other.positions
        self.classes.update(other.classes)
        for pattern_id, counts in other.counts.items():
            self.counts.setdefault(pattern_id, Counter()).update(counts)
        for mine, more in ((self.images, other.images), (self.places, other.places)):
            for pattern_id, seen in more.items():
                mine.setdefault(pattern_id, set()).update(seen)

    def as_json(self) -> dict:
        """Return the survey as plain values."""
        return {
            "positions": self.positions,
            "classes": dict(self.classes),
            "counts": {pattern_id: dict(counts) for pattern_id, counts in sorted(self.counts.items())},
            "images": {pattern_id: sorted(seen) for pattern_id, seen in sorted(self.images.items())},
            "places": {pattern_id: sorted(seen) for pattern_id, seen in sorted(self.places.items())},
        }


def from_json(values: dict) -> Survey:
    """Return the Survey that `as_json` wrote; raise KeyError, TypeError, ValueError or AttributeError for others."""
    counts = {pattern_id: Counter(counts) for pattern_id, counts in values["counts"].items()}
    images, places = ({name: set(seen) for name, seen in values[key].items()} for key in ("images", "places"))
    return Survey(values["positions"], Counter(values["classes"]), counts, images, places)


def total(surveys: Iterable[Survey]) -> Survey:
    """Return one survey of all their positions."""
    whole = Survey()
    for survey in surveys:
        whole.add(survey)
    return whole


def survey(decisions: Iterable[Decision], book: Book) -> Survey:
    """Return what the patterns of a book did in the decisions that it made."""
    found, without, locator = Survey(), Without(book), Locator(book)
    for decision in decisions:
        found.positions += 1
        leading = decision.chosen.firings[:1]
        found.classes[leading[0].pattern.kind if leading else BUILT_IN] += 1
        for pattern_id, did in _did(decision).items():
            found.counts.setdefault(pattern_id, Counter()).update(did)
        for pattern_id, move in without.moves(decision).items():
            if move != decision.move:
                found.counts[pattern_id][CHANGED] += 1
        for pattern_id, image, place in locator.spots(decision):
            found.images.setdefault(pattern_id, set()).add(image)
            found.places.setdefault(pattern_id, set()).add(place)
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


class ClassRow(NamedTuple):
    """A class of patterns: how many it has, how many of them changed a move, the moves that the class decided, and
    their share of all moves in percent."""

    kind: str
    patterns: int
    changing: int
    decided: int
    share: float


def class_rows(book: Book, games: Survey) -> list[ClassRow]:
    """Return a row for each class of the book, and one for moves of no pattern; those that decide most first."""
    members = Counter(pattern.kind for pattern in book.patterns)
    changing = Counter(pattern.kind for pattern in book.patterns if games.of(pattern.id)[CHANGED])
    return [
        ClassRow(
            kind,
            members[kind],
            changing[kind],
            games.classes[kind],
            100 * games.classes[kind] / max(games.positions, 1),
        )
        for kind in sorted([*members, BUILT_IN], key=lambda kind: (-games.classes[kind], kind))
    ]


def is_inert(pattern: Pattern, games: Survey) -> bool:
    """Return whether a pattern neither decided nor changed a move in any game."""
    counts = games.of(pattern.id)
    return not counts[DECIDED] and not counts[CHANGED]


def active_share(book: Book, games: Survey) -> float:
    """Return the share of the book's patterns, 0 to 1, that decide or change a move of the games."""
    active = sum(not is_inert(pattern, games) for pattern in book.patterns)
    return active / len(book.patterns) if book.patterns else 1.0


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


def remarks_on(book: Book, games: Survey) -> dict[str, str]:
    """Return what is odd, by pattern id, of the patterns where something is."""
    return {pattern.id: found for pattern in book.patterns if (found := remark(pattern, games))}
