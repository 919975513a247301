"""Tests of every kind of engine decision, shown in words, as JSON and as SVG."""

import json
import re
from xml.etree import ElementTree

import pytest
from boards import position
from knowledge_files import book
from small_books import book as small_book
from small_books import candidate_at, decision, pattern

from littlego.cli.terminal import MOST_COLUMNS
from littlego.engines.draw.decisions import (
    MOST_LINES,
    board_heading,
    contrast_line,
    decision_json,
    decision_text,
    hint_lines,
    placement_text,
    reason_line,
    short_text,
)
from littlego.engines.draw.svg import MARKS, MOST_NUMBERS, draw_decision
from littlego.engines.large.search import decide_large
from littlego.engines.reasons.contrast import contrast
from littlego.games.boards import move_text, parse_board
from littlego.games.match import match_rules
from littlego.judging import recorded
from littlego.rules.engine import decide
from littlego.rules.patternfile import empty_book
from littlego.rules.position import BLACK, PASS, opening
from littlego.rules.ruleset import LITTLE_GO

CENTRE = """
    . . . . .
    . . . . .
    . . X . .
    . . . . .
    . . . . ."""  # four points beside the stone and four diagonal to it, equivalent by symmetry within each group
LAST_LIBERTY = """
    . . . . .
    . . . . .
    . O . . .
    O X . . .
    . O . . ."""
NO_POINT = """
    . O . O .
    O O O O O
    O O O O O
    O O O O O
    . O O O ."""
ALL_LOSE = """
    . . . . X
    . O . . X
    X X X O X
    O X O O O
    . . . . O"""  # every move loses stones
AHEAD = """
    . . . . .
    . . . . .
    X X X X X
    . . . . .
    . . . . ."""
ONE_TO_TAKE = """
    O X . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . ."""


def beside(name="beside", points=20, **fields):
    return pattern(name, "X*", points, **fields)


def diagonal(name="diagonal", points=15, **fields):
    return pattern(name, "X?/?*", points, **fields)


def anywhere(points=1):
    return pattern("anywhere", "*", points)


class Always:
    """Fake overrides with the same move for every position."""

    def __init__(self, move: int):
        self.move = move

    def move_for(self, state):
        return self.move


def overruled(*patterns, move=0, drawn=CENTRE):
    return decide(position(drawn), small_book(*patterns), True, Always(move))


def test_points_that_one_move_has_more_than_the_next():
    line = reason_line(decision(CENTRE, beside(), diagonal(), anywhere()))
    assert line == "1,2 rather than 1,1: beside +20; against 1,2: diagonal -15. It is beside."


def test_a_pattern_that_counts_against_the_rival_is_told_about_the_rival():
    made = decision(CENTRE, beside(points=5), diagonal(points=6), diagonal("poor", -9))
    line = "1,2 rather than 1,1: poor +9, 1 more +5; against 1,2: diagonal -6"
    assert reason_line(made) == f"{line}. Against 1,1: It is poor."
    assert hint_lines(made) == ["1,2. Against 1,1: It is poor.", line]


def test_a_summary_that_begins_with_against_can_be_about_the_chosen_move():
    against = beside()
    against.summary = "Against a stone play beside it."
    first, _ = hint_lines(decision(CENTRE, against, anywhere()))
    assert first == "1,2: Against a stone play beside it."


def test_a_pattern_that_counts_less_against_the_chosen_move_is_told_about_the_rival():
    """The pattern costs the move beside the stone 3 points, and the diagonal move 9 points."""
    poor = pattern("poor", "*", "@* own_liberties 3 * 21 -")
    made = decision(CENTRE, beside(points=5), diagonal(points=6), poor)
    assert reason_line(made).startswith("1,2 rather than 1,1: poor +6")
    assert reason_line(made).endswith(". Against 1,1: It is poor.")


def test_patterns_that_only_together_make_the_difference_and_the_rest_in_sum():
    for_it = beside("first", 9), beside("second", 8), beside("third", 1), beside("fourth", 1)
    against = diagonal("most", 4), diagonal("much", 2), diagonal("some", 1), diagonal("little", 1)
    line = reason_line(decision(CENTRE, *for_it, *against))
    assert line == (
        "1,2 rather than 1,1: first +9, second +8, 2 more +2; against 1,2: most -4, much -2, 2 more -2. It is first."
    )


def test_a_higher_priority():
    line = reason_line(decision(CENTRE, beside(), diagonal(priority=600)))
    assert line == ("1,1 rather than 1,2: diagonal (priority 600 before 500); against 1,1: beside -20. It is diagonal.")


def test_equal_points_and_a_more_specific_pattern():
    line = contrast_line(contrast(decision(CENTRE, beside(points=15), diagonal(specificity=3))))
    assert line == (
        "1,1 rather than 1,2: equal points, but a more specific first pattern, 3 to 1; "
        "diagonal +15; against 1,1: beside -15"
    )


def test_the_order_of_the_points_with_other_moves_of_the_same_score():
    line = contrast_line(contrast(decision(CENTRE, beside(points=15), diagonal())))
    assert line == (
        "1,1 rather than 1,2: equal scores, so a fixed order of the moves decides; "
        "diagonal +15; against 1,1: beside -15; the same score: 2,1, 2,3, 3,2"
    )


def test_a_long_list_of_moves_of_the_same_score_is_cut():
    line = contrast_line(contrast(decision(CENTRE, anywhere())))
    assert line.startswith("0,1 rather than 1,2: equal scores, so") and "; anywhere (for both); " in line
    assert line.endswith("; the same score: 0,2, 1,1, 1,3 and 8 more")


def test_without_any_pattern_the_built_in_play_is_told():
    line = reason_line(decision(ONE_TO_TAKE))
    assert line == "1,0 rather than 1,1: no pattern fires for either move; captures and liberties: 103 to 4"


def test_a_pass_by_a_pattern():
    line = reason_line(decision(AHEAD, pattern("rest", "", 5, flags="p", priority=600), beside()))
    assert line == "PASS rather than 1,0: rest (priority 600 before 500); against PASS: beside -20. It is rest."


def test_a_pattern_that_forbids_the_other_move():
    line = contrast_line(contrast(decision(CENTRE, beside(), diagonal(points=90), diagonal("never", 0, flags="f"))))
    assert line == "1,2 rather than 1,1: never forbids 1,1, 1 more +20; against 1,2: diagonal -90"


def test_a_veto_of_every_other_move_that_no_pattern_is_needed_for():
    line = contrast_line(contrast(decision(LAST_LIBERTY, anywhere())))
    assert line == "3,2 rather than 1,0: every other move is vetoed, including 1,0: the reply 3,2 captures 1 stone"


def test_a_move_that_is_asked_about_and_vetoed():
    made = decision(LAST_LIBERTY, anywhere())
    asked = contrast(made, candidate_at(made, 0))
    assert contrast_line(asked) == "3,2 rather than 0,0: 0,0 is vetoed: the reply 1,0 puts 1 stone beyond rescue"


AT_THE_EDGE = """
    . . . . .
    O . . . .
    . . . . X
    O . . . .
    . . . . ."""


def test_a_stone_that_may_be_lost_is_told_with_its_price():
    reasons = [pattern("edge", "O/*/O", points=40), pattern("between", "O/*/O", points=40)]
    price = pattern("risk", "*", points=-30, flags="k")
    made = decision(AT_THE_EDGE, *reasons, price, pattern("elsewhere", "X/*", points=5), complete=True)
    assert (
        "2,0 rather than 1,4: risk accepts the loss of a stone, -30, 2 more +80; against 2,0: elsewhere -5"
        in reason_line(made)
    )
    assert "may lose a stone, at a price: 2,1 captures" in decision_text(contrast(made), 1)


def test_better_moves_that_were_vetoed_are_named():
    made = decision(CENTRE, beside(points=90), diagonal(), beside("never", 0, flags="f"))
    barred = (
        "1,2: forbidden by never; passed over 2,1: forbidden by never; passed over 2,3: forbidden by never; and 1 more"
    )
    assert reason_line(made).endswith(f"; passed over {barred}. Against 1,2: It is never.")
    listed = "1,2 (forbidden by never), 2,1 (forbidden by never), 2,3\n(forbidden by never) and 1 more."
    assert short_text(contrast(made)).endswith(f"\nBetter, but vetoed: {listed}")


def test_a_better_move_that_the_safety_check_vetoed_is_named_with_the_reply():
    made = decision(LAST_LIBERTY, pattern("corner", "+--/|*", 5), anywhere())
    line = "3,2 rather than 0,0: every other move is vetoed, including 0,0: the reply 1,0 puts 1 stone beyond rescue"
    assert reason_line(made) == line  # once is enough
    assert "Better, but vetoed: 0,0 (the reply 1,0 puts 1 stone beyond rescue)" in short_text(contrast(made))


@pytest.mark.parametrize("complete", [False, True])
def test_a_vetoed_move_of_the_same_score_that_comes_later_was_not_better(complete):
    made = decision(
        """
        . O . . .
        . . . . .
        . . . . .
        . . . . .
        . . X . .""",
        anywhere(),
        complete=complete,
    )
    assert made.move == 20 and (candidate_at(made, 0).veto != "") == complete
    assert "passed over" not in reason_line(made)


def test_where_all_is_vetoed_it_says_what_each_loses():
    assert reason_line(decision(ALL_LOSE, anywhere())).startswith(
        "4,0 rather than 0,0: every move is vetoed; 4,0 loses 2 stones, 0,0 loses 3 stones"
    )


def test_near_the_end_it_says_that_all_moves_lose_the_game():
    assert reason_line(decision(ALL_LOSE, anywhere(), left=6)).startswith(
        "4,0 rather than 0,0: every move is vetoed; 4,0 loses the game and 2 stones, 0,0 loses the game and 3 stones"
    )


def test_where_all_is_vetoed_and_loses_the_same_it_says_so():
    made = decision(CENTRE, beside(), pattern("stop", "*", flags="f"), pattern("stay", "", flags="pf"))
    line = contrast_line(contrast(made))
    assert line == "1,2 rather than 0,1: every move is vetoed; beside +20"


def test_the_exact_result_near_the_end():
    made = decision(ONE_TO_TAKE, anywhere(), left=2)
    assert contrast_line(contrast(made)) == "1,0 rather than 0,2: exact results: -1.5 for 1,0 and -2.5 for 0,2"


@pytest.mark.parametrize("left", [2, 10])
def test_no_other_move(left):
    assert reason_line(decision(NO_POINT, anywhere(), left=left)) == "PASS: there is no other move"


def test_an_override_with_what_the_patterns_prefer():
    made = overruled(beside(), beside("also", 8), beside("too", 3), beside("even", 2), diagonal())
    assert reason_line(made) == (
        "0,0 rather than 1,2: an override for this position plays 0,0; the patterns prefer 1,2: "
        "beside +20, also +8, 2 more +5"
    )
    assert reason_line(overruled()).endswith("; the patterns prefer 1,2")


def test_a_better_move_than_the_overruled_one_was_passed_over():
    line = reason_line(overruled(beside(points=90), diagonal(), beside("never", 0, flags="f")))
    assert "; the patterns prefer 1,1: " in line and "; passed over 1,2: forbidden by never; " in line


def test_the_short_text_has_the_board_the_reason_and_the_best_moves():
    assert short_text(contrast(decision(CENTRE, beside(), diagonal(), anywhere()))) == (
        """\
Black (X) to play move 15 (10 left, including this move).
   0 1 2 3 4
 0 . . . . .
 1 . .(.). .
 2 . . X . .
 3 . . . . .
 4 . . . . .

Chosen: 1,2 rather than 1,1: beside +20; against 1,2: diagonal -15.
        It is beside.

  move   priority  points  patterns  verdict
* 1,2         500      21         2  safe
  2,1         500      21         2  safe
  2,3         500      21         2  safe
  and 22 other moves, all with their patterns: --all"""
    )


def test_the_short_text_of_the_only_move_names_no_others():
    assert short_text(contrast(decision(NO_POINT))).endswith(
        "\n  move   priority  points  patterns  verdict\n"
        "* PASS     -10000       0         0  vetoed: PASS ends the game without a win"
    )


def test_the_table_has_every_candidate_with_its_patterns():
    text = decision_text(contrast(decision(CENTRE, beside(), diagonal(), diagonal("late", 2, priority=-5))))
    assert "Black (X) to play move 15 (10 left, including this move)." in text and "\n 1 . .(.). .\n" in text
    assert "\nChosen: 1,2 rather than 1,1: beside +20; " in text
    assert f"\n* 1,2         500      20         1  safe\n    {'beside':30}   +20  at 1,2, turned left, " in text
    assert (
        f"\n    {'diagonal':30}   +15  at 1,1, half turn\n    {'late':30}    +2  at 1,1, half turn, priority -5\n"
        in text
    )
    moves = re.findall(r"^[* ] (\d,\d|PASS) ", text, re.M)
    assert len(moves) == len(set(moves)) == 25


def test_the_table_of_the_best_few():
    reason = contrast(decision(CENTRE, beside(), diagonal()))
    assert decision_text(reason).startswith(decision_text(reason, top=3))
    assert re.findall(r"^[* ] (\d,\d|PASS) ", decision_text(reason, top=3), re.M) == ["1,2", "2,1", "2,3"]


def test_no_line_is_wider_than_a_terminal():
    long = diagonal("a-pattern-with-quite-a-long-name", 30, priority=-30)
    made = decision(CENTRE, beside("b" * 40, 90), diagonal("c" * 40), long, beside("d" * 40, 0, flags="f"))
    for text in (short_text(contrast(made)), decision_text(contrast(made))):
        assert max(map(len, text.splitlines())) <= MOST_COLUMNS
        assert f"{'d' * 40} forbids 1,2" in " ".join(text.split())


TURNS = [
    (["X*", "??"], [], 1, "mirrored"),
    (["X*", "??"], [], 5, "turned right"),
    (["X*", "??"], [], 4, "transposed"),
    (["X*X"], [], 1, ""),  # the mirror image is the same drawing, so no words are needed
    (["X*X"], [], 7, "transposed"),
    (["X*X"], ["A.B"], 1, "mirrored"),  # but the labels differ
    (["---", "?*?"], [], 3, "upside down"),
    # the edge is on the left in both images: in the transposed one, and in the one that is rotated to the left
    (["---", "?*?"], [], 6, "transposed"),
    (["*"], [], 5, ""),
]


@pytest.mark.parametrize(("rows", "labels", "symmetry", "words"), TURNS)
def test_how_a_pattern_is_turned_in_words(rows, labels, symmetry, words):
    text = placement_text(rows, labels, symmetry, 7, 5)
    assert text == ("at 1,2, " + words if words else "at 1,2")


@pytest.fixture(scope="module")
def decisions():
    """Return decisions with all candidates for recorded positions: early, late, with a ko, after a pass."""
    some = [one.position for one in recorded.read_decisions()]
    kinds = (
        some[::90],
        [position for position in some if position.ko][:2],
        [position for position in some if position.left <= 2][::90],
        [position for position in some if position.passed][-2:],
    )
    return [decide(position, book(), complete=True) for kind in kinds for position in kind]


def test_the_reason_is_one_line_and_does_not_depend_on_how_much_was_looked_at(decisions):
    for made in decisions:
        in_a_game = decide(made.position, book())
        assert contrast_line(contrast(in_a_game)) == contrast_line(contrast(made))
        assert reason_line(in_a_game) == reason_line(made) and "\n" not in reason_line(made)


def test_the_points_that_are_named_and_summed_are_those_between_the_two_moves(decisions):
    by_points = [made for made in decisions if contrast(made).by == "points"]
    assert len(by_points) >= len(decisions) / 2
    for made in by_points:
        reason = contrast(made)
        said = contrast_line(reason).split("; the same score")[0]
        listed = [int(points) for points in re.findall(r" ([+-]\d+)\b", said)]
        assert sum(listed) == reason.chosen.points - reason.rival.points > 0


def test_the_short_text_fits_a_terminal(decisions):
    for made in decisions:
        lines = short_text(contrast(made)).splitlines()
        assert len(lines) <= MOST_LINES == 24 and max(map(len, lines)) <= MOST_COLUMNS == 80


def test_every_candidate_and_firing_is_told(decisions):
    for made in decisions:
        told = json.loads(json.dumps(decision_json(made)))
        assert told["format"] == 1 and told["move"] == move_text(made.move, 5)
        _, *stones = parse_board("\n".join(told["position"]["board"]))
        assert stones == [made.position.black, made.position.white]
        assert [one["move"] for one in told["candidates"]] == [move_text(one.move, 5) for one in made.candidates]
        assert [one["chosen"] for one in told["candidates"]].index(True) == 0
        for values, candidate in zip(told["candidates"], made.candidates, strict=True):
            assert values["points"] == candidate.points
            assert candidate.firings == [] or values["points"] == sum(one["points"] for one in values["firings"])
            assert [one["pattern"] for one in values["firings"]] == [one.pattern.id for one in candidate.firings]
            assert (values["veto"] != "") == bool(candidate.veto)
            assert (values["result"] is None) == (made.position.left > 2)


def test_the_reason_as_values():
    made = decision(CENTRE, beside(points=90), beside("never", 0, flags="f"), diagonal(), diagonal("also", 2))
    assert decision_json(made)["reason"] == {
        "text": contrast_line(contrast(made)),
        "move": "1,1",
        "rival": "1,2",
        "by": "veto",
        "named": ["never"],
        "for": {"diagonal": 15, "also": 2},
        "against": {"beside": -90},
        "same_score": [],
        "passed_over": ["1,2", "2,1", "2,3", "3,2"],
    }
    assert len(decision_json(decision(CENTRE, anywhere()))["reason"]["same_score"]) == 11
    alone = decision_json(decision(NO_POINT))["reason"]
    assert (alone["move"], alone["rival"], alone["by"]) == ("PASS", None, "alone")


def test_an_override_names_the_move_that_it_overruled(decisions):
    assert all(decision_json(decision)["overruled"] is None for decision in decisions)
    told = decision_json(decide(opening(LITTLE_GO), book(), True, Always(0)))
    assert (told["move"], told["overruled"]) == ("0,0", "2,2") and told["candidates"][0]["chosen"]
    assert (told["reason"]["by"], told["reason"]["rival"], told["reason"]["named"]) == ("override", "2,2", [])


def test_a_veto_names_the_reply(decisions):
    vetoed = [one for decision in decisions for one in decision_json(decision)["candidates"] if one["veto"]]
    refuted = [one["safety"] for one in vetoed if one["safety"]["reply"]]
    assert refuted and all(one["loss"] > 0 and re.fullmatch(r"\d,\d|PASS", one["reply"]) for one in refuted)


def test_the_picture_numbers_the_moves_crosses_the_vetoed_and_says_why(decisions):
    for made in decisions[::5]:
        root = ElementTree.fromstring(draw_decision(made))
        numbers = [text.text for group in root if "bold" in group.get("font-weight", "") for text in group]
        playable = [one for one in made.candidates if one.move != PASS and (not one.veto or one is made.chosen)]
        assert sorted(numbers, key=int) == [str(number) for number in range(1, len(playable) + 1)]
        crosses = [path for group in root.iter() if group.get("class") == "go-mark" for path in group]
        moves = [one for one in made.candidates if one.move != PASS]
        assert len(crosses) == len(moves) - len(playable)
        assert root.findtext("{http://www.w3.org/2000/svg}title") == reason_line(made)


def test_a_picture_of_a_large_board_numbers_the_best_and_dots_the_last_move():
    before = match_rules(19).start((1 << 60, 1 << 72), BLACK).play(288)
    made = decide_large(before, empty_book(before.ruleset), True)
    root = ElementTree.fromstring(draw_decision(made))
    numbers = [text.text for group in root if "bold" in group.get("font-weight", "") for text in group]
    assert sorted(numbers, key=int) == [str(number) for number in range(1, MOST_NUMBERS + 1)]
    marks = [path.get("d") for group in root.iter() if group.get("class") == "go-mark" for path in group]
    assert marks.count(MARKS["dot"]) == 1
    assert board_heading(made).startswith("White (O) to play move 2, after 15,3 (D4).\n")
    assert board_heading(decide_large(before.play(PASS), empty_book(before.ruleset), True)).startswith(
        "Black (X) to play move 3, after a pass.\n"
    )


def test_a_decision_without_patterns_can_be_drawn():
    made = decision(CENTRE)
    assert ElementTree.fromstring(draw_decision(made)).tag.endswith("svg")
    assert decision_json(made)["candidates"][0]["firings"] == []
