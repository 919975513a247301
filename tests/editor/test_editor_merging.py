"""Tests of three-way merges: comparison with git's merges, and general properties."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.editor.merging import merge

BASE = "one\ntwo\nthree\nfour\nfive\n"
texts = st.lists(st.sampled_from([f"{letter}\n" for letter in "abcdefgh"] + ["\n"] * 4), max_size=9).map("".join)


def test_what_each_side_changed_elsewhere_is_taken_from_both():
    merged, conflicts = merge(BASE, BASE.replace("one", "ONE"), BASE.replace("five", "FIVE") + "six\n")
    assert merged == "ONE\ntwo\nthree\nfour\nFIVE\nsix\n" and not conflicts


def test_where_both_changed_the_same_line_mine_stays_and_theirs_is_told():
    mine, theirs = BASE.replace("three", "drei"), BASE.replace("three", "trois").replace("five", "cinq")
    merged, (conflict,) = merge(BASE, mine, theirs)
    assert merged == mine.replace("five", "cinq")
    assert (conflict.mine, conflict.theirs, conflict.base) == ("drei\n", "trois\n", "three\n")
    assert merged[conflict.start : conflict.end] == "drei\n"


def test_the_same_change_on_both_sides_is_no_conflict():
    same = BASE.replace("two\n", "")
    assert merge(BASE, same, same) == (same, [])


def test_a_last_line_without_its_end_is_kept_so():
    assert merge("a\nb", "a\nb", "A\nb") == ("A\nb", [])


@given(texts, texts)
def test_a_side_that_changed_nothing_gives_way(base, other):
    assert merge(base, base, other) == (other, []) and merge(base, other, base) == (other, [])
    assert merge(base, other, other) == (other, [])


@given(texts, texts, texts)
def test_taking_theirs_for_each_conflict_gives_the_same_as_the_sides_exchanged(base, mine, theirs):
    merged, conflicts = merge(base, mine, theirs)
    for conflict in reversed(conflicts):
        assert merged[conflict.start : conflict.end] == conflict.mine
        merged = merged[: conflict.start] + conflict.theirs + merged[conflict.end :]
    assert merged == merge(base, theirs, mine)[0]


@pytest.mark.skipif(shutil.which("git") is None, reason="NOT RUN: there is no git")
@pytest.mark.parametrize("theirs", ["ONE\ntwo\nthree\nfour\nfive\n", "one\ntwo\nfour\nfive\n", "0\none\ntwo\nthree\n"])
def test_git_merges_the_same(tmp_path, theirs):
    mine = BASE.replace("three\n", "three\nthree and a half\n").replace("five\n", "five\nsix\n")
    for name, text in (("base", BASE), ("mine", mine), ("theirs", theirs)):
        (tmp_path / name).write_text(text)
    done = subprocess.run(["git", "merge-file", "-p", "mine", "base", "theirs"], cwd=tmp_path, capture_output=True)
    merged, conflicts = merge(BASE, mine, theirs)
    assert done.returncode == len(conflicts)
    assert conflicts or done.stdout.decode() == merged
