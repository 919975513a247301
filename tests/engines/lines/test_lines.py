"""Tests that the lines of reading facts are legal, end as the facts say, and keep within the promised moves."""

from __future__ import annotations

import itertools
import random

import pytest
from boards import drawn, state_of
from hypothesis import given, settings
from knowledge_files import book
from large_states import drawn_state, match_positions
from random_boards import SEEDS, boards
from slow_go import board_of, points
from slow_readings import OTHER, slow_falls

from littlego.engines.choosing import engine_for, load_book
from littlego.engines.draw.decisions import (
    MOST_LINES,
    decision_text,
    describe_line,
    lines_json,
    read_lines,
    short_text,
    signed_moves,
)
from littlego.engines.large.state import make_state
from littlego.engines.lines.lines import ENDS, FALLS, LINES, STANDS, ViewLine, lines_of
from littlego.engines.reasons.contrast import contrast
from littlego.games.boards import move_text
from littlego.judging import recorded
from littlego.paths import MATCH_DECISIONS, MATCH_TXT
from littlego.rules.engine import decide
from littlego.rules.facts import FACTS, State
from littlego.rules.geometry import count, flood, image_of, points_of, symmetry_tables
from littlego.rules.position import BLACK, PASS, WHITE, Position, chains, is_legal, played
from littlego.rules.ruleset import LITTLE_GO

WITHIN_3 = "takes_in_3", "guards_in_3"
MOST_MOVES = 4  # arguments tried for each fact on a random board


def arguments_of(name, state, seed):
    """Return some (move, argument) pairs for a fact of one argument."""
    fact, empty = FACTS[name], points_of(state.grid[1] & ~(state.own | state.theirs))
    moves = [1 << point for point in seed.sample(empty, min(MOST_MOVES, len(empty)))]
    if fact.kinds == ("point",):
        return [(0, move) for move in moves]
    some = chains(state.own, state.grid) + chains(state.theirs, state.grid)
    return [(move, chain) for move in (moves if fact.after_the_move else [0]) for chain in some]


def boards_along(line, state):
    """Yield (move, mover's stones, other stones, captured stones) after each move of a line; all must be legal."""
    own, theirs, ko = (state.own, state.theirs, state.ko) if line.by_mover else (state.theirs, state.own, 0)
    for move in line.moves:
        assert not move or is_legal(move, own, theirs, ko, state.grid)
        own, theirs, taken, ko = played(move, own, theirs, state.grid) if move else (own, theirs, 0, 0)
        yield move, own, theirs, taken
        own, theirs = theirs, own


def view_line(line, state):
    """Return the ViewLine of a Line on a board that the engine does not turn."""
    masks = tuple(0 if move == PASS else 1 << move for move in line.moves)
    point = 0 if line.point is None else 1 << line.point
    return ViewLine(line.kind, sum(1 << stone for stone in line.stones), masks, point, line.first == state.colour)


def check_line(name, answer, line, state):
    steps = list(boards_along(line, state))
    _, own, theirs, taken = steps[-1]
    if line.kind == ENDS:
        lead = (count(own) - count(theirs)) * (1 if len(steps) % 2 else -1)
        assert 2 * lead + state.bonus2 == answer
        assert len(steps) == state.left or [move for move, *_ in steps[-2:]] == [0, 0]
        return
    assert taken and not line.stones & ~taken
    assert not any(earlier[3] & line.stones for earlier in steps[:-1])
    if line.kind == STANDS:
        assert line.moves[0] == 0 and line.point
    elif line.point:
        assert line.moves[0] == line.point
    if name in WITHIN_3:
        assert (line.kind == FALLS) == ((answer > 0) == (name == "takes_in_3"))
        check_captures(line, state, steps)


def check_captures(line, state, steps):
    """Assert, by a slow reading, that each move of the attacker keeps the promise of three moves."""
    size, left = state.grid[0], 3
    prey, before = points(line.stones, size)[0], board_of(size, state.own, state.theirs)
    owner = "X" if line.stones & (state.own | line.point) else "O"
    for number, (_, own, theirs, taken) in enumerate(steps):
        by_mover = number % 2 == 0
        after = board_of(size, *((own, theirs) if by_mover else (theirs, own)))
        if taken & line.stones:
            assert left >= 1 or number == 0
            return
        mover = "X" if by_mover else "O"
        left -= number > 0 and mover != owner
        assert slow_falls(after, prey, OTHER[mover], left, before)
        before = after


def check_every_fact(state, names, seed):
    for name in names:
        for move, argument in arguments_of(name, state, seed):
            answer = FACTS[name].function(state, move, argument)
            if answer:
                check_line(name, answer, LINES[name](state, move, argument), state)


@settings(max_examples=60, deadline=None)
@given(boards(smallest=3, largest=5), SEEDS)
def test_lines_on_small_boards_are_legal_and_prove_the_answer(board, number):
    (grid, own, theirs), seed = board, random.Random(number)
    state = State(own, theirs, 0, seed.randint(2, 20), 5, BLACK, -5, 0, grid)
    small = [name for name in LINES if not hasattr(FACTS[name], "sizes")]
    check_every_fact(state, small, seed)


@settings(max_examples=40, deadline=None)
@given(match_positions(), SEEDS)
def test_lines_on_large_boards_are_legal_and_prove_the_answer(position, number):
    check_every_fact(make_state(position), [name for name in LINES if name not in WITHIN_3], random.Random(number))


CAPTURE = """
    . . . . .
    . X X X O
    . . X O O
    . X . . .
    O O . . ."""
ESCAPE = """
    . O . . X
    . X . X .
    O O X . O
    . X O . .
    . . . . ."""
SAVE = """
    X . X X .
    . X O O .
    O . X O .
    . . . . O
    . . . . ."""
LADDER = """
    . . . . . . . . .
    . . X X . . . . .
    . X o . . . . . .
    . . * . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . ."""


def text_for(board, move, fact, left=14, colour=BLACK):
    """Return the text of a fact's line for a move on a drawn board, by the player's own patterns."""
    place = drawn(board)
    stones = (place.own, place.theirs) if colour == BLACK else (place.theirs, place.own)
    made = decide(Position(LITTLE_GO, *stones, colour, 0, False, left), book(), complete=True)
    candidate = next(one for one in made.candidates if move_text(one.move, 5) == move)
    (line,) = (one for one in lines_of(candidate, made) if one.fact == fact)
    return describe_line(line, 5).replace("\N{NO-BREAK SPACE}", " ")


def test_a_capture_that_the_owner_cannot_prevent_is_shown_with_the_longest_defence():
    assert text_for(CAPTURE, "4,2", "takes_in_3").startswith("after X 4,2 the 2 stones at 4,0 fall: O ")


def test_stones_that_the_move_lets_escape_are_shown_with_their_fall_after_a_pass():
    assert text_for(ESCAPE, "1,4", "takes_in_3").startswith("after X 1,4 the stone at 0,1 stands; after a pass O ")


def test_stones_that_the_move_saves_are_shown_with_their_fall_after_a_pass():
    said = text_for(SAVE, "2,1", "guards_in_3", left=13, colour=WHITE)
    assert said.startswith("after O 2,1 the ") and "; after a pass X " in said


def test_a_ladder_is_shown_to_its_end():
    board = drawn(LADDER)
    state, target = drawn_state(LADDER.replace("*", "a")), board.marks["o"]
    line = LINES["ladder"](state, board.marks["*"], target)
    assert len(line.moves) >= 20 and line.moves[0] == board.marks["*"]
    *_, (_, _, _, taken) = boards_along(line, state)
    assert taken & target and count(taken) >= 10
    small = LINES["ladder"](state_of(board), board.marks["*"], target)
    assert small == line


def test_lines_do_not_depend_on_the_orientation_of_the_board():
    for one in recorded.read_decisions()[11::400]:
        position = one.position
        black, white = position.black, position.white
        images = [(image_of(black, table), image_of(white, table)) for table in symmetry_tables(5)]
        if position.ko or len(set(images)) < len(images):
            continue
        expected = None
        for table, image in zip(symmetry_tables(5), images, strict=True):
            turned = Position(LITTLE_GO, *image, position.colour, 0, position.passed, position.left)
            made, undo = decide(turned, book(), complete=True), {PASS: PASS} | {to: at for at, to in enumerate(table)}
            found = [
                (line.kind, line.patterns, line.fact, line.answer, line.captured, [undo[move] for move in line.moves])
                for line in lines_of(made.chosen, made)
            ]
            expected = expected or found
            assert found == expected


def test_every_line_of_recorded_positions_is_shown_or_counted():
    shown = 0
    for one in recorded.read_decisions()[::300]:
        made = decide(one.position, book(), complete=True)
        told = lines_json(made.chosen, made)
        whole = " ".join(decision_text(contrast(made), 1).split())
        assert all(line["text"] in whole for line in told)
        assert len(short_text(contrast(made)).splitlines()) <= MOST_LINES
        assert all(set(line["patterns"]) <= {firing.pattern.id for firing in made.chosen.firings} for line in told)
        shown += len(told)
    assert shown > 10


def test_lines_without_room_are_counted():
    made = decide(Position(LITTLE_GO, *drawn(CAPTURE)[2:4], BLACK, 0, False, 14), book(), complete=True)
    whole = read_lines(made.chosen, made)
    assert whole[0].startswith("Read: capture-in-four: after X 3,3 ") and len(whole) == 4
    assert read_lines(made.chosen, made, 4) == whole  # the last text needs no room for a count
    assert read_lines(made.chosen, made, 3, "whole") == [*whole[:2], "      1 more line of play: whole"]
    assert read_lines(made.chosen, made, 1) == ["Read: 2 lines of play: --all"]
    assert read_lines(made.chosen, made, 0) == []


def test_lines_with_the_same_text_are_merged():
    made = decide(Position(LITTLE_GO, *drawn(CAPTURE)[2:4], BLACK, 0, False, 14), book(), complete=True)
    merged = 0
    for candidate in made.candidates:
        lines, told = lines_of(candidate, made), lines_json(candidate, made)
        texts = [one["text"] for one in told]
        assert len(set(texts)) == len(texts)
        for line in lines:
            text = describe_line(line, 5).replace("\N{NO-BREAK SPACE}", " ")
            one = told[texts.index(text)]
            assert set(line.patterns) <= set(one["patterns"]) and line.fact in one["facts"]
        merged += len(lines) - len(told)
    assert merged


def test_a_line_starts_with_its_first_colour_and_alternates():
    made = decide(Position(LITTLE_GO, *drawn(CAPTURE)[2:4], BLACK, 0, False, 14), book(), complete=True)
    for candidate in made.candidates:
        for line in lines_json(candidate, made):
            sides = itertools.cycle("XO" if line["first"] == "black" else "OX")
            moves = [f"{side} {move}" for side, move in zip(sides, line["moves"], strict=False)]
            assert line["kind"] == STANDS or all(move in line["text"] for move in moves)


@pytest.mark.parametrize(
    ("fact", "at", "is_fact", "by_mover"),
    [
        ("catchable", ".", True, True),
        ("capturable", ".", True, True),
        ("lost", ".", False, None),
        ("lost", "X", True, False),  # X at the marked point gives atari, and the ladder begins
    ],
)
def test_the_chain_of_a_large_fact_is_the_one_that_falls(fact, at, is_fact, by_mover):
    state, target = drawn_state(LADDER.replace("*", at)), drawn(LADDER).marks["o"]
    assert FACTS[fact].function(state, 0, target) == is_fact
    if is_fact:
        line = LINES[fact](state, 0, target)
        assert line.stones == flood(target, state.theirs, state.grid) and line.by_mover == by_mover
        check_line(fact, 1, line, state)


BREAKER = """
    . . . . . . . . .
    . . O O . . . . .
    . O x . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . * . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . ."""


def test_a_ladder_breaker_is_shown_with_the_ladder_after_a_pass():
    state, marks = drawn_state(BREAKER), drawn(BREAKER).marks
    assert FACTS["breaks_ladder"].function(state, 0, marks["*"]) == 1
    line = LINES["breaks_ladder"](state, 0, marks["*"])
    assert (line.kind, line.stones, line.point) == (STANDS, marks["x"], marks["*"])
    check_line("breaks_ladder", 1, line, state)


def test_a_match_shows_the_lines_of_large_facts():
    found, match = 0, load_book(MATCH_TXT.read_bytes(), MATCH_TXT.name)
    for one in recorded.read_decisions(MATCH_DECISIONS)[::60]:
        made = engine_for(one.position.ruleset).decide(one.position, match, True)
        state, size = make_state(one.position), one.position.ruleset.size
        for line in lines_of(made.chosen, made):
            found += 1
            in_view = view_line(line, state)
            check_line(line.fact, line.answer, in_view, state)
            *_, (_, _, _, taken) = boards_along(in_view, state)
            text, moves = describe_line(line, size), signed_moves(line.moves, line.first, size)
            assert line.captured == count(taken) and text.endswith(f"{moves[-1]} captures {count(taken)}")
            assert all(move in text for move in moves[line.kind == STANDS :])
    assert found


def test_a_line_gets_the_masks_with_which_its_fact_is_asked(monkeypatch):
    asked = []

    def spy(name, line_of):
        def spied(state, move, *arguments):
            asked.append((name, move, FACTS[name].function(state, move, *arguments)))
            return line_of(state, move, *arguments)

        return spied

    for name, line_of in list(LINES.items()):
        monkeypatch.setitem(LINES, name, spy(name, line_of))
    made = decide(Position(LITTLE_GO, *drawn(CAPTURE)[2:4], BLACK, 0, False, 14), book(), complete=True)
    answers = [line.answer for candidate in made.candidates for line in lines_of(candidate, made)]
    assert [answer for _, _, answer in asked] == answers
    assert {bool(move) == FACTS[name].after_the_move for name, move, _ in asked} == {True}
    assert {FACTS[name].after_the_move for name, _, _ in asked} == {False, True}
