"""A Decision as JSON and as SVG: what they say is what the decision holds."""

import json
import re
from xml.etree import ElementTree

import pytest
from knowledge_files import book

from rules.engine import decide
from rules.patternfile import empty_book
from rules.position import PASS, opening
from rules.ruleset import LITTLE_GO
from tools.draw.boards import move_text, parse_board
from tools.draw.decision_json import decision_json
from tools.draw.decision_svg import decision_svg
from tools.effects import recorded


@pytest.fixture(scope="module")
def decisions():
    """Some recorded positions, decided again and complete: early, late, with a ko, after a pass."""
    some = [one.position for one in recorded.read()]
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
        root = ElementTree.fromstring(decision_svg(decision))
        numbers = [text.text for group in root if "bold" in group.get("font-weight", "") for text in group]
        playable = [one for one in decision.candidates if one.move != PASS and (not one.veto or one is decision.chosen)]
        assert sorted(numbers, key=int) == [str(number) for number in range(1, len(playable) + 1)]
        crosses = [path for group in root.iter() if group.get("class") == "go-mark" for path in group]
        moves = [one for one in decision.candidates if one.move != PASS]
        assert len(crosses) == len(moves) - len(playable)
        assert decision.chosen.firings[0].pattern.summary in "".join(root.itertext())


def test_a_decision_without_patterns_can_be_drawn():
    decision = decide(opening(LITTLE_GO), empty_book(LITTLE_GO), complete=True)
    assert ElementTree.fromstring(decision_svg(decision)).tag.endswith("svg")
    assert decision_json(decision)["candidates"][0]["firings"] == []
