"""Tests of records that an edit makes stale: decisions, and overrides that change their effect."""

from __future__ import annotations

import json

import pytest
from effects_files import STRONGER
from override_files import situations

from littlego.cli.main import main
from littlego.judging.changes import differing
from littlego.judging.recorded import read_record
from littlego.judging.stale import compare_overrides
from littlego.knowledge.files import read_knowledge
from littlego.knowledge.overrides import to_bytes
from littlego.knowledge.stale import DECISIONS
from littlego.rules.engine import decide
from littlego.rules.positionkey import pack_move, unpack

CODES = sorted(situations(150, 3))


@pytest.fixture
def player(files):
    """Add patterns, overrides and recorded decisions to the folder, as in a player's folder."""
    folder = files.folder
    (folder / DECISIONS).parent.mkdir(parents=True)
    (folder / DECISIONS).write_bytes(files.snapshot.read_bytes())
    files.patterns = files.write("patterns.yaml", STRONGER)
    files.moves = chosen(read_knowledge(files.new))
    (folder / "overrides.txt").write_bytes(to_bytes(dict(sorted(files.moves.items())[::2])))
    return files


def chosen(knowledge) -> dict[int, int]:
    """Return the moves that rules/ chooses with these patterns and without overrides."""
    return {code: pack_move(decide(unpack(code), knowledge.book).move) for code in CODES}


def test_overrides_that_agree_and_that_overrule(files):
    old, new = read_knowledge(files.old), read_knowledge(files.new)
    before, after = chosen(old), chosen(new)
    changed = {code for code in CODES if before[code] != after[code]}
    agreeing = set(CODES[::2])
    overrides = {code: after[code] if code in agreeing else (after[code] + 1) % 26 for code in CODES}
    assert len(changed & agreeing) > 3 < len(changed - agreeing)
    assert compare_overrides(overrides, new, old) == (len(changed & agreeing), len(changed - agreeing))
    assert compare_overrides(overrides, new, None) == (len(agreeing), 0) == compare_overrides(overrides, new, new)


def test_the_record_is_counted_as_rules_decide_it(files):
    record, book = read_record(files.snapshot), read_knowledge(files.new).book
    moves = zip(record.positions(), record.moves, strict=True)
    others = [number for number, (position, move) in enumerate(moves) if decide(position, book).move != move]
    assert differing(record, book) == others != []
    assert differing(record, read_knowledge(files.old).book) == []


def diff(files, *words: str) -> tuple[int, list[dict[str, str]]]:
    """Run `diff`; return its exit status and the stale records that it reports."""
    place = files.folder / "diff.json"
    status = main(["diff", *words, "--brief", "--jobs", "1", "--json", str(place)])
    return status, json.loads(place.read_text())["stale"]


def test_diff_tells_and_compile_repeats_it(player, capsys):
    status, stale = diff(player, player.old, player.patterns, "--decisions", str(player.snapshot))
    shown = capsys.readouterr().out.splitlines()
    assert status == 1 and [one["what"] for one in stale] == ["decisions", "agreeing"]
    lines = [f"{one['text']} `{one['command']}`" for one in stale]
    assert shown[-2:] == lines  # one line for each record, since the output is not a terminal
    record = read_record(player.snapshot)
    others = len(differing(record, read_knowledge(player.patterns).book))
    assert stale[0]["text"].startswith(f"{others} of {len(record.names)} decisions in ")
    assert stale[0]["command"] == "littlego diff --accept"
    assert " overrides in " in stale[1]["text"] and stale[1]["command"] == "littlego judge black"
    main(["compile", player.patterns, "--no-examples"])
    assert capsys.readouterr().err.splitlines() == [f"littlego: {line}" for line in lines]


def test_an_override_that_stands_against_the_edit_is_counted(player):
    overrides = {code: (move + 1) % 26 for code, move in player.moves.items()}
    legal = {code: move for code, move in overrides.items() if move == 25 or unpack(code).legal() >> move & 1}
    (player.folder / "overrides.txt").write_bytes(to_bytes(legal))
    _, stale = diff(player, player.old, player.patterns, "--decisions", str(player.snapshot))
    assert [one["what"] for one in stale][-1] == "overruling"
    assert "overrule the moves that the edited patterns now choose" in stale[-1]["text"]


def test_against_the_record_its_own_changes_are_not_told_twice(player, capsys):
    record = ["--decisions", str(player.folder / DECISIONS)]
    status, stale = diff(player, "recorded", player.patterns, *record)
    assert status == 1 and "decisions" not in [one["what"] for one in stale]
    main(["compile", player.patterns, "--no-examples"])
    assert "decisions in " in capsys.readouterr().err
    assert diff(player, "recorded", player.patterns, "--accept", *record)[0] == 0
    capsys.readouterr()
    main(["compile", player.patterns, "--no-examples"])
    assert "decisions" not in capsys.readouterr().err


def test_files_that_are_no_player_make_nothing_stale(player):
    assert diff(player, player.old, player.new, "--decisions", str(player.snapshot))[1] == []
    assert diff(player, player.patterns, "HEAD:patterns.txt", "--decisions", str(player.snapshot))[1] == []


def test_damaged_overrides_are_named(player, capsys):
    (player.folder / "overrides.txt").write_bytes(b"nothing")
    assert main(["diff", player.old, player.patterns, "--decisions", str(player.snapshot)]) == 2
    assert "overrides.txt: " in capsys.readouterr().err
