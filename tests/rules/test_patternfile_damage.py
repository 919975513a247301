"""Tests that damaged, forged or foreign patterns files are refused in one line, or do not harm a turn."""

from __future__ import annotations

import random
from base64 import b64encode
from binascii import crc32

import pytest
from turn_folder import GOOD, KO, MIDDLE, PATTERNS, SECOND, check_played, collect

from littlego.rules import turn
from littlego.rules.facts import FACTS
from littlego.rules.matching import pack_placements, parse_shape, placements
from littlego.rules.patternfile import PatternFileError, load, load_bytes
from littlego.rules.ruleset import LITTLE_GO, little_go

DATA = PATTERNS.read_bytes()
HEAD, _, BODY = DATA.partition(b"\n")
COUNT = int(HEAD.split()[5])
LINES = BODY.split(b"\n")
SEEDS = [*range(20), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(20, 60))]


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """Return a function that plays a turn with these bytes as patterns.txt."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    path = tmp_path / "patterns.txt"

    def play(data: bytes, given=MIDDLE):
        path.write_bytes(data)
        (folder / turn.INPUT).write_bytes(given.text())
        status = turn.play_turn(str(path))
        return collect(folder, status, capsys.readouterr().err)

    return play


def refused(play, data: bytes, why: str = "") -> None:
    """Assert that the file is refused in one line, and that the turn is played without the file."""
    found = play(data)
    check_played(MIDDLE, found)
    assert found.errors.count("\n") == 1 and found.errors.endswith("; playing without patterns\n"), found.errors
    assert why in found.errors


def sealed(body: bytes, **fields) -> bytes:
    """Return a file with this body, a correct checksum and changed header fields: f5=b"7" sets field 5."""
    head = HEAD.split(b" ")
    head[3] = b"%08x" % crc32(body)
    for name, value in fields.items():
        head[int(name[1:])] = value
    return b" ".join(head) + b"\n" + body


def with_line(index: int, line: bytes) -> bytes:
    """Return a file with a correct checksum and one changed line in the body."""
    return sealed(b"\n".join(LINES[:index] + [line] + LINES[index + 1 :]))


def with_field(field: int, value: bytes, index: int = 0) -> bytes:
    """Return a file with a correct checksum and one changed field of a pattern's eleven fields."""
    fields = LINES[index].split(b"\t")
    fields[field] = value
    return with_line(index, b"\t".join(fields))


def test_the_real_file_is_read_without_a_word(play):
    found = play(DATA)
    check_played(MIDDLE, found)
    assert found.errors == ""
    assert len(load(str(PATTERNS), LITTLE_GO).patterns) == COUNT


@pytest.mark.parametrize("part", range(40))
def test_truncated(play, part):
    refused(play, DATA[: part * len(DATA) // 40])


@pytest.mark.parametrize("missing", range(1, 8))
def test_the_last_bytes_missing(play, missing):
    refused(play, DATA[:-missing])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_flipped_bit_in_the_body(play, seed):
    rng = random.Random(seed)
    data = bytearray(DATA)
    data[rng.randrange(len(HEAD) + 1, len(DATA))] ^= 1 << rng.randrange(8)
    refused(play, bytes(data), "the checksum is wrong")


@pytest.mark.parametrize("offset", [n for n in range(len(HEAD) + 1) if not 38 <= n < 100])
def test_a_flipped_bit_in_the_header(play, offset):
    for bit in (0, 5, 7):
        data = bytearray(DATA)
        data[offset] ^= 1 << bit
        found = play(bytes(data))
        check_played(MIDDLE, found)
        assert found.errors.count("\n") <= 1


HEADERS = {
    "another magic": ({"f0": b"littlego-rules"}, "line 1 is not a header"),
    "version 0": ({"f1": b"0"}, "format version 0, expected 2"),
    "version 2": ({"f1": b"1"}, "format version 1, expected 2"),
    "version 1.0": ({"f1": b"1.0"}, "format version 1.0, expected 2"),
    "another ruleset": ({"f2": b"little-go-7"}, "made for little-go-7 on size 5, expected little-go on size 5"),
    "no ruleset": ({"f2": b""}, "made for"),
    "no number of patterns": ({"f5": b"many"}, "cannot be understood"),
    "no patterns": ({"f5": b"0"}, "lines, expected 1"),
    "one too many": ({"f5": b"%d" % (COUNT + 1)}, "lines, expected"),
    "a negative number": ({"f5": b"-3"}, "lines, expected"),
    "far too many": ({"f5": b"9" * 30}, "lines, expected"),
    "size 0": ({"f6": b"0"}, "expected little-go on size 5"),
    "size 4": ({"f6": b"4"}, "expected little-go on size 5"),
    "size 7": ({"f6": b"7"}, "expected little-go on size 5"),
    "size 19": ({"f6": b"19"}, "expected little-go on size 5"),
    "size 10**9": ({"f6": b"1000000000"}, "expected little-go on size 5"),
    "a negative size": ({"f6": b"-5"}, "expected little-go on size 5"),
    "one field more": ({"f6": b"5 5"}, "line 1 is not a header"),
    "another checksum": ({"f3": b"00000000"}, "the checksum is wrong"),
    "no checksum": ({"f3": b""}, "the checksum is wrong"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers(play, name):
    fields, why = HEADERS[name]
    refused(play, sealed(BODY, **fields), why)


@pytest.mark.parametrize("size", [b"0", b"1", b"20", b"1000000000", b"-1", b"x"])
def test_no_board_has_that_size(tmp_path, size):
    path = tmp_path / "patterns.txt"
    path.write_bytes(sealed(BODY, f6=size))
    with pytest.raises(PatternFileError, match="cannot be understood"):
        load(str(path))


BOM = b"\xef\xbb\xbf"
FROM_WINDOWS = {
    "line ends": DATA.replace(b"\n", b"\r\n"),
    "mark": BOM + DATA,
    "both": BOM + DATA.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("name", FROM_WINDOWS)
@pytest.mark.parametrize("board", GOOD)
def test_a_file_that_passed_through_windows_plays_the_same(play, name, board):
    assert play(FROM_WINDOWS[name], GOOD[board]) == play(DATA, GOOD[board])


@pytest.mark.parametrize("end", [b"\r", b"\n\r", b"\r\r\n"])
def test_other_line_ends_are_refused(play, end):
    refused(play, DATA.replace(b"\n", end))


def test_damage_in_a_file_that_passed_through_windows_is_still_found(play):
    refused(play, FROM_WINDOWS["both"][:-9], "the checksum is wrong")


def test_another_game_refuses_it_too():
    with pytest.raises(PatternFileError, match="made for little-go on size 5, expected little-go-7 on size 7"):
        load(str(PATTERNS), little_go(7))


BODIES = {
    "empty": sealed(b""),
    "one newline": sealed(b"\n"),
    "no end": sealed(b"\n".join(LINES[:-2] + [b""])),
    "another end": sealed(b"\n".join(LINES[:-2] + [b"End", b""])),
    "no last newline": sealed(BODY[:-1]),
    "more after the end": sealed(BODY + b"more\n"),
    "a pattern missing": sealed(b"\n".join(LINES[1:])),
    "patterns after placements": sealed(b"\n".join(LINES[COUNT : 2 * COUNT] + LINES[:COUNT] + LINES[2 * COUNT :])),
    "a blank pattern": with_line(0, b""),
    "a field missing": with_line(0, LINES[0].replace(b"\t", b"", 1)),
    "a field too many": with_line(0, LINES[0] + b"\tmore"),
    "no UTF-8": with_field(9, b"\xff\xfe"),
    "priority in words": with_field(2, b"high"),
    "priority empty": with_field(2, b""),
    "priority with a fraction": with_field(2, b"1.5"),
    "specificity in words": with_field(3, b"very"),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_with_a_right_checksum(play, name):
    refused(play, BODIES[name], "cannot be understood")


PLACED = next(n for n in range(COUNT, 2 * COUNT) if len(LINES[n]) > 64)  # a line of placements


@pytest.mark.parametrize("cut", [1, 2, 3, 4, 8, 12, 16, 24, 28, 31, 33, 40])
def test_placements_cut_short(play, cut):
    refused(play, with_line(PLACED, LINES[PLACED][:-cut]), "cannot be understood")


@pytest.mark.parametrize(
    "line",
    [b"A", b"AAAA", b"=" * 32, b"!" * 32, b"\xff" * 32, b"A" * 31, b"A" * 33, b"A" * 36, b"A" * 30 + b"=="],
    ids=repr,
)
def test_placements_that_are_no_base64_records(play, line):
    refused(play, with_line(PLACED, line), "cannot be understood")


@pytest.mark.parametrize("lefts", [b"g", b"-", b"1 2", b"\xff", b"\0"], ids=repr)
def test_moves_left_that_are_no_mask(tmp_path, lefts):
    path = tmp_path / "patterns.txt"
    path.write_bytes(with_line(PLACED, lefts + b" " + LINES[PLACED]))
    with pytest.raises(PatternFileError, match="cannot be understood"):
        load(str(path), LITTLE_GO, left=5)


@pytest.mark.parametrize("line", [b"/" * 32, b"A" * 32, b"A" * 22 + b"/" * 10, b"//8A" * 16], ids=repr)
def test_forged_placements_do_no_harm(play, line):
    for given in GOOD.values():
        check_played(given, play(with_line(PLACED, line), given), may_pass=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_placements_do_no_harm(play, seed):
    rng = random.Random(seed)
    lines = list(LINES)
    for index in range(COUNT, 2 * COUNT):
        if lines[index] and rng.random() < 0.5:
            line = bytearray(lines[index])
            for _ in range(9):
                line[rng.randrange(len(line))] = rng.choice(b"AQgw/+Zz059")
            lines[index] = bytes(line)
    given = rng.choice(list(GOOD.values()))
    check_played(given, play(sealed(b"\n".join(lines)), given), may_pass=True)


# A pattern that needs only a move and matches everywhere, so that its programs certainly run.
EVERYWHERE = b"\t".join([b"everywhere", b"fill", b"999", b"1", b"-", b"*", b"", b"%s", b"%s", b"%s", b"Anywhere."])


def anywhere(points: bytes, when: bytes, table: bytes = b"") -> bytes:
    """Return a file with a correct checksum and one pattern, which matches at every empty point."""
    packed = b64encode(pack_placements(placements(parse_shape(["*"]), 5)))
    body = b"\n".join([EVERYWHERE % (points, table, when), packed, b"end", b""])
    return sealed(body, f5=b"1")


def test_the_pattern_that_matches_everywhere_runs(play):
    found = play(anywhere(b"0", b"@* line 2 <="))
    check_played(MIDDLE, found)
    assert found.errors == ""


PROGRAMS = {
    "nothing": b"",
    "blanks": b"  ",
    "an unknown fact": b"@* looks_good",
    "an unknown label": b"@Q line",
    "an empty label": b"@",
    "an empty chain": b"~",
    "a chain label that is none": b"~Q size",
    "a label left over": b"@*",
    "a fact without its label": b"line",
    "a fact with one label too many": b"@* @* line",
    "a fact of two chains with one": b"~A shared_liberties",
    "an operator without operands": b"+",
    "an operator with one operand": b"1 +",
    "not of nothing": b"not",
    "neg of nothing": b"neg",
    "a fraction": b"1.5",
    "a word": b"maybe",
    "Python": b"__import__('os').getpid()",
    "two dots": b"..",
    "a huge number": b"9" * 5000 + b" x",
    "an infinite number": b"inf",
    "NUL": b"\0",
}


@pytest.mark.parametrize("where", ["points", "when"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_cannot_run(play, name, where):
    program = PROGRAMS[name]
    data = anywhere(program, b"") if where == "points" else anywhere(b"0", program)
    found = play(data)
    check_played(MIDDLE, found)
    if name not in ("nothing", "blanks") or where == "points":
        assert found.errors.startswith("my_player3: the engine failed (") and found.errors.count("\n") == 1


@pytest.mark.parametrize("table", [b"13 1/4/2", b"13 7/4 5/2 3", b" ", b"13 1/4 5", b"x 1/4 5/2 3", b"1/4/2/9"])
def test_tables_that_cannot_be_read(play, table):
    found = play(anywhere(b"0", b"", table))
    check_played(MIDDLE, found)
    assert found.errors.startswith("my_player3: the engine failed (") and found.errors.count("\n") == 1


def test_a_table_is_read_without_a_word(play):
    found = play(anywhere(b"0", b"@* line 2 <=", b"13 1/4 5/2 3"))
    check_played(MIDDLE, found)
    assert found.errors == ""


@pytest.mark.parametrize("error", [ValueError("odd"), RecursionError("too deep"), MemoryError(), ZeroDivisionError()])
def test_facts_that_raise(play, monkeypatch, error):
    def fail(state, move, point):
        raise error

    monkeypatch.setattr(FACTS["line"], "function", fail)
    for given in (MIDDLE, SECOND, KO):
        found = play(anywhere(b"0", b"@* line"), given)
        check_played(given, found)
        assert type(error).__name__ in found.errors and found.errors.count("\n") == 1


def recurse(state, move, point):
    return recurse(state, move, point)


def test_a_fact_that_recurses_for_ever(play, monkeypatch):
    monkeypatch.setattr(FACTS["line"], "function", recurse)
    found = play(anywhere(b"0", b"@* line"))
    check_played(MIDDLE, found)
    assert "RecursionError" in found.errors


@pytest.mark.parametrize("points", [b"-" + b"9" * 400, b"9" * 400, b"9999999 9999999 * 9999999 *", b"1 2 3"])
def test_extreme_points_are_still_legal_moves(play, points):
    for given in GOOD.values():
        check_played(given, play(anywhere(points, b""), given), may_pass=True)


@pytest.mark.parametrize("flags", [b"f", b"s", b"p", b"r", b"fsp", b"zzz", b""])
def test_forged_flags_are_still_legal_moves(play, flags):
    line = (EVERYWHERE % (b"0", b"", b"")).replace(b"\t-\t", b"\t" + flags + b"\t")
    _, *rest = anywhere(b"0", b"").partition(b"\n")[2].split(b"\n")
    for given in GOOD.values():
        check_played(given, play(sealed(b"\n".join([line, *rest]), f5=b"1"), given), may_pass=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_changes_with_a_right_checksum(play, seed):
    """A turn with a forged file plays a legal move or passes, and prints at most one line."""
    rng = random.Random(seed)
    body = bytearray(BODY)
    end = len(b"\n".join(LINES[:COUNT])) if seed % 2 else len(body)
    for _ in range(rng.choice((1, 3, 10))):
        body[rng.randrange(end)] ^= 1 << rng.randrange(8)
    given = rng.choice(list(GOOD.values()))
    found = play(sealed(bytes(body)), given)
    check_played(given, found, may_pass=True)
    assert found.errors.count("\n") <= 1


def test_bytes_give_the_book_of_the_file_and_errors_by_the_name_given():
    book, other = load(str(PATTERNS), LITTLE_GO), load_bytes(DATA, "a.txt", LITTLE_GO)
    assert [one.id for one in other.patterns] == [one.id for one in book.patterns] and other.starts == book.starts
    with pytest.raises(PatternFileError, match="^a.txt: the checksum is wrong"):
        load_bytes(DATA[:-10], "a.txt")
