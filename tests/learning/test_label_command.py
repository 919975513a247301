"""Tests of positions collected from games, and of the command `label`."""

from __future__ import annotations

import json
import random
from functools import partial

import numpy as np
import pytest
from labelled_games import winning_mask

from littlego.cache import Cache
from littlego.cli.main import main
from littlego.knowledge.files import book_of_lines
from littlego.learning import labelling as module
from littlego.learning.labelling import ANY, OURS, Met, Task, codes_met, join_met, sample_positions
from littlego.paths import REAL_GAMES
from littlego.players.roles.table import ROLES
from littlego.records.recorded_games import read_games
from littlego.rules.engine import decide
from littlego.rules.position import PASS, opening
from littlego.rules.positionkey import pack, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels import ASTRAY, CENTRE, ERRS_10, MET, PARTS, REAL, RECORDED, TEST, TREE
from littlego.truth.labels.labels import canonical_many, in_test, load, moves_left

CENTRE_POINT = 12
LINES = (
    "\t".join(
        ["centre", "opening", "900", "2", "-", "...../...../..*../...../.....", "", "10", "", "", "Begin there."]
    ),
    "\t".join(["beside", "shape", "500", "1", "-", "X*", "", "5", "", "", "Stand beside an own stone."]),
)


def task(**changes) -> Task:
    return Task(LINES, "greedy", 0.1, 0.0, 2, True, 0, 6)._replace(**changes)


@pytest.mark.parametrize("black", [True, False])
@pytest.mark.parametrize("opponent", ["greedy", OURS, ANY])
def test_games_are_played_to_the_end_and_give_our_turns(opponent, black):
    found = np.array(codes_met(task(opponent=opponent, black=black)))
    assert found.tolist() == codes_met(task(opponent=opponent, black=black))
    assert (canonical_many(found) == found).all() and (np.diff(found) > 0).all()
    assert {int(left) % 2 for left in moves_left(found)} == ({0} if black else {1})
    assert moves_left(found).min() <= 2 and moves_left(found).max() == (22 if black else 21)


def test_without_errors_our_positions_are_those_that_our_decisions_lead_to():
    found, ours = set(codes_met(task(opponent=ANY, errors=0.0, plies=0))), book_of_lines(LINES)
    seen = {canonical(opening(LITTLE_GO))}
    for code in sorted(found, reverse=True):  # most moves left first
        assert code in seen, "no earlier decision of ours leads here"
        position = unpack(code)
        move = decide(position, ours).move
        if position.ends_with(move):
            continue
        after = position.play(move)
        replies = [reply for reply in [*range(25), PASS] if reply == PASS or after.legal() >> reply & 1]
        seen.update(canonical(after.play(reply)) for reply in replies if not after.ends_with(reply))
    assert len(found) > 30 and any(unpack(code).passed for code in found - {canonical(opening(LITTLE_GO))})


def canonical(position) -> int:
    return int(canonical_many(np.array([pack(position)], dtype=np.int64))[0])


def test_our_errors_lead_elsewhere():
    straight, astray = (set(codes_met(task(our_errors=share, plies=0))) for share in (0.0, 0.5))
    second = {code for code in straight if code >> 56 == 22}
    assert all(unpack(code).black == 1 << CENTRE_POINT for code in second)
    assert any(unpack(code).black != 1 << CENTRE_POINT for code in astray if code >> 56 == 22)


def test_tags_say_where_a_position_was_met():
    assert task().tag == ERRS_10 and task(plies=0).tag == ERRS_10 | CENTRE
    assert task(plies=0, black=False).tag == ERRS_10
    assert task(our_errors=0.2).tag == ASTRAY and task(opponent=ANY, errors=0.0).tag == TREE
    met = join_met([([5, 9], 1), ([9, 7], 2)])
    assert met.codes.tolist() == [5, 7, 9] and met.tags.tolist() == [1, 2, 3]


@pytest.fixture
def few_games(tmp_path, monkeypatch):
    """Use only one role and one opening, and store results in a separate folder."""
    monkeypatch.setattr(module, "corpus_roles", lambda: [ROLES["greedy"]])
    monkeypatch.setattr(module, "OPENINGS", (2,))
    monkeypatch.setattr(module, "Cache", partial(Cache, folder=tmp_path / "cache"))
    return tmp_path / "labels.npz"


def run(path, *args) -> int:
    return main(["dev", "label", "--labels", str(path), "--games", "1", "--jobs", "1", "--memory", "0.001", *args])


def test_labels_what_was_asked_for_and_counts_it(few_games, capsys):
    assert run(few_games, "--positions", "2-3=8", "--positions", "4=4", "--json") == 0
    counted = json.loads(capsys.readouterr().out)
    labels = load(path=few_games)
    assert counted["positions"] == labels.codes.size == sum(row["positions"] for row in counted["rows"])
    assert set(moves_left(labels.codes)) == {2, 3, 4} and set(in_test(labels.codes)) == {True, False}
    for index in random.Random(4).sample(range(labels.codes.size), 15):
        assert labels.winning[index] == winning_mask(unpack(labels.codes[index]))
    assert all((labels.tags & bits).any() for bits in (MET, ASTRAY, TREE, REAL, RECORDED))
    first = few_games.read_bytes()
    assert run(few_games, "--positions", "2-3=8", "--positions", "4=4") == 0
    assert few_games.read_bytes() == first
    printed = capsys.readouterr().out
    assert f"{labels.codes.size} positions are labelled" in printed and max(map(len, printed.splitlines())) <= 80


@pytest.mark.parametrize("part", PARTS)
def test_labels_one_part_alone_where_asked(few_games, part):
    assert run(few_games, "--positions", "2-4=8") == 0
    both = load(path=few_games)
    few_games.unlink()
    assert run(few_games, "--positions", "2-4=8", "--part", part) == 0
    assert load(path=few_games).codes.tolist() == both.codes[in_test(both.codes) == (part == TEST)].tolist()


def test_positions_of_another_file_are_left_out(few_games):
    assert run(few_games, "--positions", "2-3=4") == 0
    fresh = few_games.with_name("fresh.npz")
    assert run(fresh, "--positions", "2-3=8", "--without", str(few_games)) == 0
    old, new = load(path=few_games).codes, load(path=fresh).codes
    assert new.size and not np.isin(new, old).any()


def test_real_games_are_among_the_positions(few_games):
    from littlego.knowledge.files import Knowledge

    met = module.gather_positions(Knowledge("test", LINES, {}), 1, 0, 1)
    game = read_games(REAL_GAMES)[0]
    assert {canonical(position) for position in game.positions} <= set(met.codes[met.tags & REAL != 0].tolist())
    small = sample_positions(met, {8: 4})
    assert isinstance(small, Met) and 8 <= small.codes.size < 40


@pytest.mark.parametrize("name", ["doubts.jsonl", "codes.npz"])
def test_labels_the_positions_of_a_file(few_games, name):
    source = few_games.parent / name
    codes = np.array(codes_met(task(number=1)))
    codes = codes[moves_left(codes) < 7]
    if name == "codes.npz":
        np.savez(source, codes=codes)
    else:
        source.write_text("".join(json.dumps({"code": code, "winning": None}) + "\n" for code in codes.tolist()))
    assert run(few_games, "--from", str(source)) == 0
    labels = load(path=few_games)
    assert labels.codes.tolist() == sorted(codes.tolist()) and not labels.tags.any()
    assert labels.winning[0] == winning_mask(unpack(labels.codes[0]))
    few_games.unlink()
    assert run(few_games, "--from", str(source), "--part", "working") == 0
    assert load(path=few_games).codes.tolist() == labels.codes[~in_test(labels.codes)].tolist()


@pytest.mark.parametrize("text", ["hello", '{"code": 1.5}', '{"code": -1}', '{"code": 5}', "[]"])
def test_a_file_without_positions_is_reported(few_games, capsys, text):
    source = few_games.parent / "doubts.jsonl"
    source.write_text(text)
    assert run(few_games, "--from", str(source)) == 2
    assert "doubts.jsonl" in capsys.readouterr().err and not few_games.exists()
    assert run(few_games, "--from", str(source), "--positions", "3=2") == 2


@pytest.mark.parametrize(
    "args, said",
    [
        (("--positions", "25=3"), "expected LEFT=N"),
        (("--positions", "4-2=3"), "expected LEFT=N"),
        (("--memory", "0"), "expected GiB"),
        (("--games", "0"), "x>=1"),
    ],
)
def test_arguments_that_make_no_sense(few_games, capsys, args, said):
    assert run(few_games, *args) == 2 and said in capsys.readouterr().err


def test_a_checkpoint_that_cannot_be_used_is_named_before_anything_is_labelled(few_games, capsys):
    assert run(few_games, "--checkpoint", str(few_games.parent / "none.npz"), "--positions", "3=2") == 2
    assert "none.npz" in capsys.readouterr().err and not few_games.exists()


def test_a_damaged_file_of_labels_is_left_alone(few_games, capsys):
    few_games.write_text("hello")
    assert run(few_games) == 2
    assert "is damaged" in capsys.readouterr().err and few_games.read_text() == "hello"
