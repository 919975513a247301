"""The priority engine: from a position and a book of patterns to a move, with the reasons kept.

In the words of production systems: the State is the working memory, a Firing an activation, the Candidates with
their firings are the conflict set, a pattern's priority is its salience, and conflict resolution is `rank`,
`is_vetoed` and `best`.

A move's priority is the highest among its firings; its points are the sum over its firings, each pattern once
with its best placement; then comes the specificity of its leading firing, then the order of the points on
the canonical image. A firing pattern marked `forbid` vetoes its move, and so does the safety check unless the
leading pattern is a `sacrifice`. A pattern marked `risk` counts only for a move that loses just one stone,
which the check then does not veto: its points, below 0, are the price. Candidates are vetted from the top; if
all are vetoed, the smallest loss is played. With two moves or fewer left the exact result ranks before
everything else; with more, an override replaces the choice in the one position that it was made for.
"""

from __future__ import annotations

from .facts import State, captures, own_liberties
from .geometry import image_of, inverse, points_of, symmetry_tables
from .life import is_eye
from .matching import FITS, parse_shape
from .position import BLACK, PASS
from .programs import Reading, game_conditions_hold, points_of_placement
from .safety import LOST_END, Check, Verdict, outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Tuple

    from typing_extensions import Protocol  # in typing from Python 3.8 on

    from .geometry import Mask, Point, Table
    from .patternfile import Book, Pattern
    from .position import Position
    from .programs import Conditions

    Matched = Tuple[Pattern, Conditions, int]  # a placement's cells are last: see matching
    Rank = Tuple[int, int, int, int]

    class FindsFirings(Protocol):
        """The firings in a position: a Matcher, or another object with its methods."""

        def firings(self, move: Point) -> list[Firing]: ...
        def highest_priority(self, move: Point) -> int: ...
        def built_in_points(self, move: Point) -> int: ...

    class Vets(Protocol):
        """The safety check of a position: a rules.safety.Check, or another object with its method."""

        def vet(self, move: Point) -> Verdict: ...

    class Recalls(Protocol):
        """Moves on record: a rules.overrides.Overrides, or another object with its method."""

        def move_for(self, state: State) -> Point | None: ...


BUILT_IN, LAST_RESORT = 0, -10000  # priorities of a move and of a pass that no pattern proposes
RISKED = 1  # stones that a move may lose where a pattern marked `risk` speaks of it


class Firing:
    """A pattern that applies to a move, and the points it brings.

    symmetry, place: under which symmetry, and where the top-left corner of its box lies on the board; found
    for a complete decision only, else None. cells: the placement on the canonical image (see matching).
    """

    __slots__ = ("pattern", "points", "symmetry", "place", "cells")

    def __init__(self, pattern: Pattern, points: int, cells: int) -> None:
        self.pattern = pattern
        self.points = points
        self.cells = cells
        self.symmetry: int | None = None
        self.place: Point | None = None


class Candidate:
    """A move with its score, the firings behind it (the leading one first), its verdict and veto ('' if none).

    barred: the veto does not come from the safety check. result2: the exact final lead after komi in half
    points where it is known (two moves or fewer left), else None. risks: the firings of patterns marked `risk`; they
    count, and stand last among the firings, once `judge` finds that the move loses RISKED.
    """

    __slots__ = (
        "move",
        "priority",
        "points",
        "specificity",
        "firings",
        "verdict",
        "veto",
        "barred",
        "result2",
        "risks",
    )

    def __init__(self, move: Point, firings: list[Firing]) -> None:
        risks = [firing for firing in firings if firing.pattern.risk]
        if risks:
            firings = [firing for firing in firings if not firing.pattern.risk]
        top = max(firings, key=lambda firing: (firing.pattern.priority, firing.pattern.specificity), default=None)
        firings.sort(key=lambda firing: firing is not top)
        self.move = move
        self.firings = firings
        self.priority = top.pattern.priority if top else LAST_RESORT if move == PASS else BUILT_IN
        self.specificity = top.pattern.specificity if top else 0
        self.points = sum(firing.points for firing in firings)
        self.verdict: Verdict | None = None
        self.result2: int | None = None
        self.veto = ""
        self.barred = False
        self.risks = risks

    def bar(self, reason: str) -> None:
        """Veto the candidate for good."""
        self.veto, self.barred = reason, True

    @property
    def all_firings(self) -> list[Firing]:
        """All firings for it, with those of patterns marked `risk` that do not count, or not yet."""
        return self.firings + self.risks

    @property
    def is_spared(self) -> bool:
        """Whether its leading pattern is a sacrifice, which the safety check does not veto."""
        return bool(self.firings) and self.firings[0].pattern.sacrifice

    @property
    def is_risked(self) -> bool:
        """Whether it pays for the loss of RISKED, which the safety check then does not veto."""
        return bool(self.firings) and self.firings[-1].pattern.risk

    def judge(self, verdict: Verdict) -> None:
        """Give it its verdict, and the price of a stone that it may lose, or the veto that it deserves."""
        self.verdict = verdict
        if verdict.loss == RISKED and self._may_risk():
            self.points += sum([firing.points for firing in self.risks])
            self.firings = self.firings + self.risks
            self.risks = []
        if not self.veto and is_vetoed(self, verdict.loss):
            self.veto = verdict.reason

    def _may_risk(self) -> bool:
        """Return whether a pattern marked `risk` speaks of it, and none that leads it has a higher priority."""
        if not self.risks or not self.firings or self.barred or self.is_spared:
            return False
        return max([firing.pattern.priority for firing in self.risks]) >= self.priority


def rank(candidate: Candidate, table: Table | None = None) -> Rank:
    """Return a key that sorts the best candidate first.

    table: takes its move to the canonical image, whose points break ties, if it was mapped back to the board.
    """
    move = candidate.move
    place = 1 << 20 if move == PASS else move if table is None else table[move]
    return -candidate.priority, -candidate.points, -candidate.specificity, place


def is_vetoed(candidate: Candidate, loss: int) -> bool:
    """Return whether a candidate may not be played if it costs so many stones: see Verdict.loss."""
    if candidate.barred or loss <= 0:
        return candidate.barred
    if loss >= LOST_END:  # no stones that a sacrifice, or a price, is worth
        return True
    return not candidate.is_spared and not (loss == RISKED and candidate.is_risked)


def best(ranked: Iterable[Candidate], loss_of: Callable[[Candidate], int]) -> Candidate:
    """Return the first candidate that is not vetoed; if all are, the one with the smallest loss.

    ranked: in the order of `rank`. loss_of: asked for as many of them as it takes; it may lower a candidate's points,
    by the price of a risk (see Candidate.judge).
    """
    refused, risked = [], None
    for candidate in ranked:
        if risked and rank(risked) < rank(candidate):
            break
        loss = loss_of(candidate)
        if is_vetoed(candidate, loss):
            refused.append((loss, candidate))
        elif not candidate.is_risked:
            return min(risked, candidate, key=rank) if risked else candidate
        else:
            risked = min(risked, candidate, key=rank) if risked else candidate
    if risked:
        return risked
    return min(refused, key=lambda one: (one[0], one[1].barred))[1]  # of equals the first in rank


class Decision:
    """The move for a position, and why: the candidates, the chosen one first, then the others from the best down.

    All are scored; only those above the chosen one are vetted, unless the decision is complete. overruled: where an
    override chose the move, the candidate that the patterns would have chosen; else None.
    """

    __slots__ = ("position", "move", "chosen", "candidates", "complete", "overruled")

    def __init__(
        self,
        position: Position,
        chosen: Candidate,
        candidates: list[Candidate],
        complete: bool,
        overruled: Candidate | None = None,
    ) -> None:
        self.position = position
        self.move = chosen.move
        self.chosen = chosen
        self.candidates = candidates
        self.complete = complete
        self.overruled = overruled


def decide(position: Position, book: Book, complete: bool = False, overrides: Recalls | None = None) -> Decision:
    """Return the Decision for a position; with complete=True every candidate is scored and vetted.

    overrides: an Overrides (rules.overrides) that may know better than the patterns, or None. With two moves or
    fewer left it is not asked.
    """
    table, view = canonical(position)
    book = book.for_size(position.ruleset.size)
    search = Search(view, image_of(position.legal(), table), Matcher(view, book), Check(view))
    chosen, overruled = search.choice(), None
    if overrides is not None and not search.is_exact:
        move = overrides.move_for(view)
        if move is not None and move != chosen.move:
            overruled, chosen = chosen, search.candidate(move)
            search.vet(chosen)
    if complete:
        search.complete()
    candidates = [chosen] + search.others(chosen)
    undo = inverse(table)
    map_back(candidates, undo)
    if complete:
        tables = symmetry_tables(book.size)
        for candidate in candidates:
            for firing in candidate.all_firings:
                firing.symmetry, firing.place = located(firing, undo, tables, book)
    return Decision(position, chosen, candidates, complete, overruled)


def canonical(position: Position) -> tuple[Table, State]:
    """Return (symmetry table, state): the smallest of the eight images of (own, theirs, ko), and its table."""
    own, theirs, ko = position.own, position.theirs, position.ko
    tables = symmetry_tables(position.ruleset.size)
    smallest, table = (own, theirs, ko), tables[0]
    for other in tables[1:]:
        image = image_of(own, other), image_of(theirs, other), image_of(ko, other)
        if image < smallest:
            smallest, table = image, other
    own, theirs, ko = smallest
    komi2 = position.ruleset.komi2
    bonus2 = -komi2 if position.colour == BLACK else komi2
    left = position.left if position.ruleset.length else 1 << 20
    state = State(own, theirs, ko, left, position.number, position.colour, bonus2, position.passed, position.grid)
    return table, state


class Matcher:
    """The firings of a book in a position: placements are compared with the board at once, conditions asked by move."""

    __slots__ = ("state", "reading", "matched")

    def __init__(self, state: State, book: Book) -> None:
        self.state = state
        self.reading = Reading(state, book.bits)
        self.matched = self._match(book)

    def _match(self, book: Book) -> list[list[Matched]]:
        """Return, for each point and last for a pass, the placements that match, in the order of their patterns.

        The conditions on the placement are not tested yet, but those on the game as a whole are.
        """
        state = self.state
        next_hit = book.fits(state.own | state.theirs << book.size * book.size).find
        nowhere, shift = self.reading.nowhere, self.reading.move_shift
        matched: list[list[Matched]] = [[] for _ in range(nowhere + 1)]
        starts, placed = book.starts, book.cells
        index, hit = 0, next_hit(FITS)
        while hit >= 0:
            while starts[index] <= hit:  # the first placement of another pattern
                index += 1
            pattern, conditions, following = book.patterns[index - 1], book.conditions(index - 1), starts[index]
            if not game_conditions_hold(conditions, self.reading):
                hit = next_hit(FITS, following)
            while 0 <= hit < following:
                cells = placed[hit]
                matched[cells >> shift & nowhere].append((pattern, conditions, cells))
                hit = next_hit(FITS, hit + 1)
        return matched

    def firings(self, move: Point) -> list[Firing]:
        """Return the firings for a move in the order of the patterns, each with its best placement."""
        reading = self.reading
        firings: list[Firing] = []
        for pattern, conditions, cells in self.matched[move]:
            points = points_of_placement(conditions, reading, cells)
            if points is None:
                continue
            if not firings or firings[-1].pattern is not pattern:
                firings.append(Firing(pattern, points, cells))
            elif points > firings[-1].points:
                firings[-1] = Firing(pattern, points, cells)
        return firings

    def highest_priority(self, move: Point) -> int:
        """Return the highest priority that a point can have as a move, whatever its conditions say."""
        matched = self.matched[move]
        return matched[0][0].priority if matched else BUILT_IN  # patterns stand in the order of their priorities

    def built_in_points(self, move: Point) -> int:
        """Return the points of a move that no pattern speaks for: by stones captured, then by liberties."""
        bit = 1 << move
        return 100 * captures(self.state, 0, bit) + own_liberties(self.state, 0, bit)


class Search:
    """The search for one decision: the candidates of a matcher, vetted by a check, each when it is first needed.

    state: the position as the matcher and the check see it; legal: the legal points there, as a mask. seen: the
    candidates made so far, by move. Both engines, and those with a deadline, decide by a Search.
    """

    def __init__(self, state: State, legal: Mask, matcher: FindsFirings, check: Vets) -> None:
        self.state = state
        self.legal = legal
        self.matcher = matcher
        self.check = check
        self.seen: dict[Point, Candidate] = {}

    @property
    def is_exact(self) -> bool:
        """Whether at most two moves are left, so that exact results decide."""
        return 0 < self.state.left <= 2

    @property
    def moves(self) -> list[Point]:
        """The legal moves, the pass last."""
        return points_of(self.legal) + [PASS]

    def candidate(self, move: Point) -> Candidate:
        """Return the Candidate for a legal move, all its firings with it."""
        if move not in self.seen:
            candidate = Candidate(move, self.matcher.firings(move))
            for firing in candidate.firings:
                if firing.pattern.forbid:
                    candidate.bar("forbidden by " + firing.pattern.id)
            if not candidate.firings and move != PASS:
                self._judge_built_in(candidate)
            self.seen[move] = candidate
        return self.seen[move]

    def _judge_built_in(self, candidate: Candidate) -> None:
        """Score a move that no pattern speaks for, and keep it off own eyes."""
        state = self.state
        if is_eye(1 << candidate.move, state.own, state.theirs, state.grid):
            candidate.bar("fills an own eye")
        candidate.points = self.matcher.built_in_points(candidate.move)

    def candidates(self) -> list[Candidate]:
        """Return the Candidates for every legal move and the pass, best first."""
        return sorted([self.candidate(move) for move in self.moves], key=rank)

    def choice(self) -> Candidate:
        """Return the best candidate: by its exact result, or else vetted from the top."""
        return self.exact_choice() if self.is_exact else self.vetted_choice()

    def vetted_choice(self) -> Candidate:
        """Return the best candidate, vetted from the top."""
        return best(self.candidates(), self.vet)

    def vet(self, candidate: Candidate) -> int:
        """Give a candidate its verdict, and its veto if it deserves one; return its loss."""
        verdict = candidate.verdict
        if verdict is None:
            verdict = self.check.vet(candidate.move)
            candidate.judge(verdict)
        return verdict.loss

    def exact_choice(self) -> Candidate:
        """Return the best of the candidates with the best exact result, when at most two moves are left."""
        results = [(outcome(self.state, move)[0], move) for move in self.moves]
        highest = max(result2 for result2, _ in results)
        candidates = [self.candidate(move) for result2, move in results if result2 == highest]
        for candidate in candidates:
            self.settle(candidate)
        return best(sorted(candidates, key=rank), lambda candidate: 0)  # an exact result holds no further loss

    def complete(self) -> None:
        """Score and vet every legal move and the pass."""
        for candidate in self.candidates():
            if self.is_exact:
                self.settle(candidate)
            else:
                self.vet(candidate)

    def settle(self, candidate: Candidate) -> None:
        """Give a candidate its exact result instead of a verdict's estimate."""
        candidate.result2, reply = outcome(self.state, candidate.move)
        candidate.verdict = Verdict(0, reply)

    def others(self, chosen: Candidate) -> list[Candidate]:
        """Return the other candidates made so far, from the best down."""
        return sorted([candidate for candidate in self.seen.values() if candidate is not chosen], key=_listing_order)


def _listing_order(candidate: Candidate) -> tuple[bool, int, Rank]:
    """Return a key that sorts candidates for a list: vetoed ones last, then by exact result and rank."""
    vetoed = candidate.veto != ""
    result = 0 if candidate.result2 is None else -candidate.result2
    return vetoed, result, rank(candidate)


def map_back(candidates: list[Candidate], undo: Table) -> None:
    """Turn the candidates' moves and replies from the canonical image to the real board."""
    for candidate in candidates:
        if candidate.move != PASS:
            candidate.move = undo[candidate.move]
        verdict = candidate.verdict
        if verdict is not None and verdict.reply is not None and verdict.reply != PASS:
            verdict.reply = undo[verdict.reply]


def located(firing: Firing, undo: Table, tables: tuple[Table, ...], book: Book) -> tuple[int, Point]:
    """Return (symmetry, place) of a firing on the real board.

    undo: the table that takes the canonical image back to it; tables: those of all symmetries.
    """
    size = book.size
    symmetry = firing.cells & 7
    image = parse_shape(firing.pattern.rows).turned(symmetry)
    place = firing.cells >> 3 & (1 << book.bits) - 1
    real = tuple([undo[image] for image in tables[symmetry]])
    if not image.cells:
        return 0, 0
    corners = [undo[place], undo[place + (image.height - 1) * size + image.width - 1]]
    row = min(corner // size for corner in corners)
    column = min(corner % size for corner in corners)
    return tables.index(real), size * row + column
