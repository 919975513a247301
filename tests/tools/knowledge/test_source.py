"""Places in a text: every visible character of a scalar's value is found again, whatever the style."""

from __future__ import annotations

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tools.knowledge.source import Source

words = st.lists(st.text(alphabet="abAO*?'\"\\|:#-é()<=", min_size=1, max_size=8), min_size=1, max_size=8).map(" ".join)


@given(words, st.sampled_from(["'", '"', "|", ">", None]), st.integers(10, 60))
@example("it's a 'quote' that is long enough to fold", "'", 12)
@example('a "b" \\ c', '"', 12)
def test_every_visible_character_is_found_again(value, style, width):
    text = "k:\n- " + yaml.safe_dump(value, default_style=style, allow_unicode=True, width=width).replace("\n", "\n  ")
    source = Source(text.replace("\n  ...", ""), "p")
    node = yaml.compose(source.text).value[0][1].value[0]
    places = source.indexes(node)
    assert len(places) == len(node.value) + 1
    for character, index in zip(node.value, places[:-1], strict=True):
        if not character.isspace():
            assert source.text[index] in (character, "\\")
    assert places == sorted(places)


def test_places_count_from_one_in_every_kind_of_line():
    source = Source("ab\r\ncd\rd\x85e\u2028f\n", "p")
    found = [source.place(source.text.index(letter)) for letter in "abcdef"]
    assert found == [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (5, 1)]
    assert source.place(len(source.text)) == (6, 1)


def test_what_follows_from_a_settled_mistake_is_not_reported():
    source = Source("abc", "p")
    source.report(1, "P002", "first")
    source.settled.add(1)
    source.report(1, "P002", "second")
    source.report(2, "P003", "third")
    assert [str(problem) for problem in source.problems] == ["p:1:2 P002 first", "p:1:3 P003 third"]
