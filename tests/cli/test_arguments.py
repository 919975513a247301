"""Tests of arguments that many commands share."""

from __future__ import annotations

import os

import click
import pytest

from littlego.cli.arguments import ArgumentError, check_target
from littlego.cli.commandline import POSITIVE, JsonFile, command, json_option
from littlego.cli.main import main

NOT_JSON = "ruleset: little-go\npatterns: []\n"


def json_file(name):
    """Return the file that `--json NAME` writes."""
    return JsonFile().convert(name, None, None)


@pytest.mark.parametrize("before", [None, "", "[]", ' \n{"a": 1}'])
def test_json_goes_to_a_file_that_is_new_or_holds_json(tmp_path, before):
    path = tmp_path / "found.json"
    if before is not None:
        path.write_text(before)
    assert json_file(str(path)) == str(path)


@pytest.mark.parametrize("name", ["-", os.devnull])
def test_json_goes_to_standard_output_or_a_device(name):
    assert json_file(name) == name


@pytest.mark.parametrize("name, said", [("mine.yaml", "is not a JSON file"), ("an-id", "expected FILE.json")])
def test_json_never_replaces_what_was_meant_as_another_argument(tmp_path, monkeypatch, name, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(NOT_JSON)
    with pytest.raises(click.BadParameter, match=f"{said}.* put --json last"):
        json_file(name)


def test_what_cannot_be_written_is_told_before_the_work(tmp_path, monkeypatch):
    ran = []

    @command("work")
    @json_option
    def work(json):
        ran.append(json)

    def run(*words):
        with work.make_context("work", list(words)) as context:
            work.invoke(context)

    for name, said in (("none/x.json", "No such file or directory"), ("folder.json", "Is a directory")):
        (tmp_path / "folder.json").mkdir(exist_ok=True)
        with pytest.raises(ArgumentError) as caught:
            run("--json", str(tmp_path / name))
        assert str(caught.value) == f"cannot write {tmp_path / name}: {said}" and not ran
    (tmp_path / "folder.json").rmdir()
    fine = [str(tmp_path / "new.json"), os.devnull, "-"]
    for name in fine:
        run("--json", name)
    run("--json")
    run()
    assert ran == [*fine, "-", None]
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # simulates a user who may not write to the folder
    check_target(os.devnull)
    with pytest.raises(ArgumentError, match="Permission denied"):
        check_target(tmp_path / "new.json")


def test_a_patterns_file_after_json_is_left_alone(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text(NOT_JSON)
    assert main(["check", "--no-exact", "--json", str(path)]) == 2
    assert path.read_text() == NOT_JSON
    assert f"'--json': {path} is not a JSON file" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0", "-2"])
def test_a_number_that_is_too_small_is_told_what_is_expected(text):
    with pytest.raises(click.BadParameter, match=f"{text} is not in the range x>=1"):
        POSITIVE.convert(text, None, None)
