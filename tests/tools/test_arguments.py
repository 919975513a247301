"""Arguments that many commands share."""

from __future__ import annotations

import argparse
import os

import pytest

from tools.__main__ import main
from tools.arguments import ArgumentError, check_target, complaining, json_file, positive

NOT_JSON = "ruleset: little-go\npatterns: []\n"


@pytest.mark.parametrize("before", [None, "", "[]", ' \n{"a": 1}'])
def test_json_goes_to_a_file_that_is_new_or_holds_json(tmp_path, before):
    path = tmp_path / "found.json"
    if before is not None:
        path.write_text(before)
    assert json_file(str(path)) == str(path)


@pytest.mark.parametrize("name", ["-", os.devnull])
def test_json_goes_to_standard_output_or_a_device(name):
    assert json_file(name) == name


@pytest.mark.parametrize("name, said", [("mine.yaml", "holds something else"), ("an-id", "expected FILE.json")])
def test_json_never_replaces_what_was_meant_as_another_argument(tmp_path, monkeypatch, name, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(NOT_JSON)
    with pytest.raises(argparse.ArgumentTypeError, match=f"{said}.* put --json last"):
        json_file(name)


def test_what_cannot_be_written_is_told_before_the_work(tmp_path, monkeypatch, capsys):
    ran = []
    command = complaining(lambda args: len(ran.append(args.json) or ""))
    for name, said in (("none/x.json", "No such file or directory"), (".", "Is a directory")):
        assert command(argparse.Namespace(json=str(tmp_path / name))) == 2
        assert capsys.readouterr().err == f"littlego: cannot write {tmp_path / name}: {said}\n"
    fine = [str(tmp_path / "new.json"), os.devnull, "-", None]
    assert [command(argparse.Namespace(json=name)) for name in fine] == [0] * 4 and ran == fine
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # as for whom the folder does not belong to
    check_target(os.devnull)
    with pytest.raises(ArgumentError, match="Permission denied"):
        check_target(tmp_path / "new.json")


def test_a_patterns_file_after_json_is_left_alone(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text(NOT_JSON)
    assert main(["check", "--no-exact", "--json", str(path)]) == 2
    assert path.read_text() == NOT_JSON
    assert f"'--json': {path} holds something else" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0", "-2"])
def test_a_number_that_is_too_small_is_told_what_is_expected(text):
    with pytest.raises(argparse.ArgumentTypeError, match=f"expected 1 or more, found {text}"):
        positive(text)
