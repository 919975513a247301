"""Tests of conclusions from a partly known position: bounds of facts, and implied requirements."""

from __future__ import annotations

from itertools import product
from random import Random
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, boards
from small_universe import positions as all_positions

from littlego.engines.large.vocabulary import small_facts
from littlego.knowledge.exact import bounds, search
from littlego.knowledge.exact.bounds import Term, View
from littlego.knowledge.exact.conclusions import Demands, Says
from littlego.knowledge.exact.partial import (
    AFTER_A_MOVE,
    AFTER_A_PASS,
    Partial,
    colour_to_move,
    from_position,
    unknown_position,
)
from littlego.knowledge.exact.placed import about
from littlego.knowledge.exact.questions import READS_ANY_KO, READS_KO_AT_ITS_POINT
from littlego.rules.facts import State
from littlego.rules.geometry import around, flood, points_of
from littlego.rules.position import BLACK, Position, captured_by
from littlego.rules.programs import OPERATORS
from littlego.rules.ruleset import Ruleset, little_go
from littlego.rules.turn import least_moves_made

FACTS = small_facts()
NAMES = list(FACTS)
KINDS = {name: fact.kinds for name, fact in FACTS.items()}
READ_OUT = {name for name, fact in FACTS.items() if fact.cost >= search.READ_OUT}


@st.composite
def positions(draw, largest=5) -> tuple[Position, Random]:
    """Draw a position with its clock and its ko, and a random source for further choices."""
    grid, own, theirs = draw(boards(3, largest))
    seed = Random(draw(SEEDS))
    ruleset = little_go(grid[0])
    lefts = []
    for left in range(1, ruleset.length + 1):
        colour = colour_to_move(ruleset, left)
        black, white = (own, theirs) if colour == BLACK else (theirs, own)
        if left <= ruleset.length - least_moves_made(black, white, colour):
            lefts.append((black, white, colour, left))
    if not lefts:
        own = theirs = 0
        lefts = [(0, 0, BLACK, ruleset.length)]
    black, white, colour, left = seed.choice(lefts)
    kos = [
        1 << point
        for point in points_of(grid[1] & ~(own | theirs))
        if not around(1 << point, grid) & ~theirs and is_one_stone(captured_by(1 << point, own, theirs, grid))
    ]
    ko = seed.choice(kos) if kos and seed.random() < 0.8 else 0
    return Position(ruleset, black, white, colour, ko, not ko and seed.random() < 0.2, left), seed


def is_one_stone(mask: int) -> bool:
    return mask != 0 and not mask & (mask - 1)


def partly_known(position: Position, seed: Random) -> Partial:
    """Return a partial board of the position, on which some points are unknown and some partly known."""
    whole, share = from_position(position), seed.choice((0.1, 0.3, 0.6))
    own, theirs, empty = (
        sum(1 << point for point in range(position.ruleset.size**2) if seed.random() < share) for _ in range(3)
    )
    clock = sum(1 << left for left in range(1, position.ruleset.length + 1) if seed.random() < share)
    passes = whole.passes | (seed.choice((0, AFTER_A_MOVE | AFTER_A_PASS)) if not position.ko else 0)
    return Partial(
        position.ruleset,
        whole.own | own,
        whole.theirs | theirs,
        whole.empty | empty,
        whole.clock | clock,
        passes,
        position.ko,
    )


def some_term(position: Position, seed: Random, name: str = "") -> Term:
    """Return a term of the fact `name`, or of a random fact, with arguments on the board."""
    name, area = name or seed.choice(NAMES), position.ruleset.size**2
    stones = points_of(position.black | position.white) or [0]
    arguments = []
    for kind in KINDS[name]:
        point = 1 << (seed.choice(stones) if kind == "chain" and seed.random() < 0.8 else seed.randrange(area))
        second = 1 << seed.choice(stones) if kind == "chain" and seed.random() < 0.15 else 0
        arguments.append((kind == "chain", point | second))
    move = 1 << seed.randrange(area) if FACTS[name].after_the_move and seed.random() < 0.95 else 0
    return Term(name, move, tuple(arguments))


def answer(term: Term, position: Position) -> int:
    """Return the value of a term in a position."""
    grid, own, theirs = position.grid, position.own, position.theirs
    komi2 = position.ruleset.komi2
    state = State(
        own,
        theirs,
        position.ko,
        position.left,
        position.number,
        position.colour,
        -komi2 if position.colour == BLACK else komi2,
        position.passed,
        grid,
    )
    masks = [
        flood(points & own, own, grid) | flood(points & theirs, theirs, grid) if is_chain else points
        for is_chain, points in term.arguments
    ]
    function = FACTS[term.name].function
    return function(state, term.move, *masks)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(drawn=positions())
def test_a_fact_lies_within_its_bounds_on_any_part_of_the_board(name, drawn):
    position, seed = drawn
    term = some_term(position, seed, name)
    low, high = View(partly_known(position, seed), {}).ask(term)
    least, most = FACTS[name].bounds(position.ruleset.size**2)
    assert max(low, least) <= answer(term, position) <= min(high, most)


@settings(max_examples=300, deadline=None)
@given(positions())
def test_bounds_of_what_needs_no_reading_meet_on_a_whole_board(drawn):
    position, seed = drawn
    view = View(from_position(position), {})
    for name in NAMES:
        term = some_term(position, seed, name)
        assert view.ask(term) == (answer(term, position),) * 2
        chains = [view.chains(points) for is_chain, points in term.arguments if is_chain]
        is_bounded = name in bounds.BOUNDS and name not in READ_OUT and term.arguments
        if not is_bounded or None in chains or any(not chain.is_one for chain in chains):
            continue
        arguments = [view.chains(points) if is_chain else points for is_chain, points in term.arguments]
        assert bounds.BOUNDS[name](view, term.move, *arguments) == (answer(term, position),) * 2, name


@settings(max_examples=100, deadline=None)
@given(positions())
def test_a_fact_without_a_bound_is_asked_once_all_is_known_and_has_its_declared_range_before(drawn):
    position, seed = drawn
    part = partly_known(position, seed)
    with mock.patch.dict(bounds.BOUNDS, clear=True):
        for name, fact in FACTS.items():
            term = some_term(position, seed, name)
            assert View(from_position(position), {}).ask(term) == (answer(term, position),) * 2
            # the parity of margin2 may be known before the position is settled
            if not part.is_settled() and name != "margin2":
                assert View(part, {}).ask(term) == fact.bounds(position.ruleset.size**2)


def test_no_fact_leaves_the_range_that_it_declares_on_any_board_of_2x2():
    """Facts without a bound function use their declared range as bounds."""
    ruleset, points = Ruleset("little-go-2", 2, komi2=3, length=8), range(1, 16)
    for position in all_positions(ruleset, all_clocks=True):
        stones = position.black | position.white
        for name, fact in FACTS.items():
            low, high = fact.bounds(4)
            choices = [[mask for mask in points if kind == "chain" or mask.bit_count() == 1] for kind in fact.kinds]
            moves = (0, 1, 2, 4, 8) if fact.after_the_move else (0,)
            for move, *masks in product(moves, *choices):
                term = Term(name, move, tuple(zip((kind == "chain" for kind in fact.kinds), masks, strict=True)))
                assert low <= answer(term, position) <= high, (term, stones)


def test_every_bound_is_one_of_a_fact():
    written = {name.removeprefix("bound_") for name in vars(bounds) if name.startswith("bound_")}
    assert written <= set(NAMES) and set(bounds.BOUNDS) <= set(NAMES)


@settings(max_examples=200, deadline=None)
@given(positions())
def test_a_fact_with_a_bound_reads_no_clock_and_only_the_ko_that_it_is_said_to_read(drawn):
    """For facts with a bound function, the search ignores the clock and most kos."""
    position, seed = drawn
    for name in bounds.BOUNDS:
        term = some_term(position, seed, name)
        if term.arguments:
            left = seed.randrange(2 - position.left % 2, 25, 2)
            for other in (changed(position, passed=not position.passed), changed(position, left=left)):
                assert answer(term, other) == answer(term, position), name
        if name not in READS_ANY_KO and not (name in READS_KO_AT_ITS_POINT and touches(term, position.ko)):
            assert answer(term, changed(position, ko=0)) == answer(term, position), name


@settings(max_examples=200, deadline=None)
@given(positions())
def test_a_fact_and_its_mirror_are_one_fact_asked_by_either_side(drawn):
    """The test sets no ko, since a ko forbids a point to only one side."""
    position, seed = drawn
    for name, mirror in bounds.MIRRORS.items():
        term = some_term(position, seed, name)
        if any(points & position.black and points & position.white for _, points in term.arguments):
            continue  # a label cannot name chains of both colours
        plain = changed(position, ko=0)
        swapped = changed(plain, black=plain.white, white=plain.black)
        assert answer(term, plain) == answer(term._replace(name=mirror), swapped), name


def changed(position: Position, **parts) -> Position:
    """Return the position with some of its parts replaced."""
    names = ("ruleset", "black", "white", "colour", "ko", "passed", "left")
    return Position(*({name: getattr(position, name) for name in names} | parts).values())


def touches(term: Term, ko: int) -> bool:
    """Return whether the ko point is the term's move or one of its point arguments."""
    return bool(ko & term.move) or any(ko & points for is_chain, points in term.arguments if not is_chain)


@settings(max_examples=400, deadline=None)
@given(positions())
def test_what_follows_from_true_demands_holds(drawn):
    position, seed = drawn
    demands = []
    for _ in range(seed.randint(1, 6)):
        term = some_term(position, seed)
        comparison = seed.choice(("<", "<=", "==", "==", "!=", ">=", ">"))
        number = answer(term, position) + seed.choice((-1, 0, 0, 0, 1))
        asked = about(term, comparison, number)
        demands.append((Says(asked, int(OPERATORS[comparison](answer(term, position), number))),))
    found = Demands(partly_known(position, seed), demands, [])
    assert found.settle(), "the search rejected demands that the position meets"
    whole = from_position(position)
    assert not whole.own & ~found.board.own and not whole.theirs & ~found.board.theirs
    assert not whole.empty & ~found.board.empty and not whole.clock & ~found.board.clock
    for term in (some_term(position, seed) for _ in range(10)):
        low, high = found.view.ask(term)
        assert low <= answer(term, position) <= high, (term, demands)


def test_nothing_is_known_of_an_unknown_position():
    board = unknown_position(little_go(5))
    assert board.possible() and not board.is_legal()
    assert View(board, {}).ask(Term("liberties", 0, ((True, 1),))) == (0, 25)
    assert View(board, {}).ask(Term("margin2", 0, ())) == (-55, 55)
