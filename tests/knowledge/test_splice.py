"""Tests of inserting examples and patterns into a file: all other bytes stay, or the edit is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from drawn_patterns import FILE, changed
from knowledge_files import YAML, compiled

from littlego.cli.arguments import ArgumentError
from littlego.knowledge import splice
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import MATCHES, NO_MATCH, Example
from littlego.knowledge.splice import add_examples, add_pattern, rewrite, set_points
from littlego.rules.position import BLACK
from littlego.rules.ruleset import LITTLE_GO

PIN = Example(NO_MATCH, 0, 0, LITTLE_GO, (0, 1), None, 1, 22, BLACK)  # a lone O in the corner
PIN_LINES = """\
        - board: |
            O . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 0,1
"""
ENTRY = FILE.partition("patterns:\n")[2].replace("id: take", "id: another")


def with_pin(text: str = FILE, kind: str = NO_MATCH) -> str:
    return add_examples(text, "p.yaml", {"take": [replace(PIN, kind=kind)]})


def test_an_example_stands_at_the_end_of_its_list():
    assert with_pin() == FILE + PIN_LINES
    assert with_pin(kind=MATCHES) == changed("      no_match:\n", f"{PIN_LINES}      no_match:\n")


def test_several_at_once_in_the_order_in_which_they_are_given():
    again = replace(PIN, move=2)
    text = add_examples(FILE, "p.yaml", {"take": [PIN, replace(PIN, kind=MATCHES), again]})
    [pattern] = compile_text(text, "p.yaml", with_examples=False)[2].patterns
    assert [(one.kind, one.move) for one in pattern.examples] == [
        (MATCHES, 12),
        (MATCHES, 1),
        (NO_MATCH, None),
        (NO_MATCH, 1),
        (NO_MATCH, 2),
    ]


@pytest.mark.parametrize(
    ("text", "line_end"),
    [
        (FILE.replace("\n", "\r\n"), "\r\n"),
        (FILE.replace("\n", "\r"), "\r"),
        (FILE.rstrip("\n"), "\n"),
        (FILE.replace("\n", "\r\n")[:-2], "\r\n"),
    ],
    ids=["CRLF", "CR", "no newline at the end", "CRLF but at the end"],
)
def test_lines_end_as_those_of_the_file_do(text, line_end):
    added = with_pin(text)
    end = text[len(text.rstrip()) :]
    assert added == text.rstrip() + line_end + PIN_LINES.rstrip().replace("\n", line_end) + end
    assert compile_text(added.encode(), "p.yaml")[1] == []


def test_comments_stay_with_what_they_stand_below():
    text = changed("          move: 2,2\n", "          move: 2,2  # here\n          # not there\n      # others\n")
    added = with_pin(text, MATCHES)
    assert f"move: 2,2  # here\n          # not there\n{PIN_LINES}      # others\n      no_match:" in added
    assert added.replace(PIN_LINES, "") == text


def test_blank_lines_below_stay_below():
    text = FILE + "\n\n  # the end\n"
    assert with_pin(text) == FILE + PIN_LINES + "\n\n  # the end\n"


@pytest.mark.parametrize("dash", ["      ", "         "], ids=["indentless", "deep"])
def test_lists_are_continued_with_their_own_indentation(dash):
    head, _, rest = FILE.partition("      no_match:\n")
    lines = [dash + line.removeprefix("        ") for line in rest.splitlines()]
    text = f"{head}      no_match:\n" + "\n".join(lines) + "\n"
    added = with_pin(text)
    assert added.startswith(text) and added.removeprefix(text).startswith(f"{dash}- board: |\n{dash}    O . .")
    assert compile_text(added, "p.yaml")[1] == []


def test_the_shipped_file_keeps_every_byte():
    text, patterns = YAML.read_text(encoding="utf-8"), [one for one in compiled().base.patterns if not one.passes]
    odd = replace(PIN, move=23)
    lines = PIN_LINES.replace("0,1", "4,3")
    assert lines not in text
    added = add_examples(text, "patterns.yaml", {one.id: [replace(odd, kind=MATCHES), odd] for one in patterns})
    assert added.count(lines) == 2 * len(patterns) > 200 and added.replace(lines, "") == text
    again = compile_text(added, "patterns.yaml", with_examples=False)[2].patterns
    for old, new in zip(patterns, [one for one in again if not one.passes], strict=True):
        kept = [one.asked for one in new.examples if one.move != odd.move or one.stones != odd.stones]
        assert kept == [one.asked for one in old.examples] and len(new.examples) == len(kept) + 2


def test_a_pattern_stands_behind_the_last_of_its_class():
    text = f"{FILE}\n  # --- cuts\n\n{ENTRY.replace('another', 'cutting').replace('capture', 'cut')}"
    added = add_pattern(text, "p.yaml", ENTRY, "capture")
    assert added == f"{FILE}\n{ENTRY}\n  # --- cuts\n\n" + text.partition("# --- cuts\n\n")[2]
    assert [one.id for one in compile_text(added, "p.yaml")[2].patterns] == ["take", "another", "cutting"]


def test_one_of_a_new_class_stands_at_the_end():
    entry = ENTRY.replace("class: capture", "class: ko")
    assert add_pattern(FILE, "p.yaml", entry, "ko") == f"{FILE}\n{entry}"


def test_a_pattern_takes_the_indentation_of_the_others():
    text = "\n".join(line.removeprefix("  ") for line in FILE.split("\n"))
    added = add_pattern(text, "p.yaml", ENTRY, "capture")
    assert added.startswith(text + "\n- id: another\n  class: capture\n") and compile_text(added, "p.yaml")[1] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "ruleset: little-go\npatterns: []\n",
            "p.yaml:2:11: `patterns` is not a block list; expected `patterns:` with",
        ),
        ("ruleset: little-go\n", "p.yaml:1:1: no `patterns`; expected"),
        ("ruleset: little-go\npatterns: [{id: take, examples: {no_match: [1]}}]", "p.yaml:2:11: `patterns` is no"),
        (changed("matches:", "matched:"), "p.yaml:15:7: no `matches`; expected `matches:` with a list of at least"),
        (FILE.partition("    examples")[0], "p.yaml:3:9: a pattern without `examples`; expected `examples:` with"),
        (
            FILE.partition("    examples")[0] + "    examples: {matches: [1], no_match: []}",
            "p.yaml:14:25: `matches` is",
        ),
        (changed("id: take", "id: tke"), "p.yaml: no pattern `take`; did you mean `tke`?; nothing was written"),
        (changed("      matches:", "\tmatches:"), "p.yaml:15:1 P003 broken YAML: found character '\\t'"),
        ("", "p.yaml: an empty file; nothing was written"),
    ],
)
def test_a_file_without_a_place_for_it_is_refused_with_the_place(text, told):
    with pytest.raises(ArgumentError) as error:
        with_pin(text, MATCHES)
    assert str(error.value).startswith(told) and str(error.value).endswith("nothing was written")


# --- the file


@pytest.fixture
def source(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "p.yaml"
    path.write_bytes(FILE.encode())
    return path


def add(example: Example):
    return lambda text, name: add_examples(text, name, {"take": [example]})


def test_the_file_is_replaced_and_read_again(source):
    base = rewrite(source, add(PIN))
    assert source.read_text() == with_pin() and base.patterns[0].examples[-1].line == 30
    assert list(source.parent.iterdir()) == [source]


def test_an_edit_that_makes_it_wrong_is_told_and_not_written(source):
    with pytest.raises(ArgumentError) as error:
        rewrite(source, add(replace(PIN, kind=MATCHES)))
    told = (
        "nothing was written, because the result would have a mistake: "
        "p.yaml:23:11 P070 `take` fires nowhere; expected it to fire for 0,1"
    )
    assert str(error.value).startswith(told)
    assert source.read_text() == FILE


def test_what_was_wrong_before_stands_in_the_way_of_nothing(source):
    wrong = changed("          move: 2,2", "          move: 4,4")
    source.write_text(wrong)
    rewrite(source, add(PIN))
    assert source.read_text() == with_pin(wrong)
    with pytest.raises(ArgumentError, match="P070"):
        rewrite(source, add(replace(PIN, kind=MATCHES)))


def test_a_file_that_is_no_longer_what_was_read_is_left_alone(source):
    with pytest.raises(
        ArgumentError, match="^p.yaml was changed in the meantime; nothing was written: run the command again$"
    ):
        rewrite(source, add(PIN), read=FILE + "# more\n")
    assert source.read_text() == FILE


def test_a_read_only_file_is_refused(source):
    source.chmod(0o444)
    with pytest.raises(ArgumentError, match="^cannot write p.yaml: it is read-only; run `chmod u"):
        rewrite(source, add(PIN))
    assert source.read_text() == FILE


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (compiled().data, "p.yaml is generated by `littlego compile`; expected its source, such as patterns.yaml"),
        (FILE.encode() + b"# \xff", "p.yaml: the byte 0xff; expected UTF-8 text; save the file as UTF-8"),
    ],
)
def test_what_is_no_source_is_refused(source, data, told):
    source.write_bytes(data)
    with pytest.raises(ArgumentError) as error:
        rewrite(source, add(PIN))
    assert str(error.value) == told and source.read_bytes() == data


def test_a_write_that_fails_leaves_the_file_whole(source, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(splice, "write_bytes", full)
    with pytest.raises(ArgumentError, match=r"^cannot write p\.yaml: No space left on device$"):
        rewrite(source, add(PIN))
    assert source.read_text() == FILE


def test_crlf_and_a_byte_order_mark_reach_the_disk_as_they_were(source):
    data = b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode()
    source.write_bytes(data)
    rewrite(source, add(PIN))
    assert source.read_bytes() == data + PIN_LINES.replace("\n", "\r\n").encode()


def test_what_another_program_saved_while_the_edit_was_checked_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "patterns.yaml"
    path.write_bytes(YAML.read_bytes())
    check = splice._check_edited

    def slow_check(*args):
        path.write_bytes(YAML.read_bytes() + b"# saved meanwhile\n")
        return check(*args)

    monkeypatch.setattr(splice, "_check_edited", slow_check)
    with pytest.raises(ArgumentError, match="was changed in the meantime; nothing was written"):
        splice.rewrite(path, lambda text, name: text + "# ours\n")
    assert path.read_bytes().endswith(b"# saved meanwhile\n")


def test_points_change_and_every_other_byte_stays():
    text = changed("points: 100 * size(A)\n", "points: '100 * size(A)'  # by hand\n")
    assert set_points(text, "p.yaml", {"take": "7 * size(A)"}) == text.replace("'100 * size(A)'", "7 * size(A)")
    assert set_points(FILE, "p.yaml", {"take": "-8"}) == changed("points: 100 * size(A)", "points: -8")
    folded = changed("points: 100 * size(A)\n", "points: >-\n      100 *\n      size(A)\n    # below\n")
    assert set_points(folded, "p.yaml", {"take": "9"}) == changed("100 * size(A)\n", "9\n    # below\n")


def test_points_are_added_where_there_are_none_and_two_patterns_change_at_once():
    bare = changed("    points: 100 * size(A)\n", "")
    assert set_points(bare, "p.yaml", {"take": "12"}) == changed("    class", "    points: 12\n    class", bare)
    both = FILE + ENTRY
    edited = set_points(both, "p.yaml", {"another": "1", "take": "2"})
    assert edited == both.replace("100 * size(A)", "2", 1).replace("100 * size(A)", "1", 1)
    mixed = set_points(bare + ENTRY, "p.yaml", {"another": "1", "take": "2"})
    assert mixed == set_points(set_points(bare + ENTRY, "p.yaml", {"another": "1"}), "p.yaml", {"take": "2"})


def test_points_of_no_pattern_are_refused():
    with pytest.raises(ArgumentError, match="no pattern `tak`.*; nothing was written"):
        set_points(FILE, "p.yaml", {"tak": "1"})
