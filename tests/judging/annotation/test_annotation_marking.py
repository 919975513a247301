"""Tests that `annotate` recognises its annotations in a game, and that a new run replaces only these."""

from __future__ import annotations

import random

import pytest
from npm_packages import needs_node
from random_games import random_game
from sgf_readers import sabaki_trees

from littlego.engines.books import book_at
from littlego.games.match import match_rules
from littlego.judging.annotation.annotate import annotate
from littlego.judging.annotation.exact import Oracle
from littlego.judging.annotation.marking import EXCLUSIVE, KEPT, MARKUP, Notes, add_notes, add_variation, remove_ours
from littlego.paths import PATTERNS_TXT
from littlego.records.sgf import Node, read_games, sgf_text
from littlego.records.sgf_writing import record_sgf
from littlego.rules.engine import decide
from littlego.rules.position import BLACK, PASS, WHITE
from littlego.rules.ruleset import LITTLE_GO

ALL = range(1, 1000)
PERSON = (
    "(;SZ[5]RU[little-go]C[my game]LB[cc:1];B[cc]C[see {littlego} here]TR[bb]N[mine];W[cd]BM[1]SBKV[40]"
    "(;B[bb])(;B[dd]))"
)


def decide_by_book(position):
    return decide(position, book_at(str(PATTERNS_TXT), LITTLE_GO), complete=True)


def annotated(text, wanted=ALL, most_left=0):
    root = read_games(text)[0]
    annotate(root, None, wanted, decide_by_book, Oracle(most_left))
    return sgf_text(root)


def little_go_game(seed):
    return record_sgf(random_game(LITTLE_GO, random.Random(seed), 24))


def match_game(size, seed, longest):
    return record_sgf(random_game(match_rules(size), random.Random(seed), longest))


GAMES = {
    "Little-Go": (little_go_game(1), 8),
    "Little-Go to the end": (little_go_game(5), 12),
    "a match": (match_game(7, 3, 25), 0),
    "a person's": (PERSON, 0),
}


@pytest.fixture(scope="module")
def texts():
    return {name: (text, annotated(text, most_left=left), left) for name, (text, left) in GAMES.items()}


@pytest.mark.parametrize("name", GAMES)
def test_a_second_run_gives_the_same_bytes_and_taking_away_the_first_ones(name, texts):
    before, once, left = texts[name]
    assert KEPT in once and annotated(once, most_left=left) == once
    root = read_games(once)[0]
    remove_ours(root)
    assert sgf_text(root) == sgf_text(read_games(before)[0])


@pytest.mark.parametrize("name", GAMES)
def test_no_node_says_what_sgf_forbids(name, texts):
    for node in read_games(texts[name][1])[0].nodes():
        names = node.properties.keys()
        for group in EXCLUSIVE:
            assert len(names & set(group)) <= 1, names
        assert not (names & {"AB", "AW", "AE", "PL"} and names & {"B", "W", "BM", "DO", "IT", "TE"})
        assert not (names & {"BM", "DO", "IT", "TE"} and not names & {"B", "W"})
        marked = [value[:2] for markup in MARKUP for value in node.properties.get(markup, ())]
        assert len(marked) == len(set(marked)), node.properties
        assert all(len(value[3:]) <= 3 for value in node.properties.get("LB", ()))
        assert all(value[:2] != value[3:] for value in node.properties.get("AR", ()))
        assert all(len(node.properties[single]) == 1 for single in ("N", "V", "SBKV", "C", "BM") if single in names)


@pytest.mark.parametrize("name", GAMES)
def test_no_comment_of_ours_can_be_split(name, texts):
    assert "\\] [" not in texts[name][1] and "\\][" not in texts[name][1]


@needs_node
def test_readers_that_are_not_ours_see_the_same_trees(texts):
    def tree_of(node):
        said = {
            name: [node.text(name)] if name in ("C", "GC", "PB") else list(values)
            for name, values in node.properties.items()
            if name not in ("PW",)
        }
        return {"data": said, "children": [tree_of(child) for child in node.children]}

    def without(tree):
        data = {name: values for name, values in tree["data"].items() if name not in ("PW",)}
        return {"data": data, "children": [without(child) for child in tree["children"]]}

    names = [name for name in GAMES if name != "a person's"]
    for name, tree in zip(names, sabaki_trees([texts[name][1] for name in names]), strict=True):
        assert without(tree) == tree_of(read_games(texts[name][1])[0])


def test_what_a_person_wrote_stays(texts):
    nodes = list(read_games(texts["a person's"][1])[0].main_line())
    assert nodes[0].text("C").startswith("my game\n{littlego}\nCandidates of Black: A C3")
    assert nodes[0].properties["LB"][0] == "cc:1"
    assert nodes[1].text("C").startswith("see {littlego} here\n{littlego}\nOur move too")
    assert nodes[1].text("N") == "mine" and nodes[1].properties["TR"] == ["bb"]
    assert not any(value.startswith("bb") for value in nodes[1].properties["LB"])
    assert nodes[2].text("SBKV") == "40" and nodes[2].properties["BM"] == ["1"] and "DO" not in nodes[2].properties
    assert [child.text("B") for child in nodes[2].children][:2] == ["bb", "dd"]


def test_a_comment_that_a_person_adds_around_ours_stays():
    once = annotated(PERSON)
    edited = once.replace("{/littlego}]", "{/littlego}\nI doubt that.]", 1).replace("C[my game", "C[Mine: my game", 1)
    again = annotated(edited)
    said = read_games(again)[0].text("C")
    assert said.startswith("Mine: my game\nI doubt that.\n{littlego}\n") and said.count("{littlego}") == 1
    assert annotated(again) == again


def variation_of(root):
    add_variation(root, [(WHITE, 12), (BLACK, 13)], 5, ["This reply refutes B4."])
    return root.children[-1]


def test_a_variation_of_ours_goes_unless_somebody_went_on_from_it():
    root = Node({"SZ": ["5"]})
    root.children.append(Node({"B": ["bb"]}))
    first = variation_of(root)
    assert first.text("W") == "cc" and "refutes" in first.text("C") and first.children[0].text("B") == "dc"
    remove_ours(root)
    assert [child.properties for child in root.children] == [{"B": ["bb"]}]
    first = variation_of(root)
    first.children[0].children.append(Node({"W": ["ee"]}))
    remove_ours(root)
    assert root.children[1] is first and first.properties == {"W": ["cc"]} and first.children[0].text("B") == "dc"
    variation_of(root)  # the variation exists already
    assert len(root.children) == 2


def test_a_variation_that_a_person_says_something_of_stays():
    root = Node({"SZ": ["5"]})
    variation_of(root).set_text("C", "I like this")
    remove_ours(root)
    assert [child.properties for child in root.children] == [{"W": ["cc"], "C": ["I like this"]}]


def test_a_pass_can_be_a_variation():
    root = Node()
    add_variation(root, [(WHITE, PASS)], 5, [])
    assert root.children[0].properties == {"W": [""], KEPT: ["W:"]}
    remove_ours(root)
    assert root.children == []


def test_notes_give_way_to_those_of_others():
    node = Node({"B": ["cc"], "SL": ["aa:bb"], "GW": ["1"], "DO": [""]})
    notes = Notes()
    for name, value in (
        ("SQ", "ab"),
        ("SQ", "cc"),
        ("LB", "ab:A"),
        ("LB", "ee:B"),
        ("GB", "1"),
        ("BM", "1"),
        ("V", "2"),
    ):
        notes.add(name, value)
    add_notes(node, notes)
    assert node.properties.keys() == {"B", "SL", "GW", "DO", "V", "LB", "SQ", KEPT}
    assert node.properties["LB"] == ["ee:B"] and node.properties["SQ"] == ["cc"]
