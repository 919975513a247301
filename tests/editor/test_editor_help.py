"""Tests of completion and hover: the words allowed at a place, their meaning, and facts' values."""

from __future__ import annotations

import pytest
from small_knowledge import CUTTING

from littlego.editor.entries import Entries
from littlego.editor.help import complete, facts, hover
from littlego.editor.positions import read_position
from littlego.knowledge.keys import EXAMPLE_KEYS, PATTERN_KEYS
from littlego.knowledge.model import CLASSES
from littlego.rules.facts import FACTS

CUT = read_position("...../..OX./.OXX./..O../.....")  # X to move: 1,1 cuts


def at(text, cursor="|"):
    """Return the entries of a text without its cursor mark, and the position of the mark."""
    assert text.count(cursor) == 1
    return Entries(text.replace(cursor, ""), "patterns.yaml"), text.index(cursor)


def labels(text, position=None):
    return [one["label"] for one in complete(*at(text, "§"), position, None)["options"]]


def replaced(old, new):
    assert old in CUTTING
    return CUTTING.replace(old, new, 1)


def test_keys_of_a_pattern_that_it_does_not_have_yet():
    found = labels(replaced("    points: 50\n", "    points: 50\n    §\n"))
    assert set(found) >= {"doubt", "rare", "tags", "labels"} and not {"id", "points", "sequence"} & set(found)
    assert set(found) < set(PATTERN_KEYS)
    assert labels(replaced("    points: 50\n", "    points: 50\n    sac§\n")) == ["sacrifice"]


def test_keys_of_the_file_and_of_an_example():
    assert labels(replaced("ruleset: little-go", "§")) == ["ruleset", "shares", "phases", "patterns"]
    found = labels(replaced("          move: 2,1\n", "          move: 2,1\n          §\n"))
    assert set(found) == {name for name, key in EXAMPLE_KEYS.items() if key.only != "match"}
    assert labels(replaced("      no_match:\n", "      no§\n")) == ["no_match"]


def test_keys_and_facts_of_a_table_of_points():
    assert labels(replaced("    points: 50\n", "    points:\n      §\n")) == ["each", "black", "white"]
    assert labels(replaced("    points: 50\n", "    points:\n      each: own_lib§\n")) == ["own_liberties"]
    assert not labels(replaced("    points: 50\n", "    points:\n      black: [§\n"))


def test_values_of_a_key():
    assert labels(replaced("class: cut", "class: §")) == list(CLASSES)
    assert labels(replaced("class: cut", "class: es§")) == ["escape"]
    assert labels(replaced("    points: 50\n", "    points: 50\n    sacrifice: §\n")) == ["true", "false"]
    assert labels(replaced("ruleset: little-go", "ruleset: §")) == ["little-go", "match"]
    assert labels(replaced("only diagonally", "only as in give§")) == ["give-atari"]


def test_facts_with_what_they_answer_on_the_board():
    text = replaced("- cuts(*) >= 2", "- own_lib§")
    found = complete(*at(text, "§"), CUT, None)
    [one] = [option for option in found["options"] if option["label"] == "own_liberties"]
    assert one["detail"] == "own_liberties(P)" and one["info"] == FACTS["own_liberties"].promise
    assert one["insert"] == "own_liberties(" and one["values"] == [{"text": "own_liberties(*)", "value": 2}]
    assert text.replace("§", "")[found["from"] : found["to"]] == "own_lib"
    assert "weak" not in labels(text.replace("own_lib", "we"))  # a fact for large boards only
    assert labels(text.replace("own_lib", "cuts(*) >= 2 an")) == ["and"]


def test_arguments_are_the_move_and_the_labels_that_are_drawn():
    assert labels(replaced("liberties_after(A)", "liberties_after(§")) == ["A"]  # the fact takes a chain, not the move
    assert labels(replaced("35 * atari(*)", "35 * atari(§)")) == ["*", "A"]


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ("priority: 500", "pri§ority: 500", "priority (integer, required)"),
        ("class: cut", "class: cu§t", "cut"),
        ("      O *\n", "      §O *\n", "O"),
        ("      A .\n", "      §A .\n", "A"),
        ("          move: 2,1", "          mo§ve: 2,1", "move (point)"),
        ("ruleset: little-go", "rule§set: little-go", "ruleset (choice, required)"),
        ("ruleset: little-go", "ruleset: little§-go", "little-go"),
        ("            . X . . .", "            . §X . . .", "X"),
        ("priority: 500", "priority: 5§00", ""),
    ],
)
def test_hovering_says_what_this_is(old, new, title):
    found = hover(*at(replaced(old, new), "§"), None, None)
    assert found["title"] == title and bool(found["text"]) == bool(title)


def test_hovering_a_fact_says_what_it_answers_here():
    found = hover(*at(replaced("- cuts(*) >= 2", "- cu§ts(*) >= 2"), "§"), CUT, None)
    assert (found["title"], found["text"]) == ("cuts(P)", FACTS["cuts"].promise)
    assert found["values"] == [{"text": "cuts(*)", "value": 2}]
    found = hover(*at(replaced("liberties_after(A) == 1", "liberties_§after(A) == 1"), "§"), CUT, None)
    assert [one["text"] for one in found["values"]] == ["liberties_after(A)"]
    elsewhere = hover(*at(replaced("liberties_after(A) == 1", "liberties_§after(A) == 1"), "§"), CUT, (0, 0))
    assert elsewhere["values"] != found["values"]


def test_while_a_condition_is_half_written_its_facts_are_told_all_the_same():
    text = replaced("- cuts(*) >= 2", "- cu§ts(*) >= ")
    assert hover(*at(text, "§"), CUT, None)["values"] == [{"text": "cuts(*)", "value": 2}]


def test_any_place_of_a_text_can_be_asked_about():
    text = replaced("class: cut", "class:")
    entries = Entries(text, "patterns.yaml")
    for offset in range(0, len(text) + 1, 7):
        assert complete(entries, offset, None, None)["from"] <= offset
        assert hover(entries, offset, None, None)["to"] >= offset - 1


def test_the_facts_of_the_form_are_those_that_the_board_of_the_file_allows():
    small = {one["fact"]: one for one in facts(Entries(CUTTING, "patterns.yaml"))}
    large = {one["fact"] for one in facts(Entries(f"ruleset: match\n{CUTTING}", "patterns.yaml"))}
    assert small["liberties"]["usage"] == "liberties(A)" and small["liberties"]["text"] == FACTS["liberties"].promise
    assert set(small) < large == set(FACTS)
