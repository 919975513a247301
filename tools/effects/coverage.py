"""What each pattern does in play: how often it fires, decides, changes the move, and is vetoed, and where.

Pure functions of decisions and the book that made them; who plays the games is another module's matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.engine import Decision, Firing, canonical, located
from rules.geometry import SYMMETRIES, inverse, symmetry_tables
from rules.matching import parse_shape
from rules.patternfile import Book, Pattern
from tools.draw.boards import turn_rows
from tools.effects.books import Knowledge
from tools.effects.parts import Variants

BUILT_IN = "(built-in)"  # the class of a move that no pattern spoke for
FIRED, DECIDED, CHANGED, VETOED = COUNTS = ("fired", "decided", "changed", "vetoed")
EXAMPLES, REAL, RECORDED = "examples", "real games", "recorded positions"  # where patterns are met
RARE = 1000  # a pattern that decides or changes one move in so many, or fewer, may be missed by a test run
AGAINST, PLAYED, TEST_RUN = "against ", "played: ", "test: "  # followed by a role, a file, a test
CORPORA = {  # how a source's name starts -> the corpus that it belongs to
    EXAMPLES: "examples",
    REAL: "real games",
    RECORDED: "decisions on record",
    AGAINST: "games against roles",
    PLAYED: "played games",
    TEST_RUN: "test run",
}


@dataclass
class Survey:
    """What a book did in a number of positions.

    positions: how many. classes: class -> moves that it decided. counts: pattern id -> Counter of COUNTS, each
    in positions: fired for a move that was looked at; decided the move; changed it (without the pattern, another
    move is played); vetoed (it forbids a move there, or a move that it led was vetoed). images, places: pattern id
    -> under which symmetries (see image_numbers) and with its top-left corner where it fired.
    """

    positions: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    images: dict[str, set[int]] = field(default_factory=dict)
    places: dict[str, set[int]] = field(default_factory=dict)

    def of(self, pattern_id: str) -> Counter[str]:
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

    def as_json(self) -> dict[str, Any]:
        """Return the survey as plain values."""
        return {
            "positions": self.positions,
            "classes": dict(self.classes),
            "counts": {pattern_id: dict(counts) for pattern_id, counts in sorted(self.counts.items())},
            "images": {pattern_id: sorted(seen) for pattern_id, seen in sorted(self.images.items())},
            "places": {pattern_id: sorted(seen) for pattern_id, seen in sorted(self.places.items())},
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Survey:
        """Return the Survey that `as_json` wrote; raise KeyError, TypeError, ValueError or AttributeError."""
        counts = {pattern_id: Counter(counts) for pattern_id, counts in values["counts"].items()}
        images, places = ({name: set(seen) for name, seen in values[key].items()} for key in ("images", "places"))
        return cls(values["positions"], Counter(values["classes"]), counts, images, places)


def total_survey(surveys: Iterable[Survey]) -> Survey:
    """Return one survey of all their positions."""
    whole = Survey()
    for survey in surveys:
        whole.add(survey)
    return whole


def total_in_play(surveys: Mapping[str, Survey]) -> Survey:
    """Return what the patterns do in all sources that are play: all but the examples and the test run."""
    return total_survey(
        survey for name, survey in surveys.items() if name != EXAMPLES and not name.startswith(TEST_RUN)
    )


def group_by_corpus(surveys: Mapping[str, Survey]) -> dict[str, Survey]:
    """Return the surveys of all sources by the corpus that they belong to; the corpora's first letters differ."""
    corpora: dict[str, list[Survey]] = {}
    for name, survey in surveys.items():
        corpora.setdefault(next((kind for start, kind in CORPORA.items() if name.startswith(start)), name), []).append(
            survey
        )
    return {kind: total_survey(surveys) for kind, surveys in corpora.items()}


def survey_decisions(decisions: Iterable[Decision], book: Book) -> Survey:
    """Return what the patterns of a book did in the decisions that it made."""
    result, variants, locator = Survey(), Variants(book), Locator(book)
    for decision in decisions:
        result.positions += 1
        leading = decision.chosen.firings[:1]
        result.classes[leading[0].pattern.kind if leading else BUILT_IN] += 1
        for pattern_id, did in _deeds(decision).items():
            result.counts.setdefault(pattern_id, Counter()).update(did)
        for pattern_id, move in variants.moves_without(decision).items():
            if move != decision.move:
                result.counts[pattern_id][CHANGED] += 1
        for pattern_id, image, place in locator.locate(decision):
            result.images.setdefault(pattern_id, set()).add(image)
            result.places.setdefault(pattern_id, set()).add(place)
    return result


def _deeds(decision: Decision) -> dict[str, set[str]]:
    """Return for every pattern that fired for a move looked at: which of COUNTS it did, changes aside."""
    deeds: dict[str, set[str]] = {}
    for candidate in decision.candidates:
        for rank, firing in enumerate(candidate.firings):
            did = deeds.setdefault(firing.pattern.id, {FIRED})
            if candidate.veto and (rank == 0 or firing.pattern.forbid):
                did.add(VETOED)
            if rank == 0 and candidate is decision.chosen:
                did.add(DECIDED)
    return deeds


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
        is_rare = max(counts[DECIDED], counts[CHANGED]) * RARE <= games.positions
        return (
            "" if is_rare else f"marked rare, yet it decides or changes more than one move in {RARE:,}: drop the mark"
        )
    if not counts[FIRED]:
        return "inert: it never fires for a move that is looked at"
    if is_inert(pattern, games):
        return "inert: it fires, but never decides or changes a move"
    if not counts[CHANGED]:
        return "it decides, but the same moves are played without it"
    return ""


def coverage_json(knowledge: Knowledge, surveys: Mapping[str, Survey], in_play: Survey) -> dict[str, Any]:
    """Return all counts as plain values; in_play: what the patterns do in all sources that are play."""
    return {
        "patterns": knowledge.name,
        "active_percent": round(100 * active_share(knowledge.book, in_play), 2),
        "remarks": remarks_on(knowledge.book, in_play),
        "sources": {name: survey.as_json() for name, survey in surveys.items()},
    }


def remarks_on(book: Book, games: Survey) -> dict[str, str]:
    """Return what is odd, by pattern id, of the patterns where something is."""
    return {pattern.id: text for pattern in book.patterns if (text := remark(pattern, games))}


def image_numbers(pattern: Pattern) -> list[int]:
    """Return for each symmetry the first one that turns the pattern's drawing, labels included, alike."""
    drawn = [(turn_rows(pattern.rows, s), turn_rows(pattern.label_rows, s)) for s in range(SYMMETRIES)]
    return [drawn.index(picture) for picture in drawn]


def possible_places(pattern: Pattern, size: int) -> set[int]:
    """Return the points where the top-left corner of one of its images can lie on a board; none for no drawing."""
    places: set[int] = set()
    for symmetry in sorted(set(image_numbers(pattern))) if pattern.rows else ():
        shape = parse_shape(turn_rows(pattern.rows, symmetry))
        top, bottom, left, right = shape.edges
        lowest, rightmost = size - shape.height, size - shape.width
        rows = [row for row in range(lowest + 1) if not (top and row) and not (bottom and row != lowest)]
        columns = [column for column in range(rightmost + 1) if not (left and column)]
        places |= {size * row + column for row in rows for column in columns if not (right and column != rightmost)}
    return places


class Locator:
    """Tells under which symmetry and where the patterns of a book fire on the real board."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.tables = symmetry_tables(book.size)
        self.mask = (1 << 3 + book.bits) - 1  # of a placement's symmetry and place
        self.images = {pattern.id: image_numbers(pattern) for pattern in book.patterns}
        self.known: dict[tuple[str, int, int], tuple[int, int]] = {}

    def locate(self, decision: Decision) -> Iterator[tuple[str, int, int]]:
        """Yield (pattern id, image, place) of every firing of a decision that is drawn on the board."""
        table, _ = canonical(decision.position)
        turn = self.tables.index(table)
        for candidate in decision.candidates:
            for firing in candidate.firings:
                if firing.pattern.rows:
                    yield firing.pattern.id, *self._image_and_place(firing, turn)

    def _image_and_place(self, firing: Firing, turn: int) -> tuple[int, int]:
        key = firing.pattern.id, firing.cells & self.mask, turn
        if key not in self.known:
            symmetry, place = located(firing, inverse(self.tables[turn]), self.tables, self.book)
            self.known[key] = self.images[firing.pattern.id][symmetry], place
        return self.known[key]
