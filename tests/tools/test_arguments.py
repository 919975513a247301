"""Arguments that many commands share."""

from __future__ import annotations

import argparse
import os

import pytest

from tools.__main__ import main
from tools.arguments import json_file, target

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


def test_what_cannot_be_written_is_told_before_the_work(tmp_path, monkeypatch):
    assert target(str(tmp_path / "new")) == str(tmp_path / "new") and target(os.devnull) == os.devnull
    for name, said in ((tmp_path / "none" / "x.json", f"there is no folder {tmp_path}/none"), (tmp_path, "a folder")):
        for read in (target, json_file):
            with pytest.raises(argparse.ArgumentTypeError, match=f"cannot write {name}: .*{said}"):
                read(str(name))
    assert not (tmp_path / "none").exists()
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # as for whom the folder does not belong to
    with pytest.raises(argparse.ArgumentTypeError, match=f"the folder {tmp_path} cannot be written to"):
        json_file(str(tmp_path / "x.json"))
    assert target(os.devnull) == os.devnull


def test_a_patterns_file_after_json_is_left_alone(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text(NOT_JSON)
    with pytest.raises(SystemExit) as ended:
        main(["check", "--no-exact", "--json", str(path)])
    assert ended.value.code == 2 and path.read_text() == NOT_JSON
    assert f"argument --json: {path} holds something else" in capsys.readouterr().err
