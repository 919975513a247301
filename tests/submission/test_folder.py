"""Tests of the submitted folder: its contents, refusals, and its creation, which is never partial."""

from __future__ import annotations

import os

import pytest
from drawn_patterns import FILE
from override_files import some_overrides

from littlego.knowledge.overrides import to_bytes
from littlego.submission import folder
from littlego.submission.folder import MADE_BY, PLAYER, SubmissionError, check_target, handed_in, put_in_place

FILES = {PLAYER: MADE_BY + b"pass\n", "littlego_turn.py": MADE_BY, "patterns.txt": b"one\n"}


def content(path):
    return {entry.name: entry.read_bytes() for entry in path.iterdir()}


def test_same_sources_same_bytes(tree):
    once, again = handed_in(tree), handed_in(tree)
    assert once == again and list(once) == list(again) == sorted(once)
    assert all(name.endswith((".py", ".txt")) and "/" not in name for name in once)
    assert once["patterns.txt"] == (tree / "patterns.txt").read_bytes()


def test_overrides_are_handed_in_where_there_are_some(tree):
    assert "overrides.txt" not in handed_in(tree)
    data = to_bytes(some_overrides(20, 1))
    (tree / "overrides.txt").write_bytes(data)
    assert handed_in(tree)["overrides.txt"] == data


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"", lambda data: data.replace(b"z", b"y")])
def test_damaged_overrides_are_not_handed_in(tree, damage):
    data = to_bytes({**some_overrides(20, 1), 10 << 56: 25})
    (tree / "overrides.txt").write_bytes(damage(data))
    with pytest.raises(SubmissionError, match=r"overrides.txt is damaged \(.*\): rebuild it"):
        handed_in(tree)


def test_an_earlier_submission_may_have_overrides(tmp_path):
    put_in_place({**FILES, "overrides.txt": b"some\n"}, tmp_path / "out")
    put_in_place(FILES, tmp_path / "out")
    assert content(tmp_path / "out") == FILES


def stale(root):
    (root / "patterns.yaml").write_text(FILE.replace("900", "901"), encoding="utf-8")


def broken_yaml(root):
    (root / "patterns.yaml").write_text(FILE.replace("summary", "sumary"), encoding="utf-8")


def failing_example(root):
    (root / "patterns.yaml").write_text(FILE.replace("== 1", "== 2"), encoding="utf-8")


def flipped(root):
    data = bytearray((root / "patterns.txt").read_bytes())
    data[len(data) // 2] ^= 1
    (root / "patterns.txt").write_bytes(data)


def hand_edited_source_hash(root):
    data = (root / "patterns.txt").read_text(encoding="utf-8").split(" ")
    data[4] = "0" * 64
    (root / "patterns.txt").write_text(" ".join(data), encoding="utf-8")


def missing(name):
    return lambda root: (root / name).unlink()


def odd_import(root):
    with (root / "rules" / "turn.py").open("a") as file:
        file.write("import rules.life\n")


def syntax_error(root):
    with (root / "rules" / "turn.py").open("a") as file:
        file.write("def\n")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (stale, "patterns.txt does not match patterns.yaml: run `littlego compile`"),
        (broken_yaml, "patterns.yaml does not compile: patterns.yaml:"),
        (failing_example, "patterns.yaml does not compile: patterns.yaml:"),
        (flipped, "patterns.txt: the checksum is wrong"),
        (hand_edited_source_hash, "patterns.txt does not match patterns.yaml"),
        (missing("patterns.txt"), "patterns.txt"),
        (missing("patterns.yaml"), "cannot read patterns.yaml"),
        (missing("my_player3.py"), "cannot read a source file"),
        (missing("rules/engine.py"), "cannot read a source file"),
        (odd_import, "rules/turn.py:"),
        (syntax_error, "cannot read a source file"),
    ],
)
def test_nothing_to_hand_in(tree, damage, message):
    damage(tree)
    with pytest.raises(SubmissionError) as found:
        handed_in(tree)
    assert message in str(found.value)


def test_a_new_folder(tmp_path):
    put_in_place(FILES, tmp_path / "out")
    assert content(tmp_path / "out") == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_is_used(tmp_path):
    (tmp_path / "out").mkdir()
    put_in_place(FILES, tmp_path / "out")
    assert content(tmp_path / "out") == FILES


def test_an_earlier_submission_is_replaced_whole(tmp_path):
    out = tmp_path / "out"
    put_in_place({**FILES, "littlego_old.py": MADE_BY}, out)
    (out / "__pycache__").mkdir()
    for name in ("input.txt", "output.txt", "my_player3_count.txt"):
        (out / name).write_text("left by a game")
    put_in_place(FILES, out)
    assert content(out) == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_through_a_link_the_folder_itself_is_replaced(tmp_path):
    put_in_place(FILES, tmp_path / "real")
    (tmp_path / "out").symlink_to("real")
    put_in_place({**FILES, "patterns.txt": b"two\n"}, tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert (tmp_path / "real" / "patterns.txt").read_bytes() == b"two\n"


@pytest.mark.parametrize(
    "stranger", ["notes.txt", "src", "littlego_turn.pyc", ".git", "littlego_turn.py"], ids=lambda name: name
)
def test_a_folder_with_anything_else_is_refused_and_left_alone(tmp_path, stranger):
    out = tmp_path / "out"
    out.mkdir()
    (out / stranger).write_text("mine")
    if stranger != "littlego_turn.py":
        (out / PLAYER).write_bytes(FILES[PLAYER])
    with pytest.raises(
        SubmissionError, match="contains .*; expected a new or an empty folder, or an earlier submission"
    ):
        put_in_place(FILES, out)
    assert (out / stranger).read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_in_place_of_a_file_is_a_stranger(tmp_path):
    put_in_place(FILES, tmp_path / "out")
    (tmp_path / "out" / "littlego_mine.py").mkdir()
    with pytest.raises(SubmissionError, match="contains littlego_mine.py"):
        put_in_place(FILES, tmp_path / "out")


def test_somebody_elses_player_is_refused(tmp_path):
    (tmp_path / "my_player3.py").write_text("print('mine')")
    with pytest.raises(SubmissionError, match="contains a my_player3.py that `littlego submit` did not create"):
        check_target(tmp_path)


def test_a_file_a_dangling_link_and_a_missing_parent_are_refused(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "link", "no/such/place"):
        with pytest.raises(SubmissionError):
            check_target(tmp_path / name)


def test_the_current_folder_is_refused(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    with pytest.raises(SubmissionError, match="current folder"):
        check_target(tmp_path / "out")


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("fails", ["write", "rename"])
def test_a_failure_half_way_leaves_what_was_there(tmp_path, monkeypatch, earlier, fails):
    out = tmp_path / "out"
    if earlier:
        put_in_place(FILES, out)
    rename = os.rename

    def failing_write(files, made):
        (made / PLAYER).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    def failing_rename(source, target):
        if source.name == "made":
            raise OSError(5, "Input/output error")
        rename(source, target)

    if fails == "write":
        monkeypatch.setattr(folder, "write_files", failing_write)
    else:
        monkeypatch.setattr(folder.os, "rename", failing_rename)
    with pytest.raises(OSError):
        put_in_place({**FILES, "patterns.txt": b"new\n"}, out)
    assert [path.name for path in tmp_path.iterdir()] == (["out"] if earlier else [])
    if earlier:
        assert content(out) == FILES
