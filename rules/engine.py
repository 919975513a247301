"""The priority engine: from a position and a book of patterns to a move, with the reasons kept.

A move's priority is the highest among its firings; its points are the sum over its firings, each pattern once
with its best placement; then comes the specificity of its deciding firing, then the order of the points on
the canonical image. A firing pattern marked `forbid` vetoes its move, and so does the safety check unless the
deciding pattern is a `sacrifice`. Candidates are vetted from the top; if all are vetoed, the smallest loss is
played. With two moves or fewer left the exact result ranks before everything else; with more, an override
overrules all this in the one position that it is made for.
"""

from rules.facts import captures, make_state, own_liberties
from rules.geometry import image_of, inverse, points_of, symmetry_tables
from rules.life import is_eye
from rules.matching import parse_shape
from rules.position import BLACK, PASS
from rules.programs import Reading, in_season, worth_of
from rules.safety import Check, Verdict, outcome, vet

BUILT_IN, LAST_RESORT = 0, -10000  # priorities of a move and of a pass that no pattern proposes


class Firing:
    """A pattern that applies to a move, and the points it brings.

    symmetry, place: under which symmetry, and where the top-left corner of its box lies on the board; found
    for a complete decision only, else None. cells: the placement on the canonical image (see matching).
    """

    __slots__ = ("pattern", "points", "symmetry", "place", "cells")

    def __init__(self, pattern, points, cells):
        self.pattern = pattern
        self.points = points
        self.cells = cells
        self.symmetry = self.place = None


class Candidate:
    """A move with its score, the firings behind it (the deciding one first), its verdict and veto ('' if none).

    barred: the veto does not come from the safety check. result2: the exact final lead after komi in half
    points where it is known (two moves or fewer left), else None.
    """

    __slots__ = ("move", "priority", "points", "specificity", "firings", "verdict", "veto", "barred", "result2")

    def __init__(self, move, firings):
        top = max(firings, key=lambda firing: (firing.pattern.priority, firing.pattern.specificity), default=None)
        firings.sort(key=lambda firing: firing is not top)
        self.move = move
        self.firings = firings
        self.priority = top.pattern.priority if top else LAST_RESORT if move == PASS else BUILT_IN
        self.specificity = top.pattern.specificity if top else 0
        self.points = sum(firing.points for firing in firings)
        self.verdict = None
        self.result2 = None
        self.veto = ""
        self.barred = False

    def bar(self, reason):
        """Veto the candidate for good."""
        self.veto, self.barred = reason, True

    def rank(self):
        """Return a key that sorts the best candidate first."""
        return -self.priority, -self.points, -self.specificity, self.move if self.move != PASS else 1 << 20


class Decision:
    """The move for a position, and why: the candidates, the chosen one first, then the others from the best down.

    All are scored; only those above the chosen one are vetted, unless the decision is complete. overruled: where an
    override chose the move, the candidate that the patterns would have chosen; else None.
    """

    __slots__ = ("position", "move", "chosen", "candidates", "complete", "overruled")

    def __init__(self, position, chosen, candidates, complete, overruled=None):
        self.position = position
        self.move = chosen.move
        self.chosen = chosen
        self.candidates = candidates
        self.complete = complete
        self.overruled = overruled


def decide(position, book, complete=False, overrides=None):
    """Return the Decision for a position; with complete=True every candidate is scored and vetted.

    overrides: an Overrides (rules.overrides) that may know better than the patterns, or None. With two moves or
    fewer left it is not asked.
    """
    table, view = canonical(position)
    search = _Search(view, position.legal(), table, book.for_size(position.ruleset.size))
    overruled = None
    if 0 < position.left <= 2:
        chosen = search.exact_choice()
    else:
        chosen = search.choice()
        move = overrides.move_for(view) if overrides is not None else None
        if move is not None and move != chosen.move:
            overruled, chosen = chosen, search.candidate(move)
            search.vet(chosen)
    if complete:
        search.complete()
    seen = [candidate for candidate in search.seen.values() if candidate is not chosen]
    seen.sort(key=_listing_order)
    candidates = [chosen] + seen
    undo = inverse(table)
    _map_back(candidates, undo)
    if complete:
        tables = symmetry_tables(search.book.size)
        for candidate in candidates:
            for firing in candidate.firings:
                firing.symmetry, firing.place = located(firing, undo, tables, search.book)
    return Decision(position, chosen, candidates, complete, overruled)


def _listing_order(candidate):
    vetoed = candidate.veto != ""
    result = 0 if candidate.result2 is None else -candidate.result2
    return vetoed, result, candidate.rank()


def canonical(position):
    """Return (symmetry table, state): the smallest of the eight images of (own, theirs, ko), and its table."""
    own, theirs, ko = position.own, position.theirs, position.ko
    best = None
    for table in symmetry_tables(position.ruleset.size):
        image = (image_of(own, table), image_of(theirs, table), image_of(ko, table))
        if best is None or image < best[0]:
            best = image, table
    (own, theirs, ko), table = best
    komi2 = position.ruleset.komi2
    bonus2 = -komi2 if position.colour == BLACK else komi2
    left = position.left if position.ruleset.length else 1 << 20
    state = make_state(own, theirs, ko, left, position.number, position.colour, bonus2, position.passed, position.grid)
    return table, state


class _Search:
    """One decision in the making, on the canonical image."""

    def __init__(self, state, legal, table, book):
        self.state = state
        self.book = book
        self.legal = image_of(legal, table)
        self.reading = Reading(state, book.bits)
        self.matched = self._match()
        self.seen = {}  # move -> Candidate
        self._check = None

    def _match(self):
        """Return, for each point and last for a pass, the (pattern index, cells) of the placements that match.

        The conditions on the placement are not tested yet, but those on the game as a whole are.
        """
        book, state = self.book, self.state
        word = state[0] | state[1] << book.size * book.size
        hits = [k for k, care, value in zip(range(book.starts[-1]), book.cares, book.values) if word & care == value]
        nowhere, shift = self.reading.nowhere, self.reading.move_shift
        matched = [[] for _ in range(nowhere + 1)]
        starts, placed = book.starts, book.cells
        index, following = -1, 0
        for hit in hits:
            if hit >= following:  # the first placement of another pattern
                while starts[index + 1] <= hit:
                    index += 1
                following = starts[index + 1]
                wanted = in_season(book.conditions(index), self.reading)
            if wanted:
                cells = placed[hit]
                matched[cells >> shift & nowhere].append((index, cells))
        return matched

    def candidate(self, move):
        """Return the Candidate for a legal move, all its firings with it."""
        if move not in self.seen:
            candidate = Candidate(move, self._firings(move))
            for firing in candidate.firings:
                if firing.pattern.forbid:
                    candidate.bar("forbidden by " + firing.pattern.id)
            if not candidate.firings and move != PASS:
                self._judge_built_in(candidate)
            self.seen[move] = candidate
        return self.seen[move]

    def _firings(self, move):
        """Return the firings for a move in the order of the patterns, each with its best placement."""
        book, reading, found = self.book, self.reading, []
        for index, cells in self.matched[move]:
            worth = worth_of(book.conditions(index), reading, cells)
            if worth is None:
                continue
            pattern = book.patterns[index]
            if not found or found[-1].pattern is not pattern:
                found.append(Firing(pattern, worth, cells))
            elif worth > found[-1].points:
                found[-1] = Firing(pattern, worth, cells)
        return found

    def _judge_built_in(self, candidate):
        """Score a move that no pattern speaks for by stones taken and liberties, and keep it off own eyes."""
        own, theirs, grid = self.state[0], self.state[1], self.state[-1]
        bit = 1 << candidate.move
        if is_eye(bit, own, theirs, grid):
            candidate.bar("fills an own eye")
        candidate.points = 100 * captures(self.state, 0, bit) + own_liberties(self.state, 0, bit)

    def candidates(self):
        """Return the Candidates for every legal move and the pass, best first."""
        moves = points_of(self.legal) + [PASS]
        return sorted([self.candidate(move) for move in moves], key=Candidate.rank)

    def choice(self):
        """Return the best candidate that is not vetoed, or else the one with the smallest loss."""
        candidates = self.candidates()
        for candidate in candidates:
            self.vet(candidate)
            if not candidate.veto:
                return candidate
        return min(candidates, key=self._despair)

    def vet(self, candidate):
        """Give a candidate its verdict, and its veto if it deserves one."""
        if candidate.verdict is None:
            if self._check is None:
                self._check = Check(self.state)
            candidate.verdict = vet(self._check, candidate.move)
        spared = candidate.firings and candidate.firings[0].pattern.sacrifice
        if candidate.verdict.loss > 0 and not candidate.veto and not spared:
            candidate.veto = candidate.verdict.reason

    def _despair(self, candidate):
        return candidate.verdict.loss, candidate.barred, candidate.rank()

    def exact_choice(self):
        """Return the candidate with the best exact result when at most two moves are left."""
        results = [(outcome(self.state, move)[0], move) for move in points_of(self.legal) + [PASS]]
        best = max(result2 for result2, _ in results)
        candidates = [self.candidate(move) for result2, move in results if result2 == best]
        for candidate in candidates:
            self._settle(candidate)
        return min(candidates, key=lambda candidate: (candidate.veto != "", candidate.rank()))

    def complete(self):
        """Score and vet every legal move and the pass."""
        for candidate in self.candidates():
            if 0 < self.state[3] <= 2:
                self._settle(candidate)
            else:
                self.vet(candidate)

    def _settle(self, candidate):
        """Give a candidate its exact result instead of a verdict's estimate."""
        candidate.result2, reply = outcome(self.state, candidate.move)
        candidate.verdict = Verdict(0, reply)


def _map_back(candidates, undo):
    """Turn the candidates' moves and replies from the canonical image to the real board."""
    for candidate in candidates:
        if candidate.move != PASS:
            candidate.move = undo[candidate.move]
        verdict = candidate.verdict
        if verdict is not None and verdict.reply is not None and verdict.reply != PASS:
            verdict.reply = undo[verdict.reply]


def located(firing, undo, tables, book):
    """Return (symmetry, place) of a firing on the real board.

    undo: the table that takes the canonical image back to it; tables: those of all symmetries.
    """
    size = book.size
    shape = parse_shape(firing.pattern.rows)
    symmetry = firing.cells & 7
    place = firing.cells >> 3 & (1 << book.bits) - 1
    real = tuple([undo[image] for image in tables[symmetry]])
    height, width = (shape.width, shape.height) if symmetry & 4 else (shape.height, shape.width)
    if not shape.cells:
        return 0, 0
    corners = [undo[place], undo[place + (height - 1) * size + width - 1]]
    row = min(corner // size for corner in corners)
    column = min(corner % size for corner in corners)
    return tables.index(real), size * row + column
