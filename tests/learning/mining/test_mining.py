"""Tests of mining: a planted rule is found, the test part stays unseen, and runs are reproducible."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from mined_games import PATTERNS, PLANTED, codes, knowledge, planted

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.engines.compiled.engine import compile_book, decide_many, fired_many
from littlego.engines.compiled.states import TABLES, code_of, image, parts
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import book_of_lines
from littlego.knowledge.parts import part_of
from littlego.knowledge.textfile import pattern_line
from littlego.learning.mining import limits, proposals
from littlego.learning.mining.changes import Change, Edited
from littlego.learning.mining.limits import Limit
from littlego.learning.mining.proposals import HEADER, Mine, compile_entry, fired_rows
from littlego.learning.mining.rules import FACT, POINTS, SPEAKS, Features
from littlego.learning.mining.table import effects, table_of
from littlego.rules.positionkey import pack
from littlego.truth.labels.labels import Labels, in_test, save
from littlego.truth.labels.positions import at_stake, held_out, load_positions


@pytest.fixture(scope="module")
def found():
    """Return a Mine that has finished its search of the planted labels."""
    mine = Mine(planted(), knowledge(), 0, None, ())
    for _ in mine.search.run(Limit()):
        pass
    return mine


def test_the_planted_rule_is_found(found):
    best = found.proposals(3)[0]
    for table, tally in ((found.grown, best.grown), (found.held, best.held)):
        fired = Features(table).fired(PLANTED)
        assert (fired_rows(table, compile_entry(best.text)) == fired).all()
        assert tally.right == tally.positions == np.unique(table.position[fired]).size
        [changed] = effects(table, fired, SPEAKS, POINTS[-1:], 4)
        assert tally.gain >= np.count_nonzero(changed) > 12
    assert best.bound == pytest.approx(0.05 ** (1 / best.held.positions))


def test_proposals_are_yaml_that_compiles_and_whose_examples_hold(found):
    mined = found.proposals(3)
    text = HEADER + "\n".join(one.as_yaml() for one in mined) + "\n"
    data, problems, base = compile_text(text, "mined.yaml")
    assert data and not problems
    assert [pattern.id for pattern in base.patterns] == [one.id for one in mined]
    for pattern in base.patterns:
        assert sum(example.must_fire for example in pattern.examples) >= 2
        assert not all(example.must_fire for example in pattern.examples)


def test_examples_come_from_the_positions_searched(found):
    known = set(found.grown.codes.tolist())
    for one in found.proposals(3):
        for example in compile_entry(one.text).examples:
            assert pack(example.position()) in known


def test_the_gain_is_what_the_player_does_with_the_pattern(found):
    best = found.proposals(1)[0]
    data, _, base = compile_text(HEADER + best.text + "\n", "mined.yaml")
    book = book_of_lines((*knowledge().lines, pattern_line(base.patterns[0])))
    gain = 0
    for table in (found.grown, found.held):
        moves, _ = decide_many(table.codes, compile_book(book))
        gain += int((table.winning >> moves & 1).sum() - table.wins[table.chosen].sum())
    assert gain == best.gain


def test_both_parts_are_apart_and_nothing_of_the_test_part_is_in_them(found):
    grown, held = found.grown.codes, found.held.codes
    assert not np.intersect1d(grown, held).size
    assert not held_out(grown).any() and held_out(held).all()
    assert not in_test(np.concatenate([grown, held, found.others.codes])).any()
    stake = at_stake(planted().codes, planted().winning)
    assert grown.size + held.size == stake.sum() and 0.2 < held.size / stake.sum() < 0.5


def test_a_position_of_the_test_part_is_refused():
    some = codes()[in_test(codes())][:3]
    with pytest.raises(ValueError, match="test part"):
        table_of(some, np.ones(3, np.int32), knowledge().book)


def test_labels_of_the_test_part_make_no_difference(tmp_path):
    test = codes()[in_test(codes())]
    seen = []
    for number, mask in enumerate((0, 1, 0b10110)):
        winning = np.concatenate([planted().winning, np.full(test.size, mask, np.int32)])
        every = np.concatenate([planted().codes, test])
        order = np.argsort(every)
        path = tmp_path / f"{number}.npz"
        save(Labels(every[order], winning[order], np.ones(every.size, np.uint8)), path)
        found = load_positions(path)
        seen.append((found.codes.tolist(), found.winning.tolist()))
    assert seen[0] == seen[1] == seen[2] == (planted().codes.tolist(), planted().winning.tolist())


def test_failures_of_a_proof_are_learnt_from_but_not_those_of_the_test_part(tmp_path):
    labels = tmp_path / "labels.npz"
    save(planted().where(np.arange(planted().codes.size) < 5), labels)
    some = codes()[-40:]
    turned = [_turned(int(code), 5) for code in some]
    masks = [1 << TABLES[5][7] | 1 << 25 for _ in some]
    failed = [{"code": code, "winning": mask} for code, mask in zip(turned, masks, strict=True)]
    (tmp_path / "failed.json").write_text(json.dumps({"failed": failed}))
    np.savez(tmp_path / "failed.npz", codes=np.array(turned), winning=np.array(masks))
    wanted = set(some[~in_test(some)].tolist())
    for name in ("failed.json", "failed.npz"):
        found = load_positions(labels, [tmp_path / name])
        assert set(found.codes.tolist()) == wanted | set(planted().codes[:5].tolist())
        assert {int(found.winning[found.codes == code][0]) for code in wanted} == {1 << 7 | 1 << 25}


def _turned(code, symmetry):
    own, theirs, ko, passed, left = parts(code)
    return int(code_of(*(image(mask, symmetry) for mask in (own, theirs, ko)), passed, left))


@pytest.mark.parametrize("text", ["{", "[1]", '{"failed": [{"code": 1}]}', '[{"code": "x", "winning": 1}]'])
def test_damaged_positions_are_told_in_a_line(tmp_path, text):
    labels = tmp_path / "labels.npz"
    save(planted(), labels)
    (tmp_path / "failed.json").write_text(text)
    with pytest.raises(ArgumentError) as caught:
        load_positions(labels, [tmp_path / "failed.json"])
    assert "\n" not in str(caught.value) and "failed.json" in str(caught.value)


def edited_of(found, index):
    """Return an Edited of the pattern with this index in the book, on the searched positions."""
    fired = fired_many(found.grown.codes, compile_book(knowledge().book))[:, index]
    return Edited(found.search.features, knowledge().book, index, fired)


def test_edits_have_the_effect_of_the_edited_book(found):
    book = knowledge().book
    wins = found.grown.wins[found.grown.chosen]
    for index in found.changeable():
        rest = part_of(book, (other for other in range(len(book.patterns)) if other != index))
        moves, _ = decide_many(found.grown.codes, compile_book(rest))
        changed = (found.grown.winning >> moves & 1) - wins
        edited = edited_of(found, index)
        assert edited.without() == (np.count_nonzero(changed > 0), np.count_nonzero(changed < 0))
        assert edited.with_points_scaled(1.0) == edited.with_priority(book.patterns[index].priority) == (0, 0)
        assert edited.with_condition((FACT, "moves_left", ">=", 0)) == (0, 0)
        assert edited.with_condition((FACT, "moves_left", "<=", -1)) == edited.without()


def test_a_change_is_the_best_on_the_positions_searched(found):
    for change in filter(None, found.changes()):
        assert change.grown[0] > change.grown[1]


def over() -> Limit:
    """Return an expired limit."""
    limit = Limit(1)
    limit.end = 0
    return limit


def test_the_limit_ends_every_part_of_the_run_and_says_which(found):
    limit = over()
    assert list(found.search.run(limit)) == found.proposals(2, limit) == list(found.changes(limit=limit)) == []
    seeds, rules, patterns = limit.cut
    assert seeds == f"0 of {len(found.search.seeds)} seeds" and rules.startswith("0 of ")
    assert patterns == f"0 of {len(found.changeable())} patterns to change"
    assert limit.describe().startswith("Ended by --time-limit 1") and all(
        line in limit.describe() for line in limit.cut
    )
    assert Limit().describe() == "" and found.proposals(2, Limit(1000)) == found.proposals(2)


def test_what_harms_where_it_was_held_out_is_no_proposal(found, monkeypatch):
    best, *_ = usual = found.proposals(3)
    real, before = Mine._propose, found.harmful

    def harming(mine, mined, number, confidence):
        one = real(mine, mined, number, confidence)
        return replace(one, held=replace(one.held, spoilt=one.held.fixed + 1)) if one.id == best.id else one

    monkeypatch.setattr(Mine, "_propose", harming)
    assert found.proposals(3) == [one for one in usual if one.id != best.id]
    assert found.harmful == before + 1


def test_a_change_that_harms_where_it_was_held_out_is_none(found, monkeypatch):
    changed = Change("some", "leave it out", (5, 0), (1, 2))
    before = found.harmful
    monkeypatch.setattr(proposals, "best_change", lambda pattern, edited, held: changed)
    assert set(found.changes()) == {None} and found.harmful == before + len(found.changeable())
    monkeypatch.setattr(proposals, "best_change", lambda pattern, edited, held: replace(changed, held=(2, 2)))
    assert None not in set(found.changes())


def test_the_command_says_what_it_limited_and_what_it_left_out(tmp_path, capsys, monkeypatch):
    labels = tmp_path / "labels.npz"
    save(planted(), labels)
    monkeypatch.setattr(limits, "Limit", lambda seconds: over())
    command = ["dev", "mine", "--patterns", PATTERNS, "--labels", str(labels), "--time-limit", "1"]
    assert main([*command, "--json", str(tmp_path / "mined.json")]) == 0
    assert "Ended by --time-limit 1" in " ".join(capsys.readouterr().out.split())
    value = json.loads((tmp_path / "mined.json").read_text())
    assert value["limited"][0].startswith("0 of ") and value["harmful"] == 0


def test_the_command_finds_the_same_with_the_same_seed(found, tmp_path, capsys):
    labels = tmp_path / "labels.npz"
    save(planted(), labels)
    command = ["dev", "mine", "--patterns", PATTERNS, "--labels", str(labels), "--most", "2", "--time-limit", "0"]
    assert main([*command, "--json", str(tmp_path / "mined.json")]) == 1
    shown = capsys.readouterr().out
    value = json.loads((tmp_path / "mined.json").read_text())
    assert value["proposals"] == [json.loads(json.dumps(one.as_json())) for one in found.proposals(2)]
    assert value["proposals"][0]["id"] in shown and "held out" in shown
    yaml_text = shown[shown.index("  # mined-") :]
    data, problems, _ = compile_text(HEADER + yaml_text, "mined.yaml")
    assert data and not problems
    assert main([*command, "no-such"]) == 2
    assert "no pattern `no-such`" in capsys.readouterr().err
    assert main(["dev", "mine", "--labels", str(tmp_path / "missing.npz")]) == 2
    assert "missing.npz" in capsys.readouterr().err
