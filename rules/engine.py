"""The engine, which chooses a move with a book of prioritized patterns and records the reasons.

In the terminology of production systems, the State is the working memory, a Firing is an activation, and a pattern's
priority is its salience. The Candidates with their firings are the conflict set, which `rank`, `is_vetoed` and `best`
resolve.

A move's priority is the highest priority among its firings. A move's points are the sum of its firings' points; each
pattern counts once, with its best placement. Moves rank by priority, then by points. Ties are broken by the specificity
of the leading firing (the firing that gives the move its priority), then by the move's place on the canonical image.

A pattern marked `forbid` vetoes each move for which it fires. Near the end of the game, the safety check vetoes a move
whose playout does not win. The check also vetoes a move that loses stones, unless the leading pattern is a `sacrifice`.
Patterns marked `risk` that fire for a move count only if the move loses exactly one stone, and only if the priority of
at least one of these patterns is not below that of the leading pattern. If these patterns count, the check does not
veto the move, but their negative points lower the move's rank. The check examines candidates in order of rank. If all
candidates are vetoed, the engine plays the candidate with the smallest loss.

With at most two moves left, the exact result takes precedence over the rank. With more moves left, an override (a
recorded move for one position) replaces the engine's choice in this position.
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

    Matched = Tuple[Pattern, Conditions, int]  # the int is the placement's `cells`: see matching
    Rank = Tuple[int, int, int, int]

    class FindsFirings(Protocol):
        """Protocol of an object, such as a Matcher, that finds the firings in a position."""

        def firings(self, move: Point) -> list[Firing]: ...
        def highest_priority(self, move: Point) -> int: ...
        def built_in_points(self, move: Point) -> int: ...

    class Vets(Protocol):
        """Protocol of an object, such as a rules.safety.Check, that checks the safety of moves in a position."""

        def vet(self, move: Point) -> Verdict: ...

    class Recalls(Protocol):
        """Protocol of a store of recorded moves, such as a rules.overrides.Overrides."""

        def move_for(self, state: State) -> Point | None: ...


BUILT_IN, LAST_RESORT = 0, -10000  # priorities of a move and of a pass that no pattern proposes
RISKED = 1  # stones that a move may lose if a pattern marked `risk` fires for it


class Firing:
    """A pattern that fires for a move, and the points that the pattern adds to the move.

    symmetry, place: the symmetry of the placement, and the board point at the top-left corner of the pattern's box;
    both are None unless the decision is complete. cells: the placement on the canonical image (see matching).
    """

    __slots__ = ("pattern", "points", "symmetry", "place", "cells")

    def __init__(self, pattern: Pattern, points: int, cells: int) -> None:
        self.pattern = pattern
        self.points = points
        self.cells = cells
        self.symmetry: int | None = None
        self.place: Point | None = None


class Candidate:
    """A move with priority, points, firings (leading firing first), safety verdict and veto ('' if none).

    barred: True if a pattern or the engine, not the safety check, vetoed the move. result2: the mover's exact final
    lead after komi in half points if at most two moves are left, else None. risks: the firings of patterns marked
    `risk`; `judge` moves these firings to `firings` if they count.
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
        """Veto the candidate for a reason other than the safety check."""
        self.veto, self.barred = reason, True

    @property
    def all_firings(self) -> list[Firing]:
        """All firings for the move: the firings that count, then the uncounted firings in `risks`."""
        return self.firings + self.risks

    @property
    def is_spared(self) -> bool:
        """Whether the leading pattern is a sacrifice, so that a loss of stones does not veto the move."""
        return bool(self.firings) and self.firings[0].pattern.sacrifice

    @property
    def is_risked(self) -> bool:
        """Whether a pattern marked `risk` counts, so that a loss of RISKED stones does not veto the move."""
        return bool(self.firings) and self.firings[-1].pattern.risk

    def judge(self, verdict: Verdict) -> None:
        """Store the safety verdict and update `firings`, `risks`, `points` and `veto` accordingly."""
        self.verdict = verdict
        if verdict.loss == RISKED and self._may_risk():
            self.points += sum([firing.points for firing in self.risks])
            self.firings = self.firings + self.risks
            self.risks = []
        if not self.veto and is_vetoed(self, verdict.loss):
            self.veto = verdict.reason

    def _may_risk(self) -> bool:
        """Return whether the firings in `risks` count if the move loses RISKED stones.

        The pattern of at least one of these firings must have at least the priority of the leading pattern. The firings
        never count for a sacrifice, for a barred move, or if only patterns marked `risk` fire for the move.
        """
        if not self.risks or not self.firings or self.barred or self.is_spared:
            return False
        return max([firing.pattern.priority for firing in self.risks]) >= self.priority


def rank(candidate: Candidate, table: Table | None = None) -> Rank:
    """Return a key that sorts the best candidate first.

    table: the table that maps the move to the canonical image, whose point order breaks ties. The table is needed only
    for a candidate that was mapped back to the board.
    """
    move = candidate.move
    place = 1 << 20 if move == PASS else move if table is None else table[move]
    return -candidate.priority, -candidate.points, -candidate.specificity, place


def is_vetoed(candidate: Candidate, loss: int) -> bool:
    """Return whether a candidate is vetoed, because it is barred (see Candidate) or loses too much.

    loss: the stones that the move loses, see Verdict.loss.
    """
    if candidate.barred or loss <= 0:
        return candidate.barred
    if loss >= LOST_END:  # neither `sacrifice` nor `risk` justifies losing the game
        return True
    return not candidate.is_spared and not (loss == RISKED and candidate.is_risked)


def best(ranked: Iterable[Candidate], loss_of: Callable[[Candidate], int]) -> Candidate:
    """Return the best candidate without a veto; if all are vetoed, the candidate with the smallest loss.

    ranked: the candidates in the order of `rank`. loss_of: a function that returns a candidate's loss in stones and may
    lower the candidate's points (see Candidate.judge). `best` calls `loss_of` in the order of `ranked` until the result
    is certain.
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
    return min(refused, key=lambda one: (one[0], one[1].barred))[1]  # on a tie, the first in rank


class Decision:
    """The move for a position, with the chosen candidate and the other candidates.

    candidates: the chosen candidate, then the others, best first, with vetoed candidates last. Unless the decision is
    complete, some candidates may be missing or not vetted. overruled: the patterns' choice if an override replaced this
    choice with another move, else None.
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
    """Return the Decision for a position; complete=True scores and vets every candidate.

    overrides: a store of moves that replace the patterns' choice, such as a rules.overrides.Overrides, or None.
    Overrides do not apply if at most two moves are left.
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
    """Return (table, state) of a position's canonical image.

    The canonical image is the symmetric image with the smallest (own, theirs, ko). table: maps the points of the board
    to the points of the canonical image.
    """
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
    """The patterns of a book that match a position, and their firings for each move.

    The constructor matches all placements and tests only `game_tests` (see programs.Conditions). `firings` tests the
    other conditions, for a single move.
    """

    __slots__ = ("state", "reading", "matched")

    def __init__(self, state: State, book: Book) -> None:
        self.state = state
        self.reading = Reading(state, book.bits)
        self.matched = self._match(book)

    def _match(self, book: Book) -> list[list[Matched]]:
        """Return each move's matching placements, in the order of the patterns.

        The list at the index of a point is for the move at this point; the last list is for the pass. This method tests
        only `game_tests` (see programs.Conditions), such as a test of the number of moves left.
        """
        state = self.state
        next_hit = book.fits(state.own | state.theirs << book.size * book.size).find
        nowhere, shift = self.reading.nowhere, self.reading.move_shift
        matched: list[list[Matched]] = [[] for _ in range(nowhere + 1)]
        starts, placed = book.starts, book.cells
        index, hit = 0, next_hit(FITS)
        while hit >= 0:
            while starts[index] <= hit:  # the placement belongs to a later pattern
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
        """Return one firing for each pattern that fires for a move, with the best placement, in book order."""
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
        """Return the highest priority of the patterns that match a move, or BUILT_IN if no pattern matches."""
        matched = self.matched[move]
        return matched[0][0].priority if matched else BUILT_IN  # patterns are sorted by priority

    def built_in_points(self, move: Point) -> int:
        """Return the points of a move for which no pattern fires.

        Each captured stone counts 100 points, and each liberty of the move's chain counts 1 point.
        """
        bit = 1 << move
        return 100 * captures(self.state, 0, bit) + own_liberties(self.state, 0, bit)


class Search:
    """The search for one decision, which vets only the candidates that the decision needs.

    state: the position that the matcher and the check examine. legal: the mask of the legal points in `state`. seen:
    the candidates created so far, by move. The small engine and the large engine both use this class.
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
        """Return the Candidate for a legal move, with all its firings."""
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
        """Score a move for which no pattern fires; bar the move if it fills an eye of the mover."""
        state = self.state
        if is_eye(1 << candidate.move, state.own, state.theirs, state.grid):
            candidate.bar("fills an own eye")
        candidate.points = self.matcher.built_in_points(candidate.move)

    def candidates(self) -> list[Candidate]:
        """Return the Candidates for every legal move and the pass, in the order of `rank`."""
        return sorted([self.candidate(move) for move in self.moves], key=rank)

    def choice(self) -> Candidate:
        """Return the best candidate: by exact result with at most two moves left, else by rank and safety."""
        return self.exact_choice() if self.is_exact else self.vetted_choice()

    def vetted_choice(self) -> Candidate:
        """Return the best candidate without a veto, or the candidate with the smallest loss: see `best`."""
        return best(self.candidates(), self.vet)

    def vet(self, candidate: Candidate) -> int:
        """Judge a candidate by its safety verdict, and return the loss in stones.

        A candidate that is already judged keeps its verdict.
        """
        verdict = candidate.verdict
        if verdict is None:
            verdict = self.check.vet(candidate.move)
            candidate.judge(verdict)
        return verdict.loss

    def exact_choice(self) -> Candidate:
        """Return the candidate with the best exact result; the rank breaks ties.

        A barred candidate (see Candidate) is returned only if all candidates with this result are barred. Call this
        method only if at most two moves are left.
        """
        results = [(outcome(self.state, move)[0], move) for move in self.moves]
        highest = max(result2 for result2, _ in results)
        candidates = [self.candidate(move) for result2, move in results if result2 == highest]
        for candidate in candidates:
            self.settle(candidate)
        return best(sorted(candidates, key=rank), lambda candidate: 0)  # an exact result already includes every loss

    def complete(self) -> None:
        """Score every legal move and the pass, and set the verdict or the exact result of each."""
        for candidate in self.candidates():
            if self.is_exact:
                self.settle(candidate)
            else:
                self.vet(candidate)

    def settle(self, candidate: Candidate) -> None:
        """Set a candidate's exact result, and a verdict with loss 0 and the opponent's best reply."""
        candidate.result2, reply = outcome(self.state, candidate.move)
        candidate.verdict = Verdict(0, reply)

    def others(self, chosen: Candidate) -> list[Candidate]:
        """Return the other candidates, best first, with vetoed candidates last.

        The result contains only the candidates created so far.
        """
        return sorted([candidate for candidate in self.seen.values() if candidate is not chosen], key=_listing_order)


def _listing_order(candidate: Candidate) -> tuple[bool, int, Rank]:
    """Return a key that sorts candidates by veto (vetoed last), then exact result, then rank."""
    vetoed = candidate.veto != ""
    result = 0 if candidate.result2 is None else -candidate.result2
    return vetoed, result, rank(candidate)


def map_back(candidates: list[Candidate], undo: Table) -> None:
    """Map the candidates' moves and replies from the canonical image to the real board."""
    for candidate in candidates:
        if candidate.move != PASS:
            candidate.move = undo[candidate.move]
        verdict = candidate.verdict
        if verdict is not None and verdict.reply is not None and verdict.reply != PASS:
            verdict.reply = undo[verdict.reply]


def located(firing: Firing, undo: Table, tables: tuple[Table, ...], book: Book) -> tuple[int, Point]:
    """Return (symmetry, place) of a firing on the real board, or (0, 0) for a pattern without a diagram.

    undo: the table that maps the canonical image to the real board. tables: the tables of all symmetries.
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
