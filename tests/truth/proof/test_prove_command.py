"""Tests that `prove` reports failures, adds overrides, and then writes and verifies a certificate."""

from __future__ import annotations

import json
import re

import click
import numpy as np
import pytest
from labelled_games import solved, winning_mask
from slow_walk import roots
from small_proofs import TAKES_TOO_SOON

from littlego.knowledge.files import read_solvable
from littlego.knowledge.overrides import read
from littlego.rules.positionkey import unpack
from littlego.truth.labels.decider import write_overrides
from littlego.truth.labels.labels import in_test, save
from littlego.truth.labels.positions import at_stake, load_positions
from littlego.truth.proof import cli
from littlego.truth.proof.certificate import player_of
from littlego.truth.proof.edited import stored_layers
from littlego.truth.proof.proving import WALKS
from littlego.truth.proof.walk import layer_file, load_layer


def test_the_overrides_for_all_failures_end_in_a_certificate(files, capsys):
    assert files.run("prove", "black", "--json", files.folder / "found.json", "--overrides-out", files.overrides) == 1
    found = json.loads((files.folder / "found.json").read_text())
    assert found["failures"] == len(found["failed"]) > 3
    assert not found["proved"] and found["complete"]
    assert sum(found["blamed"].values()) == found["failures"]
    assert read(files.overrides) == {one["code"]: one["repair"] for one in found["failed"]}
    shown = capsys.readouterr().out
    assert f"{found['failures']} failures in {found['positions']} positions" in shown
    assert "To blame" in shown and "( ) was played" in shown

    certificate = files.proved()
    assert certificate["proved"] and not certificate["failures"]
    assert [row["overruled"] for row in certificate["layers"]] == [row["failures"] for row in found["layers"]]
    assert "Proved: Black never gives a win away" in capsys.readouterr().out


def test_overrides_that_a_walk_does_not_need_are_left_out_where_that_is_asked_for(files, capsys):
    files.proved()
    needed = read(files.overrides)
    decisions = np.load(next(files.walks.glob("walks/*/layer-04.npz")))
    agreed = next(
        (code, move)
        for code, move in zip(decisions["codes"].tolist(), decisions["moves"].tolist(), strict=True)
        if code not in needed
    )
    elsewhere, of_white = roots(4, 1, 99)[0], roots(5, 1, 7)[0]
    assert not {elsewhere, of_white} & {*decisions["codes"].tolist(), *needed}
    more, last = dict([agreed, (int(elsewhere), 25), (int(of_white), 25)]), next(iter(needed))
    write_overrides(files.overrides, {code: move for code, move in (needed | more).items() if code != last})
    kept = files.folder / "kept.txt"
    walk = "black", "--overrides", files.overrides, "--overrides-out", kept
    assert files.run("prove", *walk) == 1
    assert read(kept) == needed | more
    assert files.run("dev", "walk", *walk, "--only-needed") == 1
    assert read(kept) == needed | {int(of_white): 25}
    for wrong in (["black", "--only-needed"], [*walk, "--only-needed", "--down-to", "6"]):
        assert files.run("dev", "walk", *wrong) == 2
        assert "--only-needed requires --overrides-out and a whole walk" in capsys.readouterr().err


def test_a_walk_anew_and_one_elsewhere_give_the_same_certificate(files):
    files.proved()
    first = files.certificate.read_bytes()
    again = "dev", "walk", "black", "--overrides", files.overrides, "--certificate", files.certificate
    for options in (["--fresh"], ["--folder", files.folder / "other"], ["--search", "0"]):
        files.certificate.unlink()
        assert files.run(*again, *options) == 0
        assert files.certificate.read_bytes() == first


def test_a_walk_that_ends_early_proves_nothing(files, capsys):
    assert files.run("prove", "black", "--down-to", "6") == 1
    assert "failure" in capsys.readouterr().out


def test_a_sound_certificate_holds(files, capsys):
    files.proved()
    assert files.check() == 0
    assert "agree with the certificate for Black: no failure" in capsys.readouterr().out
    assert files.check("--positions", "2", "--json") == 0
    layers = json.loads(capsys.readouterr().out)["layers"]
    assert [(layer["left"], layer["sampled"], layer["faults"]) for layer in layers] == [(6, 2, []), (4, 2, [])]


def test_a_certificate_with_failures_is_no_proof(files, capsys):
    files.run("prove", "black", "--certificate", files.certificate)
    assert files.run("verify", files.certificate) == 1
    assert "agree with the certificate for Black: " in capsys.readouterr().out


def test_a_changed_layer_is_found(files, capsys):
    files.proved()
    path = next(
        path
        for path in files.walks.glob("walks/*/layer-04.npz")
        if json.loads((path.parent / "certificate.json").read_text())["proved"]
    )
    with np.load(path) as layer:
        columns = dict(layer)
    columns["moves"][0] ^= 1
    np.savez(path, **columns)
    assert files.check() == 1
    assert "in its digest" in capsys.readouterr().out


def test_what_cannot_be_checked(files, capsys):
    files.proved()
    assert files.run("verify", files.certificate) == 2
    assert "covers another player: overrides differ" in capsys.readouterr().err
    for path in files.walks.glob("walks/*/certificate.json"):
        layer_file(path.parent, 6).unlink()
    assert files.check() == 2
    assert "`littlego prove` creates it" in capsys.readouterr().err
    files.certificate.write_text('{"format": 1}')
    assert files.check() == 2
    assert "is not a certificate of a walk" in capsys.readouterr().err


def test_a_damaged_store_of_values_is_named_and_kept(files, capsys):
    files.run("prove", "black")
    path = next(files.walks.glob("values/*"))
    path.write_bytes(b"nothing")
    assert files.run("dev", "walk", "black", "--search", "0") == 2
    assert "is damaged" in capsys.readouterr().err
    assert path.read_bytes() == b"nothing"


def test_an_edit_is_judged_as_a_whole_walk_would(files, capsys):
    files.proved()
    shown = capsys.readouterr()
    assert "stored the walk, 0." in shown.err
    edited = "judge", "black", "--overrides", files.overrides
    assert files.run(*edited) == 0
    shown = capsys.readouterr().out
    assert "0 edited patterns, 0 changed decisions. The edit gives no win away" in shown

    files.patterns = files.folder / "patterns.yaml"
    files.patterns.write_text(TAKES_TOO_SOON)
    assert files.run(*edited, "--json", files.folder / "edit.json") == 1
    shown = capsys.readouterr().out
    found = json.loads((files.folder / "edit.json").read_text())
    made = sum(layer["made"] for layer in found["layers"])
    assert found["edited"] == ["take"] and made == len(found["made"]) > 0
    assert f"1 edited pattern, {sum(layer['changed'] for layer in found['layers']):,} changed decisions" in shown
    assert f"The edit gives {made} wins away" in shown or made == 1
    assert "take" in shown and "( ) was played" in shown

    assert files.run("prove", "black", "--overrides", files.overrides, "--json", files.folder / "whole.json") == 1
    whole = json.loads((files.folder / "whole.json").read_text())
    assert found["made"] == whole["failed"] and found["mended"] == []
    assert [layer["positions"] for layer in found["layers"]] == [layer["positions"] for layer in whole["layers"]]


def test_failures_that_an_edit_mends_are_named(files, capsys):
    good, files.patterns = files.patterns, files.folder / "patterns.yaml"
    files.patterns.write_text(TAKES_TOO_SOON)
    files.run("prove", "black", "--json", files.folder / "worse.json")
    files.patterns = good
    assert files.run("judge", "black", "--json", files.folder / "edit.json") in (0, 1)
    found, worse = (json.loads((files.folder / name).read_text()) for name in ("edit.json", "worse.json"))
    before = {one["code"] for one in worse["failed"]}
    mended = sum(layer["mended"] for layer in found["layers"])
    assert mended == len(found["mended"]) > 0 and before > set(found["mended"])
    assert before.isdisjoint(one["code"] for one in found["made"])
    assert f"and fixes {mended} failure" in " ".join(capsys.readouterr().out.split())


def test_the_layers_of_a_stored_walk_are_listed(files):
    files.run("prove", "black")
    (folder,) = (files.walks / WALKS).iterdir()
    player = player_of(read_solvable(str(files.patterns)), {})
    layers = stored_layers(files.walks / WALKS, player)
    sizes = {layer.left: load_layer(folder, layer.left).codes.size for layer in layers}
    assert [(layer.left, layer.size) for layer in layers] == [*sizes.items()] == sorted(sizes.items())[::-1]
    assert [layer.codes().size for layer in layers] == [*sizes.values()]


def test_what_an_edit_is_judged_from(files, capsys):
    assert files.run("judge", "black") == 2
    shown = capsys.readouterr().err
    assert "no complete walk" in shown and "`littlego prove black` first" in shown and "half an hour" in shown
    files.run("prove", "black", "--down-to", "6")
    assert files.run("judge", "black") == 2
    files.run("prove", "black")
    capsys.readouterr()
    assert files.run("judge", "black") == 0  # exactly the same positions fail as before
    assert "The edit gives no further win away" in capsys.readouterr().out
    path = next(files.walks.glob("walks/*/layer-04.npz"))
    path.write_bytes(b"nothing")
    assert files.run("judge", "black") == 2
    assert "layer-04.npz is damaged" in capsys.readouterr().err
    assert path.read_bytes() == b"nothing"


def test_it_says_what_the_solver_was_asked_and_asks_less_the_next_time(files, capsys):
    def asked() -> int:
        said = re.search(r"solved ([\d,]+) positions? in [\d,]+ nodes", capsys.readouterr().err)
        return int(said[1].replace(",", ""))

    files.run("prove", "black")
    first = asked()
    files.run("dev", "walk", "black", "--fresh")
    assert 0 <= asked() < first


def test_positions_of_the_walk_come_with_their_winning_moves_and_fit_reads_them(files):
    out = files.folder / "positions.npz"
    assert files.run("dev", "walk", "black", "--json", files.folder / "found.json", "-o", out, "--positions", "5") == 1
    found = json.loads((files.folder / "found.json").read_text())
    with np.load(out) as file:
        codes, winning, weight = file["codes"], file["winning"], file["weight"]
    assert (np.diff(codes) > 0).all() and at_stake(codes, winning).all()
    told = dict(zip(codes.tolist(), winning.tolist(), strict=True))
    assert {one["code"]: one["winning"] for one in found["failed"]}.items() <= told.items()
    layers = len(found["layers"])
    assert len(found["failed"]) < codes.size <= len(found["failed"]) + 5 * layers
    failed = {one["code"] for one in found["failed"]}
    assert all(one == 1 for code, one in zip(codes.tolist(), weight, strict=True) if code in failed)
    assert (weight >= 1).all() and weight.max() > 1
    for code, mask in told.items():
        assert mask == winning_mask(unpack(code))
    save(solved(), files.folder / "labels.npz")
    learned = load_positions(files.folder / "labels.npz", [out])
    assert set(codes[~in_test(codes)].tolist()) <= set(learned.codes.tolist())


def test_a_certificate_is_compared_with_known_values(files):
    known = files.folder / "known.txt"
    known.write_text("# none\n")
    files.proved()
    assert files.check("--vectors", known) == 0


def test_a_checkpoint_is_written_and_read_again(files, capsys):
    checkpoint = files.folder / "solver.npz"
    walk = "dev", "walk", "black", "--search", "0", "--checkpoint", checkpoint
    assert files.run(*walk) == 1 and checkpoint.is_file()
    capsys.readouterr()
    assert files.run(*walk) == 1
    assert "solver.npz: " in capsys.readouterr().err
    files.proved()
    assert files.check("--checkpoint", files.folder / "missing.npz") == 2


@pytest.mark.parametrize("name", ["prove", "judge", "verify"])
def test_each_command_has_at_most_twelve_options(name):
    options = [param for param in getattr(cli, name).params if isinstance(param, click.Option)]
    assert len(options) + len(["--help"]) <= 12
