"""A decision in words, made of drawn ones so that every kind of line is seen, and as JSON and SVG."""

import json
import re
from types import SimpleNamespace as Values
from xml.etree import ElementTree

import pytest
from knowledge_files import book

from rules.engine import Candidate, Decision, Firing, decide
from rules.patternfile import empty_book
from rules.position import PASS, opening
from rules.ruleset import LITTLE_GO
from rules.safety import Verdict
from tools.draw.boards import move_text, parse_board
from tools.draw.decisions import decision_json, decision_text, placement_text, reason_line
from tools.draw.svg import draw_decision
from tools.draw.terminal import MOST_COLUMNS
from tools.effects import recorded


def pattern(name, priority=900, passes=False, rows=("O*",), labels=()):
    return Values(
        id=name,
        summary=f"Summary of {name}.",
        priority=priority,
        specificity=3,
        sacrifice=False,
        passes=passes,
        rows=list(rows),
        label_rows=list(labels),
    )


def candidate(move, *patterns, points=300, veto="", verdict=None):
    made = Candidate(move, [Firing(one, points, 0) for one in patterns])
    made.veto, made.verdict = veto, verdict
    return made


def decision(*candidates):
    return Decision(opening(LITTLE_GO), candidates[0], list(candidates), True)


def test_the_deciding_pattern_and_the_score():
    line = reason_line(decision(candidate(12, pattern("capture"), pattern("extend", 500))))
    assert line == "2,2 by capture: Summary of capture. [priority 900, points 600; also 1 other pattern]"


def test_a_pass_by_a_pattern():
    assert reason_line(decision(candidate(PASS, pattern("rest", passes=True)))).startswith("PASS by rest: ")


def test_without_a_pattern_it_is_the_built_in_play():
    assert reason_line(decision(candidate(12))).startswith("2,2 by the built-in play: ")


def test_better_moves_that_were_vetoed_are_named_with_the_reply():
    lost = candidate(6, pattern("bold"), veto="captures 2", verdict=Verdict(2, 1, "captures 2"))
    barred = candidate(7, pattern("odd", 950), veto="forbidden by never")
    worse = candidate(8, pattern("late", 100), veto="captures 1", verdict=Verdict(1, 1, "captures 1"))
    line = reason_line(decision(candidate(12, pattern("calm", 800)), lost, barred, worse))
    assert line.endswith("; passed over 1,2: forbidden by never; passed over 1,1: 0,1 captures 2")


def test_a_long_list_is_cut():
    vetoed = [candidate(n, pattern("p"), veto="no", verdict=Verdict(1, None, "no")) for n in range(5)]
    line = reason_line(decision(candidate(12, pattern("calm", 800)), *vetoed))
    assert line.count("passed over") == 3 and line.endswith("; and 2 more")


def test_where_all_is_vetoed_it_says_so():
    line = reason_line(decision(candidate(12, veto="captures 1", verdict=Verdict(1, 13, "captures 1"))))
    assert line.endswith("; every move is vetoed, this one loses least: 2,3 captures 1")


def test_the_exact_result_near_the_end():
    made = candidate(12, pattern("last"))
    made.result2 = -5
    assert "exact: ends -2.5]" in reason_line(decision(made))


def test_reasons_are_one_line_and_name_no_other_decision():
    assert "\n" not in reason_line(decide(opening(LITTLE_GO), empty_book(LITTLE_GO)))


def test_an_override_is_told_with_what_the_patterns_would_have_played():
    bold = candidate(6, pattern("bold"), veto="captures 2", verdict=Verdict(2, 1, "captures 2"))
    calm, needed = candidate(12, pattern("calm", 800), pattern("late", 100)), candidate(PASS)
    made = Decision(opening(LITTLE_GO), needed, [needed, calm, bold], True, calm)
    assert reason_line(made) == (
        "PASS by an override: This one position was proved to need this move; the patterns would have played 2,2 "
        "by calm [priority 800, points 600; also 1 other pattern]"
    )
    text = decision_text(made)
    assert "Chosen: PASS by an override: " in text and "\n* PASS" in text and "\n  2,2 " in text
    assert max(map(len, text.splitlines())) <= MOST_COLUMNS


def test_an_override_to_the_built_in_play():
    needed = candidate(7, veto="captures 1", verdict=Verdict(1, 13, "captures 1"))
    line = reason_line(Decision(opening(LITTLE_GO), needed, [needed], True, candidate(12)))
    assert "played 2,2 by the built-in play [priority 0" in line and "vetoed" not in line


def test_the_table_has_every_candidate_with_its_patterns():
    made = candidate(12, pattern("capture"), pattern("extend", 500), verdict=Verdict(0))
    made.firings[0].place, made.firings[0].symmetry = 6, 5
    made.firings[1].place, made.firings[1].symmetry = 7, 0
    vetoed = candidate(6, pattern("bold"), veto="captures 2", verdict=Verdict(2, 1, "captures 2"))
    text = decision_text(decision(made, vetoed))
    assert "Black (X) to play move 1, 24 left with it." in text
    assert " 2 . .(.). ." in text
    assert "* 2,2         900     600         3  safe" in text
    assert f"    {'capture':30}  +300  at 1,1, transposed\n" in text
    assert f"    {'extend':30}  +300  at 1,2, priority 500\n" in text
    assert "  1,1         900     300         3  vetoed: 0,1 captures 2" in text


@pytest.mark.parametrize("complete", [False, True])
def test_any_decision_of_the_engine_can_be_shown(complete):
    made = decide(opening(LITTLE_GO), empty_book(LITTLE_GO), complete)
    text = decision_text(made)
    assert text.count("\n") >= 10 + (25 if complete else 0)


def test_no_line_is_wider_than_a_terminal():
    long = pattern("a-pattern-with-quite-a-long-name", passes=False)
    long.summary = "A summary that says a great deal about the move, more than one line of a terminal can hold at once."
    reply = "captures 2 and puts 3 beyond rescue, which is more than fits beside the score"
    made = candidate(12, long, pattern("b" * 33, -30), verdict=Verdict(0))
    for firing in made.firings:
        firing.place, firing.symmetry = 12, 7
    text = decision_text(decision(made, candidate(6, long, veto=reply, verdict=Verdict(2, 1, reply))))
    assert max(map(len, text.splitlines())) <= MOST_COLUMNS
    assert " ".join(text.split()).count(long.summary) == 1 and reply in " ".join(text.split())


TURNS = [
    (["X*", "??"], [], 1, "mirrored"),
    (["X*", "??"], [], 5, "turned right"),
    (["X*", "??"], [], 4, "transposed"),
    (["X*X"], [], 1, ""),  # the same drawing needs no words
    (["X*X"], [], 7, "transposed"),
    (["X*X"], ["A.B"], 1, "mirrored"),  # but its labels do
    (["---", "?*?"], [], 3, "upside down"),
    (["---", "?*?"], [], 6, "transposed"),  # the edge is then on the left, as with a turn to the left
    (["*"], [], 5, ""),
]


@pytest.mark.parametrize(("rows", "labels", "symmetry", "words"), TURNS)
def test_how_a_pattern_is_turned_in_words(rows, labels, symmetry, words):
    text = placement_text(rows, labels, symmetry, 7, 5)
    assert text == ("at 1,2, " + words if words else "at 1,2")


@pytest.fixture(scope="module")
def decisions():
    """Some recorded positions, decided again and complete: early, late, with a ko, after a pass."""
    some = [one.position for one in recorded.read_decisions()]
    kinds = (
        some[::900],
        [position for position in some if position.ko][:2],
        [position for position in some if position.left <= 2][:3],
        [position for position in some if position.passed][-2:],
    )
    return [decide(position, book(), complete=True) for kind in kinds for position in kind]


def test_every_candidate_and_firing_is_told(decisions):
    for decision in decisions:
        told = json.loads(json.dumps(decision_json(decision)))
        assert told["format"] == 1 and told["move"] == move_text(decision.move, 5)
        _, *stones = parse_board("\n".join(told["position"]["board"]))
        assert stones == [decision.position.black, decision.position.white]
        assert [one["move"] for one in told["candidates"]] == [move_text(one.move, 5) for one in decision.candidates]
        assert [one["chosen"] for one in told["candidates"]].index(True) == 0
        for values, candidate in zip(told["candidates"], decision.candidates, strict=True):
            assert values["points"] == candidate.points
            assert candidate.firings == [] or values["points"] == sum(one["points"] for one in values["firings"])
            assert [one["pattern"] for one in values["firings"]] == [one.pattern.id for one in candidate.firings]
            assert (values["veto"] != "") == bool(candidate.veto)
            assert (values["result"] is None) == (decision.position.left > 2)


def test_an_override_names_the_move_that_it_overruled(decisions):
    assert all(decision_json(decision)["overruled"] is None for decision in decisions)
    decision = decide(opening(LITTLE_GO), book(), True, Always(0))
    told = decision_json(decision)
    assert (told["move"], told["overruled"]) == ("0,0", "2,2") and told["candidates"][0]["chosen"]


class Always:
    """An override for every position."""

    def __init__(self, move: int):
        self.move = move

    def move_for(self, state):
        return self.move


def test_a_veto_names_the_reply(decisions):
    vetoed = [one for decision in decisions for one in decision_json(decision)["candidates"] if one["veto"]]
    refuted = [one["safety"] for one in vetoed if one["safety"]["reply"]]
    assert refuted and all(one["loss"] > 0 and re.fullmatch(r"\d,\d|PASS", one["reply"]) for one in refuted)


def test_the_picture_numbers_the_moves_and_crosses_the_vetoed(decisions):
    for decision in decisions:
        root = ElementTree.fromstring(draw_decision(decision))
        numbers = [text.text for group in root if "bold" in group.get("font-weight", "") for text in group]
        playable = [one for one in decision.candidates if one.move != PASS and (not one.veto or one is decision.chosen)]
        assert sorted(numbers, key=int) == [str(number) for number in range(1, len(playable) + 1)]
        crosses = [path for group in root.iter() if group.get("class") == "go-mark" for path in group]
        moves = [one for one in decision.candidates if one.move != PASS]
        assert len(crosses) == len(moves) - len(playable)
        assert decision.chosen.firings[0].pattern.summary in "".join(root.itertext())


def test_a_decision_without_patterns_can_be_drawn():
    decision = decide(opening(LITTLE_GO), empty_book(LITTLE_GO), complete=True)
    assert ElementTree.fromstring(draw_decision(decision)).tag.endswith("svg")
    assert decision_json(decision)["candidates"][0]["firings"] == []
