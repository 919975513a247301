"""Tests of unwritable folders and broken side files: no turn leaves a partial file."""

from __future__ import annotations

import random

import pytest
from faulty_disk import Disk
from turn_folder import (
    AFTER_A_PASS,
    GOOD,
    MIDDLE,
    check_played,
    check_refused,
    play_in_folder,  # noqa: F401 - the fixture `play`
)

from littlego.rules import turn

BOARDS = list(GOOD.values())
TEXT = MIDDLE.text()
LINES = TEXT.split(b"\n")
OLD_OUTPUT = b"4,4\n"


# -- output.txt cannot be written normally ---------------------------------------------------------------------


@pytest.mark.parametrize("board", GOOD)
@pytest.mark.parametrize("old", [OLD_OUTPUT, b"PASS\n", b"", b"something much longer than a move\n" * 9])
def test_a_locked_folder_with_an_old_output(play, monkeypatch, old, board):
    given = GOOD[board]
    (play.folder / turn.OUTPUT).write_bytes(old)
    Disk(locked=True).install(monkeypatch)
    found = play(given.text())
    check_played(given, found, may_pass=given is AFTER_A_PASS)
    assert not (play.folder / turn.COUNTS).exists()
    assert found.errors == f"my_player3: cannot keep the move count in {turn.COUNTS}: Permission denied\n"


def test_a_locked_folder_with_an_unreadable_input(play, monkeypatch):
    (play.folder / turn.OUTPUT).write_bytes(OLD_OUTPUT)
    Disk(locked=True).install(monkeypatch)
    check_refused(play(b"nonsense"))


def test_a_locked_empty_folder_is_reported(play, monkeypatch):
    Disk(locked=True).install(monkeypatch)
    found = play(TEXT)
    assert (found.status, found.output, found.files) == (1, None, set())
    assert found.errors == "my_player3: output.txt: Permission denied\n"


def test_only_the_temporary_name_is_denied(play, monkeypatch):
    Disk(denied=(turn.OUTPUT + ".tmp", turn.COUNTS + ".tmp")).install(monkeypatch)
    check_played(MIDDLE, play(TEXT))
    assert (play.folder / turn.COUNTS).exists()


def test_the_temporary_name_is_taken_by_a_folder(play):
    (play.folder / (turn.OUTPUT + ".tmp")).mkdir()
    found = play(TEXT)
    assert found.files == {turn.OUTPUT + ".tmp"}
    check_played(MIDDLE, found._replace(files=set()))


def test_a_stale_temporary_file_is_cleared(play):
    (play.folder / (turn.OUTPUT + ".tmp")).write_bytes(b"half")
    check_played(MIDDLE, play(TEXT))


@pytest.mark.parametrize("room", range(4))
@pytest.mark.parametrize("data", [TEXT, b"nonsense"], ids=["readable", "unreadable"])
def test_a_full_disk_leaves_nothing_half_written(play, monkeypatch, room, data):
    Disk(room=room).install(monkeypatch)
    found = play(data)
    assert (found.status, found.output, found.files) == (1, None, set())
    assert found.errors.endswith("my_player3: output.txt: No space left on device\n")
    assert not (play.folder / turn.COUNTS).exists()


def test_room_for_the_move_but_not_for_the_count(play, monkeypatch):
    Disk(room=5).install(monkeypatch)
    found = play(TEXT)
    check_played(MIDDLE, found)
    assert "cannot keep the move count" in found.errors and not (play.folder / turn.COUNTS).exists()


@pytest.mark.parametrize("name", [turn.OUTPUT, turn.COUNTS])
def test_an_interrupted_write_leaves_what_was_there(play, monkeypatch, name):
    (play.folder / name).write_bytes(b"old\n")
    Disk(interrupt=(name + ".tmp",)).install(monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        play(TEXT)
    assert (play.folder / name).read_bytes() == b"old\n"
    assert not list(play.folder.glob("*.tmp"))


def test_output_is_a_folder(play):
    (play.folder / turn.OUTPUT).mkdir()
    found = play(TEXT)
    assert (found.status, found.files) == (1, set())
    assert found.errors == "my_player3: output.txt: Is a directory\n"


@pytest.mark.parametrize("target", ["elsewhere.txt", "nowhere/at/all"])
def test_output_is_a_link(play, tmp_path, target):
    (tmp_path / "elsewhere.txt").write_bytes(b"mine")
    (play.folder / turn.OUTPUT).symlink_to(tmp_path / target)
    check_played(MIDDLE, play(TEXT))
    assert (tmp_path / "elsewhere.txt").read_bytes() == b"mine"


# -- the side file ---------------------------------------------------------------------------------------------

LEFT = b"1 8 %d %d\n" % MIDDLE.previous
SIDE_FILES = {
    "empty": b"",
    "blank": b"\n\n",
    "words": b"one two three four\n",
    "binary": bytes(range(256)),
    "UTF-16": LEFT.decode().encode("utf-16"),
    "too few fields": b"1 8\n",
    "too many fields": LEFT.strip() + b" 5\n",
    "count too large": b"1 400 %d %d\n" % MIDDLE.previous,
    "count 24": b"1 24 %d %d\n" % MIDDLE.previous,
    "count 23": b"1 23 %d %d\n" % MIDDLE.previous,
    "count negative": b"1 -9 %d %d\n" % MIDDLE.previous,
    "count too small": b"1 1 %d %d\n" % MIDDLE.previous,
    "count of the other parity": b"1 10 %d %d\n" % MIDDLE.previous,
    "count with underscores": b"1 1_0 %d %d\n" % MIDDLE.previous,
    "huge number": b"1 %s 1 1\n" % (b"9" * 9000),
    "huge file": LEFT * 100_000,
    "colour 3": b"3 8 1 2\n",
    "colour 0": b"0 8 1 2\n" + LEFT,
    "the other colour": b"2 8 %d %d\n" % MIDDLE.previous,
    "another board": b"1 8 1 2\n",
    "negative boards": b"1 8 -1 -2\n",
    "boards that overlap": b"1 8 3 3\n",
    "twice": LEFT + b"1 2 1 2\n",
    "not quite the board": b"1 8 %d %d\n" % (MIDDLE.previous[0] ^ 1, MIDDLE.previous[1]),
    "CRLF": LEFT.replace(b"\n", b"\r\n"),
    "zeros": b"\0" * 4096,
}
LEAST = turn.least_moves_made(*MIDDLE.current, 1)


def moves_made(play) -> int:
    """Return the number of moves before our move, according to Black's side file after the turn."""
    counts = turn.read_counts(str(play.folder / turn.COUNTS))
    assert set(counts) <= {1, 2} and 1 in counts
    return counts[1][0] - 1


@pytest.mark.parametrize("name", SIDE_FILES)
def test_a_broken_side_file_is_survived_and_mended(play, name):
    (play.folder / turn.COUNTS).write_bytes(SIDE_FILES[name])
    found = play(TEXT)
    check_played(MIDDLE, found)
    made = moves_made(play)
    assert made % 2 == 0 and LEAST <= made <= 23
    assert name == "CRLF" or made == LEAST or name == "huge file"


@pytest.mark.parametrize("length", range(len(LEFT)))
def test_a_side_file_cut_short(play, length):
    (play.folder / turn.COUNTS).write_bytes(LEFT[:length])
    check_played(MIDDLE, play(TEXT))
    assert moves_made(play) in (LEAST, 9 if length >= len(LEFT) - 1 else LEAST)


@pytest.mark.parametrize("seed", range(30))
def test_a_side_file_with_flipped_bits(play, seed):
    rng = random.Random(seed)
    data = bytearray(LEFT)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    (play.folder / turn.COUNTS).write_bytes(data)
    check_played(MIDDLE, play(TEXT))
    made = moves_made(play)
    assert made % 2 == 0 and LEAST <= made <= 23


@pytest.mark.parametrize("kind", ["folder", "dangling link", "unreadable"])
def test_a_side_file_that_is_none(play, monkeypatch, kind):
    path = play.folder / turn.COUNTS
    if kind == "folder":
        path.mkdir()
    elif kind == "dangling link":
        path.symlink_to("nowhere/at/all")
    else:
        path.write_bytes(LEFT)
        Disk(unread={turn.COUNTS: PermissionError(13, "Permission denied")}).install(monkeypatch)
    check_played(MIDDLE, play(TEXT))
