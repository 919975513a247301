"""Known positions that answer most questions about patterns without a search.

The player's own code determines which patterns fire, so these answers do not depend on the search code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, islice, pairwise
from random import Random

from littlego.engines.small.engine import hits
from littlego.knowledge.exact.partial import colour_to_move, from_position, state_of
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.textfile import book_for
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Book
from littlego.rules.position import PASS, Position
from littlego.rules.programs import Reading, game_conditions_hold, points_of_placement
from littlego.rules.ruleset import Ruleset

SEED, STEPS, POOL = 5, 1000, 40  # of random walks: the seed, the number of steps, the number of positions to change
MOST_LOOKS = 300_000  # maximum number of pairs of a pattern and a position to check, each in about 25 microseconds
MOST_READINGS = 1000  # maximum number of cached readings
MOST_NUMBERS = 2000  # maximum number of different patterns in the cache of firings
MOST_POSITIONS = 10_000  # maximum number of positions in the cache of firings
Row = tuple[Position, int, int]  # a position, a move, and a mask of the patterns that fire for the move


def _all_of(position: Position) -> tuple[object, ...]:
    """Return a key that identifies a position within its ruleset."""
    return position.black, position.white, position.colour, position.ko, position.passed, position.left


def _says(pattern: KnownPattern) -> tuple[tuple[str, ...], ...]:
    """Return the parts of a pattern that determine where the pattern fires."""
    return tuple(pattern.rows), tuple(pattern.label_rows), tuple(pattern.when)


def firings(book: Book, position: Position) -> dict[int, int]:
    """Return {move: mask of pattern indexes} for the legal moves for which at least one pattern fires."""
    fired: dict[int, int] = {}
    for index, move, _, _ in hits(book, Reading(state_of(position), book.bits), position.legal()):
        fired[move] = fired.get(move, 0) | 1 << index
    return fired


class FiringsCache:
    """A cache of the firings of patterns in positions, shared by all Samples.

    After an edit, only the edited pattern is matched again. The cache numbers the patterns; patterns with the same
    drawing and the same conditions have the same number.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}
        # position -> (mask of the numbers matched so far, {move: mask of the numbers that fire})
        self._matched: dict[tuple[object, ...], tuple[int, dict[int, int]]] = {}

    def rows(self, patterns: list[KnownPattern], ruleset: Ruleset, positions: Iterable[Position]) -> Iterator[Row]:
        """Yield (position, move, mask of pattern indexes) for each move for which a pattern fires.

        The mask has a bit for each pattern that fires for the move. patterns: patterns that differ in their drawings or
        conditions.
        """
        if len(self._numbers) > MOST_NUMBERS or len(self._matched) > MOST_POSITIONS:
            self._numbers, self._matched = {}, {}
        game = ruleset.name, ruleset.size, ruleset.komi2, ruleset.length, ruleset.ko
        numbers = [self._numbers.setdefault((game, _says(pattern)), len(self._numbers)) for pattern in patterns]
        index_of = {number: index for index, number in enumerate(numbers)}
        wanted = sum(1 << number for number in numbers)
        books: dict[int, tuple[list[int], Book]] = {}  # mask of numbers -> (the numbers, the book of their patterns)
        for position in positions:
            key = game, _all_of(position)
            matched, fired = self._matched.get(key, (0, {}))
            if missing := wanted & ~matched:
                if missing not in books:
                    some = points_of(missing)
                    books[missing] = some, book_for([patterns[index_of[number]] for number in some], ruleset)
                fired = _merge(fired, firings(books[missing][1], position), books[missing][0])
                self._matched[key] = matched | missing, fired
            for move in sorted(fired):
                if here := fired[move] & wanted:
                    yield position, move, sum(1 << index_of[number] for number in points_of(here))


def _merge(fired: dict[int, int], more: dict[int, int], numbers: list[int]) -> dict[int, int]:
    """Return {move: mask} with the bits of `fired` and the renumbered bits of `more`. numbers: the new bit numbers."""
    merged = dict(fired)
    for move, mask in more.items():
        merged[move] = merged.get(move, 0) | sum(1 << numbers[bit] for bit in points_of(mask))
    return merged


_FIRINGS = FiringsCache()


class Samples:
    """Known positions, each with the patterns that fire in it.

    Patterns with the same drawing and the same conditions have the same kind (a number). Each entry of `rows` is
    (position, move, mask of the kinds whose patterns fire for the move). A position has a row for each move for which a
    pattern fires. Positions beyond the limit MOST_LOOKS have rows only for their moves in `drawn` (see __init__).
    """

    def __init__(
        self,
        patterns: list[KnownPattern],
        ruleset: Ruleset,
        positions: Iterable[Position],
        drawn: Iterable[tuple[Position, int]] = (),
    ):
        """Find the patterns that fire in the positions.

        drawn: pairs (position, move) for which a pattern should fire.
        """
        self._readings: dict[tuple[object, ...], tuple[Reading, int]] = {}
        self.ruleset = ruleset
        self.positions = list(positions)
        self.distinct = list({_all_of(one): one for one in self.positions}.values())
        numbers: dict[tuple[tuple[str, ...], ...], int] = {}
        # The kind of each pattern.
        self.kinds = [numbers.setdefault(_says(pattern), len(numbers)) for pattern in patterns]
        different = [patterns[self.kinds.index(kind)] for kind in range(len(numbers))]
        self.book = book_for(different, ruleset)
        whole = self.distinct[: MOST_LOOKS // max(len(numbers), 1)]
        self.rows = list(_FIRINGS.rows(different, ruleset, whole))
        seen = {_all_of(one) for one in whole}
        rest = {(_all_of(one), move): (one, move) for one, move in drawn if _all_of(one) not in seen}
        self.rows += [(one, move, self.kinds_at(one, move, self._at.get(move, ()))) for one, move in rest.values()]

    def fires(self, p: int, and_also: int | None = None, but_not: int | None = None) -> tuple[Position, int] | None:
        """Return a known position and a move for which pattern `p` fires, or None if none is known.

        p, and_also, but_not: indexes of patterns. The pattern `and_also`, if given, must also fire for the move. The
        pattern `but_not`, if given, must not fire for the move.
        """
        wanted = 1 << self.kinds[p] | (1 << self.kinds[and_also] if and_also is not None else 0)
        unwanted = 1 << self.kinds[but_not] if but_not is not None else 0
        rows = () if wanted & unwanted else self.rows
        return next(((one, move) for one, move, fired in rows if fired & (wanted | unwanted) == wanted), None)

    def fires_at(self, p: int, position: Position, move: int) -> bool:
        """Return whether a pattern fires for a move in a position."""
        return bool(self.kinds_at(position, move, (self.kinds[p],)))

    def kinds_at(self, position: Position, move: int, kinds: Iterable[int]) -> int:
        """Return a mask of the given kinds whose patterns fire for a move."""
        fired, book, (reading, legal) = 0, self.book, self._read(position)
        if move != PASS and not legal >> move & 1:
            return 0
        word, placed = reading.state.own | reading.state.theirs << book.size * book.size, self._at.get(move, {})
        for kind in kinds:
            fits = [k for k in placed.get(kind, ()) if word & book.cares[k] == book.values[k]]
            asked = book.conditions(kind) if fits else None
            if asked and game_conditions_hold(asked, reading):
                fired |= any(points_of_placement(asked, reading, book.cells[k]) is not None for k in fits) << kind
        return fired

    @cached_property
    def _at(self) -> dict[int, dict[int, list[int]]]:
        """The indices of the placements in the book, as {move: {kind: [index]}}."""
        at: dict[int, dict[int, list[int]]] = {}
        shift, nowhere = 3 + self.book.bits, (1 << self.book.bits) - 1
        for kind, (start, end) in enumerate(pairwise(self.book.starts)):
            for k in range(start, end):
                move = self.book.cells[k] >> shift & nowhere
                at.setdefault(PASS if move == nowhere else move, {}).setdefault(kind, []).append(k)
        return at

    def _read(self, position: Position) -> tuple[Reading, int]:
        """Return (Reading of a position, mask of the legal moves), cached by position."""
        key = _all_of(position)
        if key not in self._readings:
            if len(self._readings) == MOST_READINGS:
                self._readings.clear()
            self._readings[key] = Reading(state_of(position), self.book.bits), position.legal()
        return self._readings[key]

    def variant_fires(self, pattern: KnownPattern) -> tuple[Position, int] | None:
        """Return a known position and a move for which a pattern fires, or None if no such position is known.

        The pattern need not be among the patterns for which the samples were made.
        """
        book = book_for([pattern], self.ruleset)
        positions = chain((example.position() for example in pattern.examples), self.distinct)
        fired = ((position, move) for position in positions for _, move, _, _ in hits(book, *self._read(position)))
        return next(fired, None)

    def walk(self, base: KnownPattern, other: KnownPattern, both: bool) -> tuple[Position, int] | None:
        """Return a position and a move, found by a random walk, for which `base` fires, or None.

        `other` must fire for the move if `both` is true, and must not fire otherwise. The walk starts at known
        positions in which `base` fires. Each step changes up to three points. A changed position in which `base` still
        fires is a new starting point.
        """
        book, random = book_for([base, other], self.ruleset), Random(SEED)
        wanted = 3 if both else 1
        good = (one for one in self.positions if any(fired & 1 for fired in firings(book, one).values()))
        pool = list(islice(good, POOL))
        for _ in range(STEPS if pool else 0):
            position = change_some(random.choice(pool), random)
            fired = firings(book, position) if position else {}
            for move, patterns in fired.items():
                if position and patterns == wanted:
                    return position, move
            if position and any(patterns & 1 for patterns in fired.values()):
                pool = [*pool[1 - POOL :], position]
        return None


def change_some(position: Position, random: Random) -> Position | None:
    """Return a position with up to three points changed at random.

    With a probability of 1/4, the number of moves left and `passed` are also chosen at random. The changed position has
    no ko point. Return None if the changed position is illegal.
    """
    black, white, left, passed = position.black, position.white, position.left, position.passed
    ruleset = position.ruleset
    for _ in range(random.choice((1, 1, 2, 3))):
        point = 1 << random.randrange(ruleset.size**2)
        what = random.randrange(3)
        black = black & ~point | (point if what == 1 else 0)
        white = white & ~point | (point if what == 2 else 0)
    if random.random() < 0.25:
        left, passed = random.randint(1, ruleset.length), random.random() < 0.1
    colour = colour_to_move(ruleset, left)
    if colour != position.colour:
        black, white = white, black
    position = Position(ruleset, black, white, colour, 0, passed, left)
    return position if from_position(position).is_legal() else None
