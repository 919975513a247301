"""Tests of the walk of a Black player without a move count, compared with rules.uncounted."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from override_files import situations, some_overrides
from random_boards import games
from slow_walk import Truth
from small_proofs import Files

from littlego.knowledge.files import read_knowledge
from littlego.knowledge.overrides import to_bytes
from littlego.rules import turn
from littlego.rules.overrides import Overrides
from littlego.rules.position import BLACK
from littlego.rules.positionkey import pack, pack_fields, pack_move, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.uncounted import decide_uncounted
from littlego.truth.labels.decider import Decider
from littlego.truth.proof import uncounted
from littlego.truth.proof.uncounted import decide_many, most_by_stones, most_left, with_left

LENGTH = LITTLE_GO.length


@settings(max_examples=40, deadline=None)
@given(games(longest=LENGTH))
def test_what_a_position_shows_is_no_more_than_what_the_boards_show(game):
    _, _, positions = game
    for before, now in zip(positions, positions[1:], strict=False):
        if now.colour != BLACK or not now.left:
            continue
        boards = (before.black, before.white), (now.black, now.white)
        lefts = [LENGTH - made for made in turn.moves_made(BLACK, *boards, {}, LENGTH)]
        codes = np.array([pack_fields(now.black, now.white, now.ko, int(now.passed), now.left)])
        assert now.left in lefts and lefts[0] <= most_left(codes)[0] <= most_by_stones(codes)[0]
        taken = (before.black & ~now.black).bit_count()
        if (not taken or now.ko) and now.black | now.white:
            assert lefts[0] == most_left(codes)[0]


def test_stones_that_the_last_move_took_in_a_ko_are_counted():
    for position in situations(3000, 5).values():
        if position.colour == BLACK and position.ko:
            codes = np.array([pack(position)])
            black, white = position.black.bit_count() + 1, position.white.bit_count() - 1
            expected = max(2 * black - 1, 2 * white, 2 * (black - 1) - 1, 2 * (white + 1))
            assert LENGTH - most_left(codes)[0] >= expected - 1


@pytest.fixture(scope="module")
def knowledge():
    return read_knowledge("patterns.txt")


def test_codes_are_decided_as_rules_decide_them(knowledge):
    """The numbers of moves left vary, and many positions have an override."""
    codes = np.array([code for code in sorted(situations(2500, 8)) if code >> 56 in (4, 6, 8, 10)][::2])
    overrides = {code: move for code, move in some_overrides(2500, 8).items() if code % 3 == 0 and code >> 56 < 10}
    decider = Decider(knowledge.book, overrides)
    records = Overrides(BytesIO(to_bytes(overrides)), "overrides", pytest.fail)
    most = np.maximum((codes >> 56) + 2 * (codes % 3) - 2, 4)
    moves = decide_many(codes, most, decider.decide(with_left(codes, most))[0], decider)
    for code, left, move in zip(codes.tolist(), most.tolist(), moves.tolist(), strict=True):
        positions = [unpack(int(with_left(np.array([code]), number)[0])) for number in range(left, 0, -2)]
        assert pack_move(decide_uncounted(positions, knowledge.book, overrides=records).move) == move


def test_the_walk_is_judged_as_games_played_out(files, monkeypatch, capsys):
    certificate = files.proved()
    monkeypatch.setattr(uncounted, "certificate_of", lambda colour: files.certificate)
    capsys.readouterr()
    where = files.folder / "found.json"
    assert files.run("dev", "uncounted", "--overrides", files.overrides, "--json", where) == 0
    rows = json.loads(where.read_text())["layers"]
    assert [(row["left"], row["positions"]) for row in rows[:2]] == [
        (layer["left"], layer["positions"]) for layer in certificate["layers"]
    ]
    assert [row["left"] for row in rows] == [6, 4, 2]
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Without the move count, the player gives {sum(row['given_away'] for row in rows)} wins away" in shown
    truth, records = Truth(), Overrides(files.overrides.open("rb"), "overrides", pytest.fail)
    for row in rows[:2]:
        assert row["given_away"] == count_given_away(files, row["left"], truth, records)


def count_given_away(files: Files, left: int, truth: Truth, records: Overrides) -> int:
    """Return the number of wins that rules.uncounted gives away in a stored layer."""
    path = next(
        path
        for path in files.walks.glob(f"walks/*/layer-{left:02}.npz")
        if json.loads((path.parent / "certificate.json").read_text())["proved"]
    )
    with np.load(path) as layer:
        codes = layer["codes"]
    book = read_knowledge(str(files.patterns)).book
    given_away = 0
    for code, most in zip(codes.tolist(), most_left(codes).tolist(), strict=True):
        positions = [unpack(int(with_left(np.array([code]), number)[0])) for number in range(most, 0, -2)]
        move = decide_uncounted(positions, book, overrides=records).move
        position = unpack(code)
        given_away += truth.wins(position) and not truth.keeps(position, move)
    return given_away


def test_a_walk_that_is_not_the_certificates_is_refused(files, monkeypatch, capsys):
    files.proved()
    monkeypatch.setattr(uncounted, "certificate_of", lambda colour: files.certificate)
    capsys.readouterr()
    assert files.run("dev", "uncounted") == 2  # without the overrides
    assert "run `littlego prove black` first" in capsys.readouterr().err
