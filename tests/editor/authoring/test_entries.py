"""Tests of entries made from positions: they compile, fire for the position's move, and are small."""

import random
from itertools import product

import pytest
from boards import position as drawn_position
from knowledge_files import YAML

from littlego.editor.authoring.entries import CounterexampleError, Draft, entry_text, find_counterexample
from littlego.editor.authoring.scaffold import Drawing, Region, draw_region, fired_moves, image_moves, smallest_drawing
from littlego.judging import recorded
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.examples import outcome_of
from littlego.knowledge.firing import firings_for
from littlego.knowledge.model import MATCHES, Example
from littlego.rules.geometry import count, points_of
from littlego.rules.position import PASS

CUT = """\
. . . . .
. . O X .
. O X X .
. . O . .
. . . . .
"""


@pytest.fixture(scope="module")
def chances():
    """Return about 220 recorded positions, each with its recorded move or a random legal move."""
    rng = random.Random(4)
    found = []
    for one in rng.sample(recorded.read_decisions(), 220):
        legal = points_of(one.position.legal())
        move = one.move if one.move != PASS and rng.random() < 0.5 else rng.choice(legal or [PASS])
        if move != PASS:
            found.append((one.position, move))
    return found


def compiled_entries(entries):
    """Compile entries as a separate file, run their examples, and return the patterns."""
    text = "ruleset: little-go\npatterns:\n" + "\n\n".join(entries) + "\n"
    _, problems, base = compile_text(text, "new.yaml")
    assert not problems, problems[0]
    return base.patterns


def test_entries_from_hundreds_of_positions_compile_with_their_examples(chances):
    drawings = [smallest_drawing(position, move) for position, move in chances]
    entries = [
        entry_text(Draft(f"new-{number}", "shape", drawing, *chance))
        for number, (drawing, chance) in enumerate(zip(drawings, chances, strict=True))
    ]
    patterns = compiled_entries(entries)
    assert len(patterns) == len(chances) > 200
    for pattern, drawing, (position, move) in zip(patterns, drawings, chances, strict=True):
        moves = set(firings_for(pattern, position))  # the player's own engine
        assert moves == set(points_of(image_moves(position, move))), pattern.rows
        assert moves == set(points_of(fired_moves(drawing, position)))
        [example, other] = pattern.examples
        assert (example.position().black, example.position().white) == (position.black, position.white)
        assert (example.moves_left, example.colour, example.move) == (position.left, position.colour, move)
        assert (example.position().ko, example.position().passed) == (position.ko, position.passed)
        assert other.position().legal() >> other.move & 1


def test_the_entry_can_be_pasted_at_the_end_of_the_shipped_file(chances):
    entry = entry_text(Draft("new-pattern", "shape", smallest_drawing(*chances[0]), *chances[0]))
    text = f"{YAML.read_text(encoding='utf-8')}\n{entry}\n"
    data, problems, base = compile_text(text, "patterns.yaml", with_examples=False)
    assert not problems and b"\nnew-pattern\tshape\t500\t" in data
    pasted = base.patterns[-1]
    assert [outcome_of(pasted, example).passed for example in pasted.examples] == [True, True]


def test_boxes_of_any_size_give_entries_that_compile(chances):
    rng, entries = random.Random(9), []
    for number, (position, move) in enumerate(chances[:80]):
        row, column = divmod(move, 5)
        region = Region(rng.randint(0, row), rng.randint(0, column), rng.randint(row, 4), rng.randint(column, 4))
        drawing = draw_region(position, move, region)
        assert fired_moves(drawing, position) >> move & 1
        if region.area > 1 or drawing.edges:
            entries.append(entry_text(Draft(f"new-{number}", "cut", drawing, position, move)))
        else:
            with pytest.raises(CounterexampleError):  # a drawing of the move alone fires at every legal point
                entry_text(Draft("new", "cut", drawing, position, move))
    assert len(compiled_entries(entries)) > 70


KO = """\
. X O . .
X O . O .
. X O . .
. . . . .
. . . . .
"""  # X, to move, has lost the stone at 1,2 to the stone at 1,1


def test_a_ko_is_drawn_with_the_board_before_it():
    position = drawn_position(KO, left=14)
    position.ko = 1 << 7
    [pattern] = compiled_entries([entry_text(Draft("wait", "ko", smallest_drawing(position, 0), position, 0))])
    [example, _] = pattern.examples
    assert example.position().ko == position.ko == 1 << 7
    assert example.previous == (position.own | 1 << 7, position.theirs & ~(1 << 6))


def test_every_recorded_ko_and_pass_is_an_example_that_says_so():
    told = [one.position for one in recorded.read_decisions() if one.position.ko or one.position.passed]
    assert sum(bool(position.ko) for position in told) > 20 and len(told) > 40
    for position in told:
        again = Example.of_position(MATCHES, position, None).position()
        assert (again.own, again.theirs, again.ko, again.passed, again.left, again.colour) == (
            position.own,
            position.theirs,
            position.ko,
            position.passed,
            position.left,
            position.colour,
        )


def test_a_position_without_either_needs_no_other_board(chances):
    for position, move in chances:
        previous = Example.of_position(MATCHES, position, move).previous
        assert (previous is None) == (not position.ko and (not position.passed or position.left == 24))


def test_the_chains_next_to_the_move_are_lettered():
    position = drawn_position(CUT, left=18)
    draft = Draft("new", "cut", smallest_drawing(position, 6), position, 6)
    assert draft.letters == {7: "A", 11: "B"}
    assert "    labels: |\n      * A X\n      B ? ?\n" in entry_text(draft, labelled=True)
    assert "labels" not in entry_text(draft) and "    points: 7\n" in entry_text(draft, 7)


def test_no_smaller_box_singles_the_move_out(chances):
    for position, move in chances[::12]:
        found = smallest_drawing(position, move)
        wanted, cells = image_moves(position, move), found.cells
        needed = [
            point
            for point in points_of(position.own | position.theirs)
            if abs(point // 5 - move // 5) + abs(point % 5 - move % 5) == 1
        ]
        for top, left, height, width in product(range(5), range(5), range(1, 6), range(1, 6)):
            box = Region(top, left, top + height - 1, left + width - 1)
            fits = box.bottom < 5 and box.right < 5 and all(box.has(*divmod(point, 5)) for point in [move, *needed])
            if fits and box.area < found.region.area:
                whole = Drawing(5, cells, box, box.touched(5))
                assert fired_moves(whole, position) & ~wanted, (box, found.rows())


def test_every_cell_and_edge_that_is_drawn_matters(chances):
    for position, move in chances[::12]:
        found = smallest_drawing(position, move)
        moves = fired_moves(found, position)
        for side in found.edges:
            assert (
                fired_moves(Drawing(5, found.cells, found.region, found.edges - {side}, found.hidden), position)
                != moves
            )


DRAWN = [
    (CUT, 6, ["*OX", "O??"]),
    (". . . . .\n" * 5, 12, None),
    ("X . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", 24, None),
]


@pytest.mark.parametrize(("drawn", "move", "rows"), DRAWN)
def test_drawings_one_can_check_by_eye(drawn, move, rows):
    position = drawn_position(drawn, left=18)
    found = smallest_drawing(position, move)
    assert rows is None or found.rows() == rows
    assert fired_moves(found, position) == image_moves(position, move)


def test_a_board_that_is_its_own_image_counts_its_moves_as_one():
    position = drawn_position(". . . . .\n" * 2 + ". . X . .\n" + ". . . . .\n" * 2, left=24)
    assert count(image_moves(position, 6)) == 4 and count(image_moves(position, 1)) == 8
    assert fired_moves(smallest_drawing(position, 6), position) == image_moves(position, 6)


def test_the_counterexample_is_one_cell_away_where_that_will_do(chances):
    changes = []
    for position, move in chances:
        other, asked = find_counterexample(smallest_drawing(position, move), position, move)
        changes.append(count(position.own ^ other.own | position.theirs ^ other.theirs))
        assert changes[-1] <= 3 and (asked == move or not changes[-1])
    assert changes.count(1) > 0.9 * len(changes)
