"""Tests of broken inputs: each turn with a readable board has a legal move, and no file is partial.

The tests run in this process (my_player3.py only calls `play_turn`); test_my_player3_processes.py repeats some tests
with real processes. Stubs that fail simulate locked folders, since root may run the tests, and file modes do not stop
root.
"""

from __future__ import annotations

import errno
import random

import pytest
import turn_folder
from faulty_disk import Disk
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
    play_in_folder,  # noqa: F401 - the fixture `play`
    read_board,
)

from littlego.rules import engine, patternfile, turn, uncounted
from littlego.rules.geometry import points_of

BOARDS = list(GOOD.values())
TEXT = MIDDLE.text()
LINES = TEXT.split(b"\n")
OLD_OUTPUT = b"4,4\n"


def check(data: bytes, found) -> None:
    """Assert the properties of every turn: a legal move if input.txt is readable, else a refusal."""
    given = read_board(data)
    if given is None:
        check_refused(found)
    else:
        check_played(given, found, may_pass=given.previous == given.current)


# -- input.txt -------------------------------------------------------------------------------------------------


def lines(**changed) -> bytes:
    """Return MIDDLE's input.txt with some lines changed: line_3=b"..." is the third."""
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
    """Return a random Board that no game reaches: dead chains, too many stones, two unrelated boards."""
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


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_input_that_cannot_be_read(play, monkeypatch, error):
    Disk(unread={turn.INPUT: error}).install(monkeypatch)
    found = play(TEXT)
    check_refused(found)
    assert error.strerror in found.errors


# -- standard error --------------------------------------------------------------------------------------------


class Broken:
    """A standard error stream that cannot be written to."""

    def write(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")

    def flush(self):
        raise OSError(errno.ENOSPC, "No space left on device")


class Buffered(Broken):
    """A stream that fails only when flushed, as on Python 3.7."""

    def write(self, text):
        return len(text)


@pytest.mark.parametrize("stream", [None, Broken(), Buffered()], ids=["none", "broken", "buffered"])
def test_nobody_listens(play, monkeypatch, stream):
    monkeypatch.setattr("sys.stderr", stream)
    check_played(MIDDLE, play(TEXT, "nowhere.txt"))
    found = play(b"nonsense")
    assert (found.status, found.output) == (1, b"PASS\n")


# -- patterns.txt ----------------------------------------------------------------------------------------------


def test_the_engine_failing_altogether(play, monkeypatch):
    def fail(*_, **__):
        raise RecursionError("too deep")

    monkeypatch.setattr(engine, "decide", fail)
    monkeypatch.setattr(uncounted, "decide", fail)
    for given in BOARDS:
        found = play(given.text())
        assert (found.status, found.files) == (0, set())
        check_played(given, found, may_pass=given is LATE)
        assert found.errors.count("\n") == 2 and "too deep" in found.errors


def test_a_reader_that_fails_in_an_unforeseen_way(play, monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(patternfile, "load_bytes", fail)
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
