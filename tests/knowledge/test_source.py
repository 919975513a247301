"""Tests that each visible character of a scalar's value is located in the source, in every style."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from littlego.knowledge.source import LONGEST_LINE, Source, compose

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


def found(text: str) -> list[str]:
    """Return the first line of each problem in a text."""
    source = Source(text, "p")
    compose(source)
    return [problem.lines()[0] for problem in source.problems]


def test_a_text_is_read_up_to_a_size(monkeypatch):
    monkeypatch.setattr("littlego.knowledge.source.LARGEST", 1000)
    text = "# all of it a comment" + "\n" * 979
    assert found(text) == [] and found(text + "\n") == [
        "p:980:1 P003 a file of 1,001 characters; expected at most 1,000; "
        "delete everything that is not a pattern, or split the file"
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\u2028", ""])
def test_a_line_is_read_up_to_a_length(end):
    line = "a: " + "b" * (LONGEST_LINE - 3 - len(end)) + end
    assert found("b: c\n" + line) == [] and found("b: c\nb" + line) == [
        "p:2:1 P003 a line that is too long; expected at most 10,000 characters; continue on the next line, indented"
    ]


def test_syntax_errors_end_where_too_much_would_be_read(monkeypatch):
    """After each syntax error, the reader reads the text again up to the error."""
    text = "patterns:\n" + "".join(f"  - id: a{number}\n    b: *\n" for number in range(9))
    assert len(found(text)) == 9
    monkeypatch.setattr("littlego.knowledge.source.MOST_READ", 3 * (len(text) + 1))
    *named, last = found(text)
    assert [line.split()[0] for line in named] == ["p:3:8", "p:5:8", "p:7:8"]
    assert last == "p:7:8 P003 too much broken YAML for one run; correct the reported problems, and check again"


def test_aliases_are_named_by_their_first_lines():
    [line] = found("- &a x\n" + "- *a\n" * 12)
    assert line.endswith("see also lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...")


def test_aliases_of_aliases_are_not_followed():
    """If aliases were expanded, each level would be ten times as large as the level below."""
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 30))
    [line] = found("l0: &l0 [x]\n" + levels)
    assert "P004 the anchor `&l0`" in line
