"""Tests of overrides.txt as a whole: round trips, and a report of every error in the file."""

from __future__ import annotations

import os
import random
from binascii import crc32

import pytest
from boards import position
from drawn_patterns import FILE
from override_files import override, some_overrides

from littlego.cli.main import main
from littlego.knowledge.overrides import NAME, fault_of, read, to_bytes
from littlego.rules.overrides import OverridesError
from littlego.rules.position import PASS, WHITE
from littlego.rules.positionkey import unpack

MOVES = some_overrides(300, 5)
FEW = dict(sorted(MOVES.items())[:3])
DATA = to_bytes(FEW)
BODY = DATA.partition(b"\n")[2]


@pytest.fixture
def path(tmp_path):
    return tmp_path / NAME


def sealed(body: bytes, count: int) -> bytes:
    return b"littlego-overrides 1 little-go %d %08x\n" % (count, crc32(body)) + body


def refused(path, data: bytes) -> str:
    """Assert that the file cannot be read, and return the reason."""
    path.write_bytes(data)
    with pytest.raises(OverridesError) as raised:
        read(path)
    return str(raised.value)


def test_what_is_written_is_read_back_in_order(path):
    path.write_bytes(to_bytes(MOVES))
    found = read(path)
    assert found == MOVES and list(found) == sorted(MOVES)
    assert path.stat().st_size < 60 + 14 * len(MOVES)


def test_no_overrides_are_a_file_too(path):
    path.write_bytes(to_bytes({}))
    assert read(path) == {}


def test_the_same_bytes_in_any_order():
    shuffled = list(MOVES.items())
    random.Random(1).shuffle(shuffled)
    assert to_bytes(dict(shuffled)) == to_bytes(MOVES)


def test_it_is_text_with_a_record_a_line():
    lines = to_bytes(MOVES).decode("ascii").splitlines()
    assert len(lines) == 1 + len(MOVES) and lines[1:] == sorted(lines[1:])
    assert {len(line) for line in lines[1:]} == {13} and all(line.isprintable() for line in lines)


EMPTY = ". . . . .\n"


@pytest.mark.parametrize(
    ("before", "move", "why"),
    [
        (position(5 * EMPTY, left=2), 12, "two moves left"),
        (position(5 * EMPTY, left=1, colour=WHITE), PASS, "two moves left"),
        (position(5 * EMPTY, left=26), 12, "no position"),
        (position("X . . . .\n" + 4 * EMPTY), 0, "illegal"),
        (position("k . . . .\n" + 4 * EMPTY), 0, "illegal"),
        (position(". O . . .\nO . . . .\n" + 3 * EMPTY), 0, "illegal"),
    ],
)
def test_what_no_turn_could_ask_for_is_not_written(before, move, why):
    code, move = override(before, move)
    with pytest.raises(ValueError, match=why):
        to_bytes({code: move})


@pytest.mark.parametrize("code", [-1, 0, 1 << 61, 10 << 56 | 1 << 25 | 1, 10 << 56 | 26 << 50])
def test_codes_that_no_position_has(code):
    assert fault_of(code, 25)


@pytest.mark.parametrize("move", [-1, 26, 99])
def test_moves_that_are_none(move):
    assert fault_of(10 << 56, move) and not fault_of(10 << 56, 25)


def test_codes_name_their_positions():
    for code in MOVES:
        assert override(unpack(code), PASS)[0] == code


# -- damage ----------------------------------------------------------------------------------------------------------


def test_cut_off_anywhere(path):
    for length in range(len(DATA)):
        assert refused(path, DATA[:length])


def test_one_wrong_byte_anywhere(path):
    for index in range(len(DATA)):
        for flip in (1, 4, 128):
            data = bytearray(DATA)
            data[index] ^= flip
            assert refused(path, bytes(data))


def test_wrong_records_under_a_right_checksum(path):
    one, two, three = (BODY[start : start + 14] for start in (0, 14, 28))
    assert read_of(path, sealed(BODY, 3)) == FEW
    assert "record 2: out of order" in refused(path, sealed(two + one + three, 3))
    assert "record 2: out of order" in refused(path, sealed(one + one, 2))
    assert "expected" in refused(path, sealed(BODY, 2))
    assert "record 1 is damaged" in refused(path, sealed(one[:11] + b"A" + one[12:], 1))
    assert "record 1 is damaged" in refused(path, sealed(one[:12] + b"~\n", 1))
    assert "version 2" in refused(path, DATA.replace(b" 1 ", b" 2 ", 1))
    assert "little-go-7" in refused(path, DATA.replace(b"little-go", b"little-go-7", 1))
    assert "not a header" in refused(path, b"something else\n" + DATA)


def read_of(path, data: bytes) -> dict[int, int]:
    path.write_bytes(data)
    return read(path)


def test_a_pipe_is_not_waited_for(path):
    os.mkfifo(path)
    with pytest.raises(OverridesError, match="not a regular file"):
        read(path)


# -- compile --check -------------------------------------------------------------------------------------------------


@pytest.fixture
def compiled(tmp_path):
    """Return a function that runs `compile` on a compiled file with options such as --check."""
    source = tmp_path / "patterns.yaml"
    source.write_text(FILE, encoding="utf-8")

    def run(*words) -> int:
        return main(["compile", str(source), *words])

    assert run() == 0
    return run


def test_check_looks_through_the_overrides(compiled, path, capsys):
    assert compiled("--check") == 0 and NAME not in capsys.readouterr().out
    path.write_bytes(DATA)
    assert compiled("--check") == 0
    assert f"{NAME} is valid: 3 overrides\n" in capsys.readouterr().out
    path.write_bytes(DATA[:-1])
    assert compiled("--check") == 1
    said = capsys.readouterr()
    assert "patterns.txt is up to date" in said.out and f"{NAME} is damaged (the checksum does not match" in said.err
    assert said.err.count("\n") == 1


def test_compile_leaves_the_overrides_alone(compiled, path):
    path.write_bytes(DATA[:-1])
    assert compiled() == 0 and path.read_bytes() == DATA[:-1]
