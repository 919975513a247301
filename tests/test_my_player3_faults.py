"""Broken inputs, one turn each: whatever goes wrong, a readable board gets a legal move and no file is half-written.

Played in this process (`play_turn` is all that my_player3.py calls); test_my_player3_processes.py plays some of them
as real processes. Tests may run as root, whom no file mode stops: failing stubs stand in for locked folders.
"""

from __future__ import annotations

import errno
import os
import random

import pytest
import turn_folder
from turn_folder import (
    AFTER_A_PASS,
    FIRST,
    GOOD,
    KO,
    LATE,
    MIDDLE,
    PATTERNS,
    SECOND,
    Board,
    check_played,
    check_refused,
    collect,
    read_board,
)

from rules import patternfile, turn
from rules.geometry import points_of

BOARDS = list(GOOD.values())
TEXT = MIDDLE.text()
LINES = TEXT.split(b"\n")
OLD_OUTPUT = b"4,4\n"


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """Return a function that plays a turn in a fresh folder: (input.txt or None, patterns.txt) -> Outcome."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def play(data: bytes | None, patterns=PATTERNS):
        if data is not None:
            (folder / turn.INPUT).write_bytes(data)
        status = turn.play_turn(str(patterns))
        if data is not None:
            assert (folder / turn.INPUT).read_bytes() == data
        return collect(folder, status, capsys.readouterr().err)

    play.folder = folder
    return play


def check(data: bytes, found) -> None:
    """Assert what is right for any input.txt: a legal move where it is readable, else a refusal."""
    given = read_board(data)
    if given is None:
        check_refused(found)
    else:
        check_played(given, found, may_pass=given.previous == given.current)


# -- input.txt -------------------------------------------------------------------------------------------------


def lines(**changed) -> bytes:
    """Return MIDDLE's input.txt with lines changed: line_3=b"..." is the third."""
    rows = list(LINES)
    for name, row in changed.items():
        rows[int(name.removeprefix("line_")) - 1] = row
    return b"\n".join(rows)


UNREADABLE = {
    "empty": b"",
    "one newline": b"\n",
    "blanks": b"  \t \n \n",
    "colour alone": b"1\n",
    "no colour": b"\n".join(LINES[1:]),
    "one board": b"\n".join(LINES[:6]),
    "three boards": TEXT + b"\n" + b"\n".join(LINES[6:]),
    "ten lines": b"\n".join(LINES[:10]),
    "twelve lines": TEXT + b"\n00000",
    "blank line first": b"\n" + TEXT,
    "blank line between": b"\n".join(LINES[:6] + [b""] + LINES[6:]),
    "all in one line": TEXT.replace(b"\n", b""),
    "spaces for newlines": TEXT.replace(b"\n", b" "),
    "four rows of four": b"1" + b"\n0000" * 8,
    "size six": b"1" + b"\n000000" * 12,
    "size nineteen": b"1\n" + b"\n".join([b"0" * 19] * 38),
    "colour 0": lines(line_1=b"0"),
    "colour 3": lines(line_1=b"3"),
    "colour 12": lines(line_1=b"12"),
    "colour -1": lines(line_1=b"-1"),
    "colour +1": lines(line_1=b"+1"),
    "colour 1.0": lines(line_1=b"1.0"),
    "colour X": lines(line_1=b"X"),
    "colour Black": lines(line_1=b"Black"),
    "colour empty": lines(line_1=b""),
    "colour twice": lines(line_1=b"1 1"),
    "digit 3": lines(line_2=b"00300"),
    "digit 9 at the end": lines(line_11=b"00009"),
    "letter O": lines(line_7=b"0000O"),
    "minus": lines(line_5=b"-1000"),
    "dots": lines(line_4=b"....."),
    "row too short": lines(line_6=b"0000"),
    "row too long": lines(line_6=b"000000"),
    "row of four and a blank": lines(line_6=b"00 00"),
    "spaces between": TEXT.replace(b"0", b"0 "),
    "commas between": lines(line_8=b"0,0,0,0,0"),
    "Arabic digits": lines(line_3="\u0660\u0661\u0660\u0660\u0660".encode()),
    "superscript digits": lines(line_3="\u00b2\u00b9\u00b2\u00b9\u00b2".encode()),
    "superscript digits in Latin-1": lines(line_3=b"\xb2\xb9\xb2\xb9\xb2"),
    "UTF-16": TEXT.decode().encode("utf-16"),
    "UTF-32": TEXT.decode().encode("utf-32"),
    "NUL bytes": b"\0" * 71,
    "one NUL": lines(line_9=b"000\x000"),
    "NUL at the end": TEXT + b"\0",
    "two byte order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + TEXT,
    "byte order mark at the end": TEXT + b"\xef\xbb\xbf",
    "JSON": b'{"colour": 1}',
    "HTML": b"<html>" * 20,
    "a very long line": b"0" * 1_000_000,
    "a million lines": b"\n" * 1_000_000,
    "a million rows": TEXT + b"\n00000" * 1_000_000,
    "our own output": b"2,3\n",
    "PASS": b"PASS",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_refused(play, name):
    assert read_board(UNREADABLE[name]) is None
    check_refused(play(UNREADABLE[name]))


FORGIVEN = {
    "exact": lambda text: text,
    "final newline": lambda text: text + b"\n",
    "CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "CRLF at the end too": lambda text: text.replace(b"\n", b"\r\n") + b"\r\n",
    "CR alone": lambda text: text.replace(b"\n", b"\r"),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "byte order mark and CRLF": lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n") + b"\r\n",
    "blank lines at the end": lambda text: text + b"\n\n \n",
    "blanks at line ends": lambda text: text.replace(b"\n", b" \t\n") + b" ",
}


@pytest.mark.parametrize("board", GOOD)
@pytest.mark.parametrize("how", FORGIVEN)
def test_what_can_be_read_is_played_the_same(play, how, board):
    given = GOOD[board]
    found = play(FORGIVEN[how](given.text()))
    check_played(given, found, may_pass=given is AFTER_A_PASS)
    assert not found.errors
    (play.folder / turn.COUNTS).unlink()
    assert play(given.text()).output == found.output


@pytest.mark.parametrize("length", range(len(TEXT)))
def test_input_cut_short_is_refused(play, length):
    check_refused(play(TEXT[:length]))


@pytest.mark.parametrize("seed", range(60))
def test_input_with_flipped_bits(play, seed):
    rng = random.Random(seed)
    data = bytearray(rng.choice(BOARDS).text())
    for _ in range(rng.randint(1, 2)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    check(bytes(data), play(bytes(data)))


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes(play, seed):
    rng = random.Random(seed)
    data = bytes(rng.choice(b"012\n\r \xff") for _ in range(rng.randint(1, 200)))
    check(data, play(data))


def impossible_board(seed: int) -> Board:
    """Return boards that no game reaches: chains without liberties, far too many stones, two unrelated boards."""
    rng = random.Random(seed)
    masks = []
    for _ in range(2):
        weights = rng.choice([(1, 5, 5), (0, 1, 1), (2, 9, 1), (2, 1, 9), (8, 1, 1)])
        cells = rng.choices((0, 1, 2), weights, k=25)
        masks.append(tuple(sum(1 << n for n, cell in enumerate(cells) if cell == stone) for stone in (1, 2)))
    return Board(rng.choice((1, 2)), masks[0], masks[1])


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("patterns", ["with", "without"])
def test_impossible_boards_get_a_legal_move(play, seed, patterns):
    given = impossible_board(seed)
    found = play(given.text(), PATTERNS if patterns == "with" else "nowhere.txt")
    check_played(given, found)
    if patterns == "with":
        assert not found.errors


FULL = (1 << 25) - 1


@pytest.mark.parametrize("colour", [1, 2])
@pytest.mark.parametrize("current", [(FULL, 0), (0, FULL), (FULL >> 13, FULL >> 12 << 12 & ~(FULL >> 13))])
def test_a_full_board(play, colour, current):
    given = Board(colour, (0, 0), current)
    check_played(given, play(given.text()))


def test_no_input(play):
    check_refused(play(None))


def test_input_is_a_folder(play):
    (play.folder / turn.INPUT).mkdir()
    check_refused(play(None))


def test_input_is_a_dangling_link(play):
    (play.folder / turn.INPUT).symlink_to("nowhere")
    check_refused(play(None))


def test_input_links_to_itself(play):
    (play.folder / turn.INPUT).symlink_to(turn.INPUT)
    check_refused(play(None))


class Disk:
    """`open`, `replace` and `unlink` for rules.turn, of which some fail.

    denied: names that cannot be opened for writing; locked: nothing can be created, renamed or removed; room: bytes
    that writes may still take up, then ENOSPC; unread: name -> error that reading it gives.
    """

    def __init__(self, denied=(), locked=False, room=None, unread=None, interrupt=()):
        self.denied = denied
        self.locked = locked
        self.room = room
        self.unread = unread or {}
        self.interrupt = interrupt

    def install(self, monkeypatch):
        monkeypatch.setattr(turn, "open", self.open, raising=False)
        monkeypatch.setattr(turn, "replace", self.replace)
        monkeypatch.setattr(turn, "unlink", self.unlink)

    def open(self, path, mode, opener=None):
        if path in self.unread and "r" in mode and "+" not in mode:
            raise self.unread[path]
        writes = "w" in mode or "+" in mode
        if writes and (path in self.denied or (self.locked and not os.path.exists(path))):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return Limited(open(path, mode), self, path) if writes else open(path, mode, opener=opener)

    def replace(self, source, target):
        if self.locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        os.replace(source, target)

    def unlink(self, path):
        if self.locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        os.unlink(path)


class Limited:
    """A file on a disk with little room: it takes what fits and then fails, or is interrupted."""

    def __init__(self, file, disk, path):
        self.file = file
        self.disk = disk
        self.path = path

    def write(self, data):
        if self.path in self.disk.interrupt:
            self.file.write(data[: len(data) // 2])
            self.file.flush()
            raise KeyboardInterrupt
        if self.disk.room is not None and len(data) > self.disk.room:
            self.file.write(data[: self.disk.room])
            self.file.flush()
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_input_that_cannot_be_read(play, monkeypatch, error):
    Disk(unread={turn.INPUT: error}).install(monkeypatch)
    found = play(TEXT)
    check_refused(found)
    assert error.strerror in found.errors


# -- where output.txt cannot be written as usual ---------------------------------------------------------------


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


# -- standard error --------------------------------------------------------------------------------------------


class Broken:
    """A standard error that cannot be written to."""

    def write(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")

    def flush(self):
        raise OSError(errno.ENOSPC, "No space left on device")


class Buffered(Broken):
    """One that notices only when flushed, as on Python 3.7."""

    def write(self, text):
        return len(text)


@pytest.mark.parametrize("stream", [None, Broken(), Buffered()], ids=["none", "broken", "buffered"])
def test_nobody_listens(play, monkeypatch, stream):
    monkeypatch.setattr("sys.stderr", stream)
    check_played(MIDDLE, play(TEXT, "nowhere.txt"))
    found = play(b"nonsense")
    assert (found.status, found.output) == (1, b"PASS\n")


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
    """Return the number of moves that the side file counts for Black after the turn, ours excluded."""
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


# -- patterns.txt ----------------------------------------------------------------------------------------------


def test_the_engine_failing_altogether(play, monkeypatch):
    def fail(position, book):
        raise RecursionError("too deep")

    monkeypatch.setattr(turn, "decide", fail)
    for given in BOARDS:
        found = play(given.text())
        assert (found.status, found.files) == (0, set())
        check_played(given, found, may_pass=given is LATE)
        assert found.errors.count("\n") == 2 and "too deep" in found.errors


def test_a_reader_that_fails_in_an_unforeseen_way(play, monkeypatch):
    def fail(path, ruleset):
        raise MemoryError

    monkeypatch.setattr(patternfile, "load", fail)
    found = play(TEXT)
    check_played(MIDDLE, found)
    assert "MemoryError" in found.errors and found.errors.count("\n") == 1


@pytest.mark.parametrize("board", GOOD)
@pytest.mark.parametrize("kind", ["missing", "folder", "dangling link", "empty", "a line", "binary", "another file"])
def test_no_patterns_at_all(play, tmp_path, kind, board):
    path = tmp_path / "patterns.txt"
    if kind == "folder":
        path.mkdir()
    elif kind == "dangling link":
        path.symlink_to("nowhere")
    elif kind != "missing":
        content = {"empty": b"", "a line": b"\n", "binary": bytes(range(256)) * 9, "another file": TEXT}
        path.write_bytes(content[kind])
    given = GOOD[board]
    found = play(given.text(), path)
    check_played(given, found)
    assert found.errors.startswith("my_player3: ") and found.errors.count("\n") == 1
    assert "playing without patterns" in found.errors


def test_the_ko_is_respected_without_patterns(play):
    assert points_of(KO.position().ko) == [11]
    assert 11 not in KO.legal()
    check_played(KO, play(KO.text(), "nowhere.txt"))
    assert FIRST.legal() == set(range(25)) and len(SECOND.legal()) == 24


def test_the_yardstick_itself():
    assert turn_folder.MIDDLE.has_safe_placement()
    assert not LATE.has_safe_placement()
    with pytest.raises(AssertionError):
        check_played(MIDDLE, turn_folder.Outcome(0, b"PASS\n", "", set()))
    with pytest.raises(AssertionError):
        check_played(MIDDLE, turn_folder.Outcome(0, b"1,1\n", "", set()))
    with pytest.raises(AssertionError):
        check_played(MIDDLE, turn_folder.Outcome(0, b"0,0", "", set()))
