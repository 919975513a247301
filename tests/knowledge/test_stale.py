"""Tests that `compile` reports records that an edit makes stale, and prints nothing if there are none."""

from __future__ import annotations

import json
from functools import partial

import pytest
from drawn_patterns import FILE, changed

from littlego.cache import Cache
from littlego.cli.main import main
from littlego.knowledge import stale
from littlego.knowledge.files import read_knowledge
from littlego.knowledge.overrides import to_bytes
from littlego.knowledge.reference import schema_text
from littlego.knowledge.stale import DECISIONS, PROOFS, SCHEMA, Files, Stale, keep_found, player_with

EDITED = changed("priority: 900", "priority: 901")
REWORDED = changed("last liberty is here", "only liberty is here")
LINE = "fill\tshape\t500\t1\t-\t*\t\t7\t\t\tFill."  # of a patterns.txt


class Player:
    """A player's folder in which the proof and all other records are up to date."""

    def __init__(self, folder):
        self.folder, self.source = folder, folder / "patterns.yaml"
        self.source.write_text(FILE)
        main(["compile", str(self.source)])
        self.put("overrides.txt", to_bytes({}))
        self.put(DECISIONS, b"")
        self.put(SCHEMA, schema_text().encode())
        self.put(PROOFS / "black.json", json.dumps({"player": self.files().player._asdict()}).encode())

    def put(self, name, data: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def files(self) -> Files:
        return Files(self.folder, read_knowledge(self.folder / "patterns.txt").lines)


@pytest.fixture
def player(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(stale, "Cache", partial(Cache, folder=tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    made = Player(tmp_path)
    capsys.readouterr()
    return made


def compiled(player, capsys, text: str, *options: str) -> list[str]:
    """Compile the text and return the messages on standard error."""
    player.source.write_text(text)
    assert main(["compile", str(player.source), *options]) == 0
    return capsys.readouterr().err.splitlines()


def test_nothing_is_said_where_all_holds(player, capsys):
    assert compiled(player, capsys, FILE) == [] == compiled(player, capsys, FILE, "--check")
    assert compiled(player, capsys, f"# a word more\n{FILE}") == []


def test_an_edit_voids_the_proof_and_leaves_open_what_takes_longer(player, capsys):
    proof, unknown = compiled(player, capsys, EDITED)
    assert proof.startswith("littlego: docs/proof/black.json proves a player with a different patterns.txt; ")
    assert "the proof's values remain valid" in proof and "`littlego judge black`" in proof
    assert proof.endswith("`littlego prove black --certificate docs/proof/black.json`")
    assert "the decisions on record and the moves in overrides.txt" in unknown
    assert unknown.startswith("littlego: not checked") and unknown.endswith("`littlego diff`")
    assert compiled(player, capsys, EDITED, "--check") == [proof, unknown]
    assert compiled(player, capsys, FILE) == []


def test_a_new_summary_keeps_the_proof(player, capsys):
    assert compiled(player, capsys, REWORDED) == []


def test_what_a_longer_look_has_found_is_said_again(player, capsys):
    compiled(player, capsys, EDITED)
    found = Stale("decisions", "3 decisions are others now, see", "littlego diff")
    keep_found(player.files(), DECISIONS, [found])
    _, told, unknown = compiled(player, capsys, EDITED)
    assert told == f"littlego: {found}" and "decisions" not in unknown and "overrides.txt" in unknown
    keep_found(player.files(), DECISIONS, [])
    assert compiled(player, capsys, EDITED)[1:] == [unknown]
    player.put(DECISIONS, b"# edited\n")
    assert "the decisions on record" in compiled(player, capsys, EDITED)[1]


def test_other_overrides_void_the_proof_too(player, capsys):
    player.put("overrides.txt", to_bytes({1765411053929234432: 12}))
    assert "with a different overrides.txt; " in compiled(player, capsys, FILE)[0]
    (player.folder / "overrides.txt").unlink()
    assert compiled(player, capsys, FILE) == []  # a missing overrides file counts as an empty file


def test_a_schema_of_other_keys_is_named(player, capsys):
    player.put(SCHEMA, b"{}")
    (told,) = compiled(player, capsys, FILE)
    assert "patterns.schema.json is stale, and editors still use it" in told and told.endswith("`littlego dev schema`")


def test_of_what_is_not_there_nothing_is_said(player, capsys):
    (player.folder / PROOFS / "black.json").unlink()
    assert [line.split(":")[1] for line in compiled(player, capsys, EDITED)] == [" not checked"]
    for name in (DECISIONS, "overrides.txt"):
        (player.folder / name).unlink()
    assert compiled(player, capsys, EDITED) == []


def test_what_no_player_reads_makes_nothing_stale(player, capsys):
    assert compiled(player, capsys, EDITED, "-o", str(player.folder / "other.txt")) == []


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"player": {"rules": ""}}'])
def test_a_certificate_that_cannot_be_read_is_no_proof_of_anything(player, capsys, damage):
    player.put(PROOFS / "black.json", damage.encode())
    assert [line.split(":")[1] for line in compiled(player, capsys, FILE)] == [" not checked"]


def test_a_player_has_other_names_for_other_parts():
    player = player_with([LINE], b"c")
    assert player.patterns != player_with([LINE.replace("500", "400")], b"c").patterns
    assert player.overrides != player_with([LINE], b"").overrides
    assert player == player_with((LINE,), b"c")


@pytest.mark.parametrize(("old", "new"), [("shape", "eye"), ("\t-\t", "\tr\t"), ("Fill.", "Fill a point.")])
def test_a_class_a_summary_and_the_mark_of_a_rare_pattern_do_not_change_a_player(old, new):
    assert LINE.count(old) == 1
    assert player_with([LINE], b"") == player_with([LINE.replace(old, new)], b"")
