"""Tests that the committed certificates match the current sources, patterns and overrides."""

from __future__ import annotations

import json

import numpy as np
import pytest

from littlego.cache import ROOT
from littlego.knowledge.files import Knowledge, read_knowledge
from littlego.knowledge.overrides import read
from littlego.knowledge.stale import Player
from littlego.rules.positionkey import unpack
from littlego.truth.proof.certificate import Report, certificate_of, decisions_name, player_of
from littlego.truth.proof.proving import format_first_moves
from littlego.truth.proof.walk import NOTHING, roots_of

PARTS = {
    "rules": "the meaning of the sources in rules/",
    "patterns": "patterns.txt",
    "overrides": "overrides.txt",
}


@pytest.mark.parametrize("colour", ["black", "white"])
def test_the_committed_certificates_are_about_the_player_of_today(colour):
    path = certificate_of(colour)
    certificate = json.loads(path.read_bytes())
    player = player_of(read_knowledge(str(ROOT / "patterns.txt")), read(ROOT / "overrides.txt"))
    changed = [PARTS[name] for name, digest in player._asdict().items() if certificate["player"][name] != digest]
    assert not changed, (
        f"{' and '.join(changed)} changed since docs/proof/{path.name} was made and no longer proves the current "
        f"player: run `littlego prove {colour} --certificate docs/proof/{path.name}`"
    )
    assert certificate["proved"] and certificate["complete"] and certificate["failures"] == 0
    assert certificate["colour"] == colour


def test_white_is_said_to_win_after_every_first_move_but_the_centre():
    rows = json.loads(certificate_of("white").read_bytes())["first_moves"]
    assert {row["move"]: row["won"] for row in rows} == {
        **dict.fromkeys(["0,0", "0,1", "0,2", "1,1", "1,2"], True),
        "2,2": False,
    }


def report_of(colour: str, lost: int | None = None) -> Report:
    """Return the report of a walk that has only roots. lost: the point of the first move after which White loses."""
    roots = roots_of(colour)
    size = roots.size
    layer = NOTHING._replace(
        codes=roots,
        moves=np.zeros(size, dtype=np.int8),
        deciders=np.zeros(size, dtype=np.int16),
        won=np.array([unpack(int(code)).theirs != 1 << (lost or 0) for code in roots]),
    )
    return Report(colour, Player("", "", ""), roots.tolist(), None, [layer], False)


def test_as_white_it_says_after_which_first_moves_white_wins():
    report = report_of("white", lost=12)
    rows = report.certificate()["first_moves"]
    assert [row["move"] for row in rows] == ["0,0", "0,1", "0,2", "1,1", "1,2", "2,2"]
    assert [row["won"] for row in rows] == [True] * 5 + [False]
    assert format_first_moves(report).startswith(
        "White wins after 0,0, 0,1, 0,2, 1,1, 1,2, and after 2,2 if Black errs"
    )


def test_as_black_there_are_no_first_moves_of_the_other_side():
    assert report_of("black").certificate()["first_moves"] == []


def test_the_mark_of_a_rare_pattern_does_not_change_the_name_of_cached_decisions():
    line = "fill\tshape\t500\t1\tFLAGS\t*\t\t7\t\t\tFill."
    plain, rare = (Knowledge("mine.yaml", (line.replace("FLAGS", flags),), {}) for flags in ("-", "r"))
    assert decisions_name(plain) == decisions_name(rare)
