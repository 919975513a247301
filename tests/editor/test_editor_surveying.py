"""Tests that coverage and sample boards equal the results of `littlego coverage`."""

from __future__ import annotations

from collections import Counter

import pytest
from studio_jobs import command_json, outcome, session_of
from studio_server import SMALL

from littlego.editor.answers.surveying import boards, coverage
from littlego.editor.positions import read_position
from littlego.judging.coverage import COUNTS, REAL, RECORDED


@pytest.fixture
def session():
    return session_of(SMALL, SMALL.read_text(encoding="utf-8"))


def test_coverage_is_what_the_command_counts_and_so_are_the_boards(session, tmp_path):
    results, done = outcome(coverage(session, games=0))
    expected = command_json(tmp_path, "coverage", "-f", SMALL, "--games", "0")
    surveys = {name: survey for one in results for name, survey in one["surveys"].items()}
    assert surveys == expected["sources"]
    assert done["remarks"] == expected["remarks"] and done["active_percent"] == expected["active_percent"]
    played = [expected["sources"][name]["counts"] for name in (REAL, RECORDED)]
    for row in done["rows"]:
        counts = sum((Counter(some.get(row["pattern"], {})) for some in played), Counter())
        assert {name: row[name] for name in COUNTS} == {name: counts[name] for name in COUNTS}
    row = done["rows"][1]
    found, told = outcome(boards(session, pattern=row["pattern"], most=3))
    assert told["counts"] == {name: row[name] for name in COUNTS}
    roles = Counter(one["role"] for one in found)
    assert roles and all(roles[name] == min(row[name], roles[name]) <= 3 for name in COUNTS)


def test_on_each_board_the_pattern_fires_and_the_move_is_the_player_s(session):
    from littlego.engines.reasons.contrast import roles_of
    from littlego.games.boards import move_text
    from littlego.rules.engine import decide

    pattern = session.entries.ids[1]
    found, _ = outcome(boards(session, pattern=pattern, most=2))
    book = session.book()
    assert found
    for one in found:
        decision = decide(read_position(one["position"]), book)
        assert move_text(decision.move, 5) == one["played"]
        if one["role"] != "vetoed":
            assert roles_of(decision)[pattern] == one["role"]
