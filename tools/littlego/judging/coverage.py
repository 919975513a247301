"""Coverage: the roles of each pattern in a set of positions, and the places where the pattern fires.

A pattern decides a move if its removal changes the move. If no single pattern decides a move, the move is supported by
the smallest known set of patterns whose removal changes the move (see littlego.engines.reasons). The compiled engine
surveys whole corpora of Little-Go positions: see littlego.judging.corpora.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from littlego.engines.reasons.contrast import (
    ALONE,
    DECIDES,
    KINDS,
    LOSS,
    ORDER,
    OVERRIDE,
    POINTS,
    PRESENT,
    PRIORITY,
    RESULT,
    SPECIFICITY,
    SUPPORTS,
    VETO,
    contrast,
    roles_of,
)
from littlego.games.boards import turn_rows
from littlego.knowledge.files import Knowledge
from littlego.knowledge.model import NO_PATTERN
from littlego.rules.engine import Decision, Firing, located
from littlego.rules.geometry import SYMMETRIES, inverse, symmetry_tables
from littlego.rules.matching import parse_shape
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.position import Position

if TYPE_CHECKING:
    from littlego.engines.compiled.reasons import Reasons

VETOED = "vetoed"
COUNTS = (DECIDES, SUPPORTS, PRESENT, VETOED)
EXAMPLES, REAL, RECORDED = "examples", "real games", "recorded positions"  # sources of positions
CACHE = "coverage"  # the name of the cache of surveys
RARE = 1000  # a pattern marked rare should decide at most one in RARE moves
ENGINES = "games of engines, "  # followed by the size of their boards
AGAINST, PLAYED, TEST_RUN = "against ", "played: ", "test: "  # followed by a role, a file, a test
CORPORA = {  # prefix of a source's name -> its corpus
    EXAMPLES: "examples",
    REAL: "real games",
    RECORDED: "decisions on record",
    AGAINST: "games against roles",
    PLAYED: "played games",
    TEST_RUN: "test run",
}
KIND_WORDS = {  # descriptions of the kinds of decisions: see littlego.engines.reasons.contrast
    POINTS: "points",
    PRIORITY: "priority",
    SPECIFICITY: "specificity",
    ORDER: "the fixed order of the moves",
    RESULT: "the exact result",
    VETO: "a veto of all other moves",
    LOSS: "the smallest loss",
    ALONE: "no other move",
    OVERRIDE: "a position on record",
}


@dataclass
class Survey:
    """The roles of a book's patterns in a set of positions.

    positions: the number of positions. kinds: the number of positions for each kind of decision (see
    littlego.engines.reasons.contrast.KINDS). classes: for each class, the number of positions in which a pattern of the
    class decides or supports the move; for NO_PATTERN, the number of positions in which no pattern decides or supports
    the move. counts: {pattern id: {one of COUNTS: number of positions}}. DECIDES, SUPPORTS: positions in which the
    pattern fires for a legal move and decides or supports the book's move. PRESENT: positions in which the pattern
    fires, but neither decides nor supports the move. VETOED: positions in which the pattern forbids a move, or is the
    leading pattern of a vetoed move. images: {pattern id: symmetries under which the pattern fired, as numbers from
    image_numbers}. places: {pattern id: points where the drawing's top-left corner lay when the pattern fired}.
    """

    positions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    images: dict[str, set[int]] = field(default_factory=dict)
    places: dict[str, set[int]] = field(default_factory=dict)

    def of(self, pattern_id: str) -> Counter[str]:
        """Return a pattern's counts, all 0 if the pattern fired in no position."""
        return self.counts.get(pattern_id, Counter())

    def add(self, other: Survey) -> None:
        """Add another survey of the same book to this survey."""
        self.positions += other.positions
        self.kinds.update(other.kinds)
        self.classes.update(other.classes)
        for pattern_id, counts in other.counts.items():
            self.counts.setdefault(pattern_id, Counter()).update(counts)
        for mine, more in ((self.images, other.images), (self.places, other.places)):
            for pattern_id, seen in more.items():
                mine.setdefault(pattern_id, set()).update(seen)

    def as_json(self) -> dict[str, Any]:
        """Return the survey as a dictionary for JSON."""
        return {
            "positions": self.positions,
            "kinds": dict(self.kinds),
            "classes": dict(self.classes),
            "counts": {pattern_id: dict(counts) for pattern_id, counts in sorted(self.counts.items())},
            "images": {pattern_id: sorted(seen) for pattern_id, seen in sorted(self.images.items())},
            "places": {pattern_id: sorted(seen) for pattern_id, seen in sorted(self.places.items())},
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Survey:
        """Return the Survey that a dictionary from `as_json` represents.

        For a damaged dictionary, raise KeyError, TypeError, ValueError or AttributeError.
        """
        counts = {pattern_id: Counter(counts) for pattern_id, counts in values["counts"].items()}
        images, places = ({name: set(seen) for name, seen in values[key].items()} for key in ("images", "places"))
        return cls(values["positions"], Counter(values["kinds"]), Counter(values["classes"]), counts, images, places)


def total_survey(surveys: Iterable[Survey]) -> Survey:
    """Return a new survey that combines several surveys of the same book."""
    whole = Survey()
    for survey in surveys:
        whole.add(survey)
    return whole


def total_in_play(surveys: Mapping[str, Survey]) -> Survey:
    """Return the total survey of all sources except the examples and the test run."""
    return total_survey(
        survey for name, survey in surveys.items() if name != EXAMPLES and not name.startswith(TEST_RUN)
    )


def group_by_corpus(surveys: Mapping[str, Survey]) -> dict[str, Survey]:
    """Return {name of a corpus: total survey of the corpus}."""
    corpora: dict[str, list[Survey]] = {}
    for name, survey in surveys.items():
        corpora.setdefault(next((kind for start, kind in CORPORA.items() if name.startswith(start)), name), []).append(
            survey
        )
    return {kind: total_survey(surveys) for kind, surveys in corpora.items()}


def survey_positions(positions: Iterable[Position], book: Book) -> Survey:
    """Return the survey of a book in positions of Little-Go; raise ValueError for an invalid position."""
    from littlego.engines.compiled.engine import codes_of, compile_book  # lazy: numba takes a second to load
    from littlego.engines.compiled.reasons import reasons_many

    return survey_reasons(reasons_many(codes_of(positions), compile_book(book)), book)


def survey_reasons(reasons: Reasons, book: Book) -> Survey:
    """Return the survey of a book from the compiled engine's reasons for decisions."""
    survey = Survey(len(reasons.moves), Counter(KINDS[kind] for kind in reasons.kinds.tolist()))
    counts = reasons.count_roles()
    for index, pattern in enumerate(book.patterns):
        did = Counter({name: counts[name][index] for name in COUNTS if counts[name][index]})
        if did:
            survey.counts[pattern.id] = did
    for kind in {pattern.kind for pattern in book.patterns}:
        members = [index for index, pattern in enumerate(book.patterns) if pattern.kind == kind]
        survey.classes[kind] = reasons.count_said(members)
    survey.classes[NO_PATTERN] = survey.positions - reasons.count_said()
    survey.classes = +survey.classes
    for pattern_id, image, place in locator_of(book).locate(reasons):
        survey.images.setdefault(pattern_id, set()).add(image)
        survey.places.setdefault(pattern_id, set()).add(place)
    return survey


def survey_decisions(decisions: Iterable[Decision], book: Book) -> Survey:
    """Return the survey of a book from decisions; the survey has no places, because board sizes may vary."""
    survey, patterns = Survey(), {pattern.id: pattern for pattern in book.patterns}
    for decision in decisions:
        _count(decision, patterns, survey)
    return survey


def _count(decision: Decision, patterns: Mapping[str, Pattern], survey: Survey) -> None:
    """Add one decision to the survey."""
    survey.positions += 1
    survey.kinds[contrast(decision).by] += 1
    roles = roles_of(decision)
    for name, role in roles.items():
        survey.counts.setdefault(name, Counter())[role] += 1
    for name in _vetoed_by(decision):
        survey.counts.setdefault(name, Counter())[VETOED] += 1
    kinds = {patterns[name].kind for name, role in roles.items() if role in (DECIDES, SUPPORTS)}
    survey.classes.update(kinds or {NO_PATTERN})
    for firing in (firing for candidate in decision.candidates for firing in candidate.firings):
        if firing.pattern.rows:
            survey.images.setdefault(firing.pattern.id, set()).add(_images(firing.pattern)[firing.cells & 7])


def _vetoed_by(decision: Decision) -> set[str]:
    """Return the ids of the patterns that forbid moves or are the leading patterns of vetoed moves."""
    found: set[str] = set()
    for candidate in decision.candidates:
        found.update(firing.pattern.id for firing in candidate.firings if firing.pattern.forbid)
        if candidate.veto and candidate.firings:
            found.add(candidate.firings[0].pattern.id)
    return found


class ClassRow(NamedTuple):
    """A row of the class table.

    patterns: the number of patterns in the class. active: the number of these patterns that decide or support a move.
    moves: the number of positions in which a pattern of the class decides or supports the move. share: `moves` as a
    percentage of all positions. Patterns of several classes may support one move, so the sum of the shares may exceed
    100.
    """

    kind: str
    patterns: int
    active: int
    moves: int
    share: float


def class_rows(book: Book, games: Survey) -> list[ClassRow]:
    """Return a row for each class, and a row for moves that no pattern decides or supports.

    The rows with the most moves come first.
    """
    members = Counter(pattern.kind for pattern in book.patterns)
    active = Counter(pattern.kind for pattern in book.patterns if not is_inert(pattern, games))
    return [
        ClassRow(
            kind,
            members[kind],
            active[kind],
            games.classes[kind],
            100 * games.classes[kind] / max(games.positions, 1),
        )
        for kind in sorted([*members, NO_PATTERN], key=lambda kind: (-games.classes[kind], kind))
    ]


def fires(counts: Counter[str]) -> int:
    """Return the number of positions in which a pattern with these counts fires."""
    return counts[DECIDES] + counts[SUPPORTS] + counts[PRESENT]


def is_inert(pattern: Pattern, games: Survey) -> bool:
    """Return whether a pattern neither decides nor supports a move in the surveyed games."""
    counts = games.of(pattern.id)
    return not counts[DECIDES] and not counts[SUPPORTS]


def active_share(book: Book, games: Survey) -> float:
    """Return the fraction of the book's patterns that decide or support a move in the games."""
    active = sum(not is_inert(pattern, games) for pattern in book.patterns)
    return active / len(book.patterns) if book.patterns else 1.0


def remark(pattern: Pattern, games: Survey) -> str:
    """Return a remark on a pattern's unusual counts in games, or '' if the counts are usual."""
    counts = games.of(pattern.id)
    if pattern.rare:
        is_rare = counts[DECIDES] * RARE <= games.positions
        return "" if is_rare else f"marked rare, yet it decides more than one move in {RARE:,}: remove `rare`"
    if not fires(counts):
        return "inert: it never fires"
    if is_inert(pattern, games):
        return "inert: it fires, but never decides or supports a move"
    if not counts[DECIDES]:
        return "it supports moves, but never decides a move alone"
    return ""


def coverage_json(knowledge: Knowledge, surveys: Mapping[str, Survey], in_play: Survey) -> dict[str, Any]:
    """Return the surveys, the share of active patterns and the remarks as a dictionary for JSON.

    in_play: see total_in_play.
    """
    return {
        "patterns": knowledge.name,
        "active_percent": round(100 * active_share(knowledge.book, in_play), 2),
        "remarks": remarks_on(knowledge.book, in_play),
        "sources": {name: survey.as_json() for name, survey in surveys.items()},
    }


def remarks_on(book: Book, games: Survey) -> dict[str, str]:
    """Return {pattern id: remark} for the patterns with unusual counts."""
    return {pattern.id: text for pattern in book.patterns if (text := remark(pattern, games))}


def image_numbers(pattern: Pattern) -> list[int]:
    """Return, for each symmetry, the number of the first symmetry that gives the same drawing and labels."""
    drawn = [(turn_rows(pattern.rows, s), turn_rows(pattern.label_rows, s)) for s in range(SYMMETRIES)]
    return [drawn.index(picture) for picture in drawn]


_images = lru_cache(maxsize=4096)(image_numbers)  # keyed by pattern


def possible_places(pattern: Pattern, size: int) -> set[int]:
    """Return the possible points for the top-left corner of a pattern's drawing, in any symmetry.

    The result is empty for a pattern without a drawing.
    """
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
    """A cache of each firing's image number and place, both in the orientation of the original position."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.tables = symmetry_tables(book.size)
        self.mask = (1 << 3 + book.bits) - 1  # bits of a placement that contain its symmetry and place
        self.images = {pattern.id: image_numbers(pattern) for pattern in book.patterns}
        self.known: dict[tuple[str, int, int], tuple[int, int]] = {}

    def locate(self, reasons: Reasons) -> Iterator[tuple[str, int, int]]:
        """Yield (pattern id, image number, place) for each distinct firing of a pattern with a drawing."""
        for pattern, turn, cells in reasons.placements(self.mask):
            if self.book.patterns[pattern].rows:
                yield self.book.patterns[pattern].id, *self._image_and_place(self.book.patterns[pattern], turn, cells)

    def _image_and_place(self, pattern: Pattern, turn: int, cells: int) -> tuple[int, int]:
        key = pattern.id, turn, cells
        if key not in self.known:
            symmetry, place = located(Firing(pattern, 0, cells), inverse(self.tables[turn]), self.tables, self.book)
            self.known[key] = self.images[pattern.id][symmetry], place
        return self.known[key]


locator_of = lru_cache(maxsize=2)(Locator)  # keyed by book


def format_kinds(games: Survey) -> str:
    """Return a text with the percentage of each kind of decision, the most frequent kind first."""
    shares = ((kind, 100 * count / max(games.positions, 1)) for kind, count in games.kinds.most_common())
    return ", ".join(f"{KIND_WORDS[kind]} {share:.1f}%" for kind, share in shares) or "nothing"
