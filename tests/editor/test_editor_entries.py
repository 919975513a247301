"""Tests that entries, compiled one by one, give the same results as the whole text."""

from __future__ import annotations

import random
import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from knowledge_files import YAML, compiled
from small_knowledge import CUTTING

from littlego.editor.cutting import line_starts
from littlego.editor.drafts import drawn
from littlego.editor.entries import Entries, Kept, NoSuchEntryError
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.source import BREAK, Source

TEXT = YAML.read_text(encoding="utf-8")


def same_as_the_compiler(text: str, kept: Kept | None = None) -> Entries:
    entries = Entries(text, "patterns.yaml", kept)
    base, problems = entries.base()
    _, wanted, whole = compile_text(text, "patterns.yaml", with_examples=False)
    assert problems == wanted
    assert base == whole
    assert [one.places for one in base.patterns] == [one.places for one in whole.patterns]
    return entries


def test_patterns_yaml_is_put_together_from_its_entries():
    entries = Entries(TEXT, "patterns.yaml")
    assert entries.base() == (compiled().base, [])
    assert [one.id for one in compiled().base.patterns] == entries.ids
    assert "".join(entries.cut.text_of(one) for one in entries.all) in re.sub(r"\n(?:[ \t]*(?:#.*)?\n)+", "\n", TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class: cut", "class: cutt"),  # an invalid value
        (
            "    priority: 500\n",
            "",
        ),  # a missing key
        ("id: give-atari", "id: cut-across"),  # a duplicate id
        ("- cuts(*) >= 2", "- cuts(* >= 2"),  # in a condition
        ("ruleset: little-go", "ruleset: littlego"),  # outside the entries
        ("patterns:\n", "patterns:\n\n  # a comment\n\n"),  # moves all later lines down
        ("      O *\n      X O", "      O *\n      X O X"),  # in a drawing
        ('summary: "Cut', 'summary: "Cut: "'),  # no YAML
        ("\n", "\r\n"),
        (
            "ruleset: little-go\n",
            "",
        ),
    ],
)
def test_a_mistake_is_told_where_the_compiler_tells_it(old, new):
    assert old in CUTTING
    same_as_the_compiler(CUTTING.replace(old, new, -1 if old == "\n" else 1))


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_typed_is_told_as_the_compiler_tells_it(seed):
    rng, kept = random.Random(seed), Kept()
    for _ in range(8):
        at = rng.randrange(len(CUTTING))
        text = CUTTING[:at] + rng.choice(":-#'\"|*X O\n&![{a9é") + CUTTING[at + rng.randrange(2) :]
        base, problems = Entries(text, "patterns.yaml", kept).base()
        _, wanted, whole = compile_text(text, "patterns.yaml", with_examples=False)
        if "P003" in {one.code for one in wanted}:  # the wording of a YAML error depends on the surrounding text
            assert {one.code for one in problems} >= {"P003"}
        else:
            assert (base, problems) == (whole, wanted), text[at - 30 : at + 30]


PIECES = [
    "",
    "x",
    " ",
    "-",
    "\n",
    "  - ",
    "\n  - id: new\n",
    "\n- id: new\n",
    "\nx",
    "\nx: y\n",
    "\npatterns:\n",
    "\n---\n",
]
PIECES += ["\r", "\u2028", "# ", "\n    summary: new\n", "\n\n", "  # a comment\n"]


@given(st.data(), st.booleans())
def test_a_cut_is_the_same_whether_or_not_an_earlier_cut_is_known(data, is_at_margin):
    text = textwrap.dedent(CUTTING.partition("patterns:\n")[2]) if is_at_margin else CUTTING
    text = f"patterns:\n{text}notes: none\n" if is_at_margin else text
    entries = Entries(text, "patterns.yaml")
    for _ in range(4):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 30)))
        text = text[:start] + data.draw(st.sampled_from(PIECES)) + text[end:]
        entries = Entries(text, "patterns.yaml", before=entries)
        cut, whole = entries.cut, Entries(text, "patterns.yaml")
        assert (cut.starts, cut.entries, cut.texts) == (whole.cut.starts, whole.all, whole.cut.texts)
        assert (cut.head, cut.outside, cut.indent) == (whole.cut.head, whole.cut.outside, whole.cut.indent)
        assert entries.ids == whole.ids
        assert [cut.entry_at(line) for line in range(1, len(cut.starts) + 1)] == [
            whole.cut.entry_at(line) for line in range(1, len(cut.starts) + 1)
        ]


def test_a_key_in_an_entry_cuts_this_entry_alone():
    entries = Entries(CUTTING, "patterns.yaml")
    assert Entries(CUTTING.replace("id: cut-across", "id: cut-acros"), "patterns.yaml", before=entries).cut.edited == 0
    assert Entries("# more\n" + CUTTING, "patterns.yaml", before=entries).cut.edited is None


def test_after_an_edit_all_other_entries_are_as_they_were_but_for_their_lines():
    kept = Kept()
    first = same_as_the_compiler(CUTTING, kept)
    before = dict(kept.compiled)
    longer = CUTTING.replace("    priority: 500\n", "    # why\n    priority: 500\n", 1)
    second = same_as_the_compiler(longer, kept)
    assert second.all[1].first == first.all[1].first + 1
    assert len(kept.compiled) == len(before) + 1  # only the edited entry was compiled again


def test_what_follows_the_list_is_outside_it():
    text = CUTTING.replace("ruleset: little-go\n", "") + "# the end\nruleset: little-go\n"
    entries = same_as_the_compiler(text)
    assert len(entries.all) == len(Entries(CUTTING, "").all)


@pytest.mark.parametrize("typed", ["x", "doubt", "doubt: none yet", "}", "- ", "*", "summary:"])
def test_what_is_typed_at_the_margin_is_a_mistake_of_its_entry_alone(typed):
    entries = Entries(CUTTING.replace("    points: 50\n", f"    points: 50\n{typed}\n", 1), "patterns.yaml")
    assert entries.ids == Entries(CUTTING, "").ids
    found = [bool(entries.compiled(entry).problems) for entry in entries.all]
    assert found == [True] + [False] * (len(found) - 1)


@pytest.mark.parametrize("line", ["patterns: []", "ruleset: match", "notes: of mine", "--- "])
def test_a_key_of_the_file_ends_the_list(line):
    entries = Entries(f"{CUTTING}{line}\n", "patterns.yaml")
    assert entries.all[-1].last == Entries(CUTTING, "").all[-1].last


def test_places_in_an_excerpt_are_those_in_the_file():
    entries = Entries(TEXT, "patterns.yaml")
    whole = Source(TEXT, "patterns.yaml")
    for entry in random.Random(3).sample(entries.all, 12):
        source = entries.cut.excerpt(entry)
        begin = source.text.index(entries.cut.text_of(entry))
        for index in (begin, begin + 30, len(source.text) - 1):
            offset = entries.cut.offset(source, index)
            assert TEXT[offset] == source.text[index]
            assert whole.place(offset) == source.place(index)


def test_an_entry_is_found_by_its_id_by_its_number_and_by_its_line():
    entries = Entries(CUTTING, "patterns.yaml")
    assert entries.entry("give-atari") == entries.entry("#1") == entries.cut.entry_at(entries.all[1].first + 3)
    with pytest.raises(NoSuchEntryError, match="did you mean `give-atari`"):
        entries.entry("give-attari")
    assert entries.cut.entry_at(1) is None


@pytest.mark.parametrize("gone", ["examples", "summary", "priority", "class", "id"])
def test_a_drawing_shows_what_it_does_before_the_rest_is_written(gone):
    text = CUTTING[: CUTTING.index("  - id: give-atari")]
    entries = Entries(re.sub(rf"    {gone}:.*?(?=\n    \w|\Z)", "", text, count=1, flags=re.DOTALL), "patterns.yaml")
    if gone == "id":
        entries = Entries(text.replace("id: cut-across", "id: Cut Across"), "patterns.yaml")
    assert not entries.compiled(entries.all[0]).patterns
    [pattern] = drawn(entries, entries.all[0])
    assert (pattern.rows, len(pattern.when)) == (["O*", "XO"], 2)


def test_a_drawing_with_a_mistake_shows_nothing():
    entries = Entries(CUTTING.replace("      O *\n", "      O .\n", 1), "patterns.yaml")
    assert drawn(entries, entries.all[0]) == []


@pytest.mark.parametrize(
    "text", ["", "\n", "a", "a\n", "a\nb\n\n", "a\r\nb\rc\n", "a\x85b\u2028c\u2029", "a\x0bb\x0cc\x1cd\n"]
)
def test_lines_begin_where_yaml_begins_them(text):
    assert line_starts(text) == [0, *(end.end() for end in BREAK.finditer(text))]
