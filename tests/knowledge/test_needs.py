"""Tests of `littlego facts NEED`, which finds facts from an author's description."""

from __future__ import annotations

import pytest

from littlego.cli.main import main
from littlego.knowledge.needs import SYNONYMS, find_facts, known_words
from littlego.knowledge.programs import facts_for
from littlego.rules.facts import FACTS
from littlego.rules.geometry import LARGEST
from littlego.rules.ruleset import LITTLE_GO

FIRST = [
    ("is a ko on", {"ko", "ko_ban"}),
    ("Can it be captured?", {"captures", "their_captures", "ladder", "doomed", "snapback", "takes_in_3"}),
    ("can they kill it", {"captures", "their_captures", "ladder", "doomed", "snapback", "takes_in_3"}),
    ("one liberty", {"in_atari", "atari", "their_atari"}),
    ("is it alive", {"alive", "makes_life", "their_life"}),
    ("is it the corner", {"edge", "line"}),
    ("who is ahead", {"lead", "margin2"}),
    ("how many moves are left", {"moves_left", "move_number"}),
    ("rescue a chain", {"saves", "their_saves"}),
    ("would it join two", {"joins"}),
]


@pytest.mark.parametrize(("need", "first"), FIRST, ids=[need for need, _ in FIRST])
def test_what_is_needed_comes_first(need, first):
    assert set(find_facts(need)[: len(first)]) == first


@pytest.mark.parametrize("name", FACTS)
def test_every_fact_is_found_first_by_its_own_name(name):
    assert find_facts(name, LARGEST)[0] == name


@pytest.mark.parametrize("need", ["", "is it the", "xyzzy", "?"])
def test_words_that_ask_for_nothing_find_nothing(need):
    assert find_facts(need) == []


def test_every_synonym_leads_to_a_fact():
    for line in SYNONYMS:
        for word in line:
            assert find_facts(word, LARGEST), word
    assert set(FACTS) < set(known_words())


def test_the_command_lists_the_facts_that_answer(capsys):
    assert main(["facts", "is", "a", "ko", "on"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ko(P)   1 if the mover takes a ko by playing") and lines[1].startswith("ko_ban  ")
    assert lines[2] == "" and lines[3].startswith("A and B are labels") and len(lines) == 4


def test_all_are_listed_without_a_need(capsys):
    for asked, size in ((["facts"], LITTLE_GO.size), (["facts", "--ruleset", "match"], LARGEST)):
        assert main(asked) == 0
        assert len(capsys.readouterr().out.splitlines()) == len(facts_for(size)) + 2
    assert len(facts_for(LARGEST)) == len(FACTS) > len(facts_for(LITTLE_GO.size))


@pytest.mark.parametrize(
    ("need", "told"),
    [
        ("capturs", "captures(P)"),
        ("liberteis", "no fact for `liberteis`; did you mean `liberties`?"),
        ("answer", "no fact for `answer`; add `--ruleset match`"),
        ("xyzzy", "no fact for `xyzzy`; use other words; `littlego facts` lists all facts"),
    ],
)
def test_a_need_that_nothing_answers_names_what_comes_near(need, told, capsys):
    status = main(["facts", need])
    shown = capsys.readouterr()
    assert told in (shown.err if status else shown.out) and status == (2 if told.startswith("no fact") else 0)
