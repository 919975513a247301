"""Tests that the engine finds overrides in every orientation, obeys them, and survives damaged files."""

from __future__ import annotations

import itertools
import random
from io import BytesIO

import pytest
from boards import position
from knowledge_files import book
from override_files import Asked, override, situations, some_overrides
from small_books import book as small_book
from small_books import pattern

from littlego.knowledge.overrides import to_bytes
from littlego.rules.engine import canonical, decide
from littlego.rules.geometry import image_of, symmetry_tables
from littlego.rules.overrides import LETTERS, RECORD, VERSION, check_of, find, letters_of, read_header
from littlego.rules.position import PASS, WHITE, Position
from littlego.rules.positionkey import PASS_POINT, pack_state
from littlego.rules.ruleset import LITTLE_GO

TABLES = symmetry_tables(5)
POSITIONS = situations(1_100, 1)
ABSENT = dict(list(POSITIONS.items())[1_000:])
MOVES = {code: move for code, move in some_overrides(1_100, 1).items() if code not in ABSENT}

CORNER_ROWS = """
    . . . . .
    . X O . .
    . X O . .
    . . . . .
    . . . . .
    """
CORNER = position(CORNER_ROWS)
SAME_TURNED = position(
    """
    . . . . .
    . . . . .
    . O O . .
    . X X . .
    . . . . .
    """
)


def turned(before: Position, table) -> Position:
    masks = [image_of(mask, table) for mask in (before.black, before.white, before.ko)]
    return Position(LITTLE_GO, masks[0], masks[1], before.colour, masks[2], before.passed, before.left)


# -- finding the record ----------------------------------------------------------------------------------------------


def test_every_record_of_many_is_found_and_no_other():
    """The answers for 10,000 random keys and as many missing keys equal a dict's answers."""
    rng = random.Random(1)
    keys = sorted({letters_of(rng.getrandbits(61)) for _ in range(10_000)})
    moves = {key: rng.randrange(26) for key in keys}
    file = BytesIO(sealed(*(record(key, move) for key, move in moves.items())))
    for key, move in moves.items():
        assert find(file, key) == (PASS if move == PASS_POINT else move)
    between = [key[:-1] + bytes([LETTERS[(LETTERS.index(key[-1]) + 1) % 64]]) for key in keys]
    for absent in [letters_of(0), letters_of((1 << 61) - 1), *between]:
        assert (find(file, absent) is None) == (absent not in moves)


def test_every_position_is_found_and_no_other():
    asked = Asked(MOVES)
    for code, before in POSITIONS.items():
        assert asked.move_for(before) == MOVES.get(code)
    assert asked.said == [] and len(MOVES) == 1_000


@pytest.mark.parametrize("number", [0, 1, 2, 3, 14, 15, 16])
def test_small_files_from_the_first_record_to_the_last(number):
    few = dict(list(MOVES.items())[:number])
    asked = Asked(few)
    assert [asked.move_for(POSITIONS[code]) for code in few] == list(few.values())
    assert all(asked.move_for(before) is None for before in ABSENT.values())
    assert asked.said == []


def test_a_turn_reads_few_records():
    reads = []

    class Counting:
        def __init__(self, file):
            self.file = file

        def seek(self, *where):
            return self.file.seek(*where)

        def read(self, size):
            reads.append(size)
            return self.file.read(size)

    asked = Asked(MOVES)
    asked.overrides.file = Counting(asked.overrides.file)
    for code in random.Random(1).sample(sorted(MOVES), 100):
        reads.clear()
        assert asked.move_for(POSITIONS[code]) == MOVES[code]
        assert len(reads) <= 1 + 10 and sum(reads) <= 80 + 10 * RECORD


def test_keys_sort_as_their_numbers_do():
    rng = random.Random(1)
    codes = sorted([0, 1, 63, 64, (1 << 61) - 1, *(rng.getrandbits(61) for _ in range(200))])
    keys = [letters_of(code) for code in codes]
    assert keys == sorted(keys) and len(set(keys)) == len(set(codes))
    assert len(set(LETTERS)) == 64 and all(len(key) == 11 for key in keys)


def test_all_that_decides_is_in_the_key():
    empty = ". . . . .\n"
    different = [
        position(5 * empty),
        position(5 * empty, left=8),
        position(5 * empty, left=9, colour=WHITE),
        position(5 * empty, passed=True),
        position("k . . . .\n" + 4 * empty),
        position("X . . . .\n" + 4 * empty),
        position("O . . . .\n" + 4 * empty),
        position("O . . . .\n" + 4 * empty, left=9, colour=WHITE),
    ]
    assert len({pack_state(canonical(before)[1]) for before in different}) == len(different)


def test_a_colour_that_cannot_be_to_move_has_no_override():
    """With an even number of moves left, Black is to move in a game, but a drawn position may differ."""
    overrides = by((CORNER, PASS))
    assert decide(CORNER, book(), overrides=overrides).move == PASS
    assert decide(position(CORNER_ROWS, colour=WHITE), book(), overrides=overrides).overruled is None


# -- the engine's use of an override ---------------------------------------------------------------------------------


def by(*given: tuple[Position, int]):
    """Return Overrides with these moves for these positions."""
    return Asked(dict(override(*one) for one in given)).overrides


def test_an_override_overrules_the_patterns():
    alone = decide(CORNER, book())
    move = next(move for move in range(25) if CORNER.legal() >> move & 1 and move != alone.move)
    made = decide(CORNER, book(), overrides=by((CORNER, move)))
    assert made.move == move == made.chosen.move and made.candidates[0] is made.chosen
    assert made.overruled.move == alone.move
    assert made.chosen.verdict is not None
    scores = {one.move: (one.priority, one.points, one.specificity) for one in decide(CORNER, book(), True).candidates}
    assert all(scores[one.move] == (one.priority, one.points, one.specificity) for one in made.candidates)


def test_an_override_may_pass_and_may_defy_the_safety_check():
    assert decide(CORNER, book(), overrides=by((CORNER, PASS))).move == PASS
    in_atari = position(
        """
        . O . . .
        O . O . .
        . . . . .
        . . . . .
        . . . . .
        """
    )
    made = decide(in_atari, book(), True, by((in_atari, 6)))
    assert made.move == 6 and made.chosen.veto


def test_an_override_that_agrees_changes_nothing():
    alone = decide(CORNER, book(), complete=True)
    made = decide(CORNER, book(), True, by((CORNER, alone.move)))
    assert made.overruled is None and [one.move for one in made.candidates] == [one.move for one in alone.candidates]


def test_another_position_is_left_to_the_patterns():
    overrides = Asked(MOVES).overrides
    for before in list(ABSENT.values())[:20]:
        made = decide(before, book(), overrides=overrides)
        assert made.overruled is None and made.move == decide(before, book()).move


def test_with_two_moves_left_no_override_is_asked():
    assert decide(position(CORNER_ROWS, left=2), book(), overrides=NotToBeAsked()).overruled is None


class NotToBeAsked:
    def move_for(self, state):
        raise AssertionError("asked")


@pytest.mark.untraced
def test_a_turned_position_gets_the_turned_move():
    rng = random.Random(3)
    few = small_book(pattern("anywhere", "*"))
    for before in rng.sample(list(POSITIONS.values()), 60):
        legal = [move for move in range(25) if before.legal() >> move & 1] or [PASS]
        move = rng.choice(legal)
        overrides = by((before, move))
        for table in TABLES:
            there = turned(before, table)
            found = decide(there, few, overrides=overrides).move
            masks = there.black, there.white, there.ko
            same = [one for one in TABLES if tuple(image_of(mask, one) for mask in masks) == masks]
            expected = PASS if move == PASS else table[move]
            assert found in {PASS if move == PASS else one[expected] for one in same}


def test_a_drawn_board_and_its_image():
    overrides = by((CORNER, 17))  # 17 is 3,2, on the centre side of the opposing pair of stones
    assert decide(CORNER, book(), overrides=overrides).move == 17
    assert decide(SAME_TURNED, book(), overrides=overrides).move == 13


# -- damage ----------------------------------------------------------------------------------------------------------

FEW = dict(sorted(MOVES.items())[100:103])
DATA = to_bytes(FEW)
START = DATA.index(b"\n") + 1


def answers(data: bytes) -> tuple[list, list[str]]:
    """Return a file's answers for the positions in FEW, and its complaints; each move must be legal."""
    asked = Asked(data)
    found = [asked.move_for(POSITIONS[code]) for code in FEW]
    for code, move in zip(FEW, found, strict=True):
        table, _ = canonical(POSITIONS[code])
        assert move in (None, PASS_POINT) or image_of(POSITIONS[code].legal(), table) >> move & 1
    assert all("\n" not in line and line.endswith("; playing without it") for line in asked.said)
    return found, asked.said


def test_an_undamaged_file():
    assert answers(DATA) == (list(FEW.values()), [])


def test_cut_off_anywhere_it_is_not_used():
    for length in range(len(DATA)):
        found, said = answers(DATA[:length])
        assert found == [None] * 3 and len(said) == 3, length


@pytest.mark.untraced
def test_one_wrong_byte_anywhere_never_gives_another_move():
    for index in range(len(DATA)):
        for byte in {*range(0, 256, 15), DATA[index] ^ 1, DATA[index] ^ 32, DATA[index] ^ 128} - {DATA[index]}:
            found, said = answers(DATA[:index] + bytes([byte]) + DATA[index + 1 :])
            assert all(move in (None, right) for move, right in zip(found, FEW.values(), strict=True)), (index, byte)
            # a turn does not read the whole file, so it cannot check the checksum
            in_checksum = START - 9 <= index < START - 1
            assert in_checksum or (None in found and (said or byte not in LETTERS)), (index, byte)


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"littlego-patterns 1 little-go 0 0 0 5\n", bytes(range(256)) * 60, b"\0" * 100_000, b"z" * 100_000],
)
def test_something_else_is_not_used(data):
    found, said = answers(data)
    assert found == [None] * 3 and "line 1 is not a header" in said[0]


def record(key: bytes, move: int) -> bytes:
    """Return the record of a key and a move, with 25 for a pass."""
    entry = key + bytes([ord("a") + move])
    return entry + bytes([check_of(entry), 10])


def sealed(*records: bytes, **header) -> bytes:
    """Return a file of these records. header: changed header fields. The checksum is 0: a turn does not check it."""
    fields = {"version": VERSION, "ruleset": "little-go", "count": len(records), **header}
    return "littlego-overrides {version} {ruleset} {count} 00000000\n".format(**fields).encode() + b"".join(records)


RECORDS = [DATA[START + RECORD * n : START + RECORD * (n + 1)] for n in range(3)]


def test_records_out_of_order_hide_each_other_at_worst():
    one, two, three = RECORDS
    for wrong in itertools.product(RECORDS, repeat=3):
        found, said = answers(sealed(*wrong))
        assert wrong == (one, two, three) or None in found
        assert all(move in (None, right) for move, right in zip(found, FEW.values(), strict=True))
    # the bisection for one of the three positions notices the wrong order
    for wrong in ([three, two, one], [two, two, two]):
        assert any("out of order" in line for line in answers(sealed(*wrong))[1])


@pytest.mark.parametrize("header", [{"version": 2}, {"ruleset": "little-go-7"}, {"count": 4}, {"count": "9" * 50}])
def test_a_foreign_header_is_refused(header):
    found, said = answers(sealed(*RECORDS, **header))
    assert found == [None] * 3 and len(said) == 3


def test_an_illegal_move_is_not_played():
    [code] = [code for code, before in POSITIONS.items() if before.black][:1]
    before = POSITIONS[code]
    _, state = canonical(before)
    stone = next(point for point in range(25) if (state.own | state.theirs) >> point & 1)
    asked = Asked(sealed(record(letters_of(code), stone)))
    assert asked.move_for(before) is None and "the recorded move is illegal" in asked.said[0]


def test_the_header_of_a_good_file():
    assert read_header(Asked(DATA).overrides.file)[:2] == (START, 3)
