"""Tests of our engine as a player: where its patterns come from, stale patterns, and overrides."""

from __future__ import annotations

import shutil

from knowledge_files import TXT, YAML, book
from override_files import override

from littlego.engines.books import book_at, describe_stale, overrides_beside
from littlego.knowledge.overrides import to_bytes
from littlego.match.protocol import Turn
from littlego.players.ours import OursPlayer, decide_at
from littlego.rules.engine import decide
from littlego.rules.geometry import points_of
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO, little_go


def copied(folder):
    for path in (TXT, YAML):
        shutil.copy(path, folder / path.name)
    return folder / TXT.name, folder / YAML.name


def test_patterns_that_fit_their_source_are_not_stale(tmp_path, capsys):
    compiled, _ = copied(tmp_path)
    assert describe_stale(str(compiled)) == ""
    assert book_at(str(compiled), LITTLE_GO).patterns and capsys.readouterr().err == ""


def test_a_source_edited_since_is_told_once(tmp_path, monkeypatch, capsys):
    compiled, source = copied(tmp_path)
    source.write_bytes(source.read_bytes() + b"# a word more\n")
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        assert book_at("patterns.txt", LITTLE_GO).patterns
    told = "littlego: patterns.yaml has changed since patterns.txt was made: run `littlego compile`\n"
    assert capsys.readouterr().err == told


def test_nothing_is_said_without_a_source_or_of_a_file_that_is_none(tmp_path):
    compiled, source = copied(tmp_path)
    source.unlink()
    assert (
        describe_stale(str(compiled))
        == describe_stale(str(tmp_path / "missing.txt"))
        == describe_stale(str(source))
        == ""
    )


AFTER_THE_CENTRE = opening(LITTLE_GO).play(12)
PLAIN = decide(AFTER_THE_CENTRE, book()).move
OTHER = next(point for point in points_of(AFTER_THE_CENTRE.legal()) if point not in (PLAIN, 7))


def with_override(folder) -> str:
    compiled, _ = copied(folder)
    (folder / "overrides.txt").write_bytes(to_bytes(dict([override(AFTER_THE_CENTRE, OTHER)])))
    return str(compiled)


def test_ours_follows_the_overrides_beside_its_patterns(tmp_path):
    path = with_override(tmp_path)
    turn = Turn(AFTER_THE_CENTRE, (0, 0))
    reply = OursPlayer(path).choose(turn)
    assert reply.move == OTHER == decide_at(AFTER_THE_CENTRE, path).move
    assert "an override for this position plays " in reply.reason and "; the patterns prefer " in reply.reason
    alone = OursPlayer(path, with_overrides=False)
    assert alone.choose(turn).move == PLAIN and alone.name == f"ours-without-overrides:{path}"


def test_another_game_has_no_overrides(tmp_path):
    path = with_override(tmp_path)
    assert overrides_beside(path, little_go(7)) is None
    assert overrides_beside(str(tmp_path / "elsewhere" / "patterns.txt"), LITTLE_GO) is None


def test_damaged_overrides_are_told_once_and_cost_no_game(tmp_path, monkeypatch, capsys):
    path = with_override(tmp_path)
    damaged = tmp_path / "overrides.txt"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        assert decide_at(AFTER_THE_CENTRE, path).move == PLAIN
    said = capsys.readouterr().err
    assert said.startswith("littlego: overrides.txt: ") and said.count("\n") == 1
