"""Tests that firings computed from planes and from tables have the same patterns, points and cells."""

from __future__ import annotations

import random

import pytest
from random_books import random_pattern
from random_matches import random_match

from littlego.engines.large.book import LargeBook, load_large
from littlego.engines.large.firings import Firings
from littlego.engines.large.reading import LargeReading
from littlego.engines.large.state import make_state
from littlego.paths import PATTERNS_TXT
from littlego.rules.engine import Matcher
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Pattern, book_of
from littlego.rules.position import PASS

PATTERNS = load_large(PATTERNS_TXT.read_bytes(), "patterns.txt")


def by_tables(state, legal, book):
    """Return {move: [(pattern, points, cells)]}, as the matcher of rules/ finds them on this board."""
    matcher = Matcher(state, book)
    return {
        move: [(firing.pattern.id, firing.points, firing.cells) for firing in matcher.firings(move)]
        for move in [*points_of(legal), PASS]
    }


def firings_of(state, legal, book):
    """Return the list of firings at each point; the last item has the firings of a pass."""
    firings = Firings(book, LargeReading(state, book.bits))
    firings.fire_all(legal)
    assert firings.weighed == len(book.patterns)
    return firings.fired


def by_planes(state, legal, book):
    """Return {move: [(pattern, points, cells)]}, computed from planes and conditions."""
    fired = firings_of(state, legal, book)
    return {
        move: [(firing.pattern.id, firing.points, firing.cells) for firing in fired[move]]
        for move in [*points_of(legal), PASS]
    }


@pytest.mark.parametrize("size", [5, 7, 9, 19])
def test_our_patterns_fire_alike_in_random_games(size):
    large = PATTERNS.for_size(size)
    small = book_of("match", size, PATTERNS.patterns)
    game = random_match(7, size, plies=size * size, passing=0.02)
    number = 0
    for position in game[:: 1 + len(game) // (4 if size == 19 else 10)]:
        state, legal = make_state(position), position.legal()
        expected = by_tables(state, legal, small)
        assert by_planes(state, legal, large) == expected
        number += sum(map(len, expected.values()))
    assert number > 100


@pytest.mark.parametrize("seed", range(12))
def test_random_patterns_fire_alike(seed):
    draw = random.Random(seed)
    size = draw.choice([5, 6, 7, 9])
    patterns = [random_pattern(draw, number) for number in range(25)]
    small, large = book_of("match", size, patterns), LargeBook("match", size, patterns)
    for position in random_match(seed, size, plies=size * size, passing=0.05)[:: size * size // 4]:
        state, legal = make_state(position), position.legal()
        assert by_planes(state, legal, large) == by_tables(state, legal, small)


def test_points_by_the_size_of_the_board_are_a_number_on_each():
    pattern = Pattern("far\tshape\t500\t1\t-\t*\t\t12 5 board_size 13 >= * -\t\t@* last_distance 2 >=\tFar away.")
    book = LargeBook("match", 9, [pattern])
    for size, points in ((9, 12), (13, 7), (19, 7)):
        large, position = book.for_size(size), random_match(1, size, plies=10, passing=0)[-1]
        state, legal = make_state(position), position.legal()
        # these points depend on no placement, so the whole board has one value
        assert large.board_conditions(0).points == points
        fired = by_planes(state, legal, large)
        assert {points for firings in fired.values() for _, points, _ in firings} == {points}
        assert fired == by_tables(state, legal, book_of("match", size, [pattern]))


def test_points_by_the_size_and_by_a_fact_are_asked_of_each_placement():
    pattern = Pattern("by\tshape\t500\t1\t-\t*\t\t@* own_near 5 board_size 13 >= * -\t\t\tBeside own stones.")
    book = LargeBook("match", 13, [pattern])
    position = random_match(1, 13, plies=60, passing=0)[-1]
    state, legal = make_state(position), position.legal()
    fired = by_planes(state, legal, book)
    assert len({points for firings in fired.values() for _, points, _ in firings}) > 1
    assert fired == by_tables(state, legal, book_of("match", 13, [pattern]))


def test_no_placement_for_a_move_that_nobody_asks_about():
    position = random_match(3, 9, plies=20)[-1]
    book = PATTERNS.for_size(9)
    move = points_of(position.legal())[0]
    fired = firings_of(make_state(position), 1 << move, book)
    assert [at for at, firings in enumerate(fired[:-1]) if firings] == [move]


def test_what_has_fired_stands_when_the_work_is_ended():
    class EndedError(Exception):
        pass

    state = make_state(random_match(3, 9, plies=20)[-1])
    legal, book = (1 << 81) - 1, PATTERNS.for_size(9)
    whole = firings_of(state, legal, book)
    calls = iter(range(10))

    def look():
        if next(calls, None) is None:
            raise EndedError

    firings = Firings(book, LargeReading(state, book.bits))
    with pytest.raises(EndedError):
        firings.fire_all(legal, look)
    assert 0 < firings.weighed < len(book.patterns)
    names = [pattern.id for pattern in book.patterns]
    for some, every in zip(firings.fired, whole, strict=True):
        done = [firing.pattern.id for firing in every if names.index(firing.pattern.id) < firings.weighed]
        assert [firing.pattern.id for firing in some][: len(done)] == done
