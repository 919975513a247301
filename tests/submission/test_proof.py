"""Tests that the proof of a submission accepts files made from our sources, and rejects other players."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from override_files import some_overrides

from littlego.cli.main import main
from littlego.knowledge.overrides import to_bytes
from littlego.rules.engine import decide
from littlego.rules.patternfile import load
from littlego.rules.position import BLACK, WHITE
from littlego.sandbox import interpreters
from littlego.sandbox.interpreters import InterpreterError, ask_interpreter, python37
from littlego.submission import cli, turns
from littlego.submission.folder import handed_in
from littlego.submission.proof import (
    ProofError,
    complaints,
    prove_agreement,
    prove_game,
    prove_processes,
    prove_statics,
    repository_moves,
)

RUNNING = ask_interpreter(sys.executable)
SOME = turns.real_turns()[::50]


@pytest.fixture
def files(tree):
    return handed_in(tree)


def moves_of(root: Path) -> list[int]:
    book = load(str(root / "patterns.txt"))
    return [decide(turn.position(), book).move for turn in SOME]


def changed(files, name, old, new):
    assert old in files[name]
    return {**files, name: files[name].replace(old, new)}


def test_what_is_made_is_proved(tree, files):
    prove_statics(files)
    # prove_agreement raises an error if the players differ
    assert prove_agreement(files, RUNNING, SOME, moves_of(tree)) > 0
    prove_processes(files, tree, RUNNING, SOME[:2])


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_whole_game(files, colour):
    record = prove_game(files, RUNNING, colour)
    assert record.fault == 0 and record.moves


def test_another_decision_is_found(tree, files):
    other = changed(files, "littlego_engine.py", b"-candidate.points,", b"candidate.points,")
    with pytest.raises(ProofError, match=r"moves differ; the first: .* instead of .*, for input.txt\n[12]\n"):
        prove_agreement(other, RUNNING, SOME, moves_of(tree))
    with pytest.raises(ProofError, match="the copy returns .*; expected "):
        prove_processes(other, tree, RUNNING, SOME[:10])


@pytest.fixture
def overridden(tree):
    """Write overrides for random positions, some with kos or passes; return turns in these positions."""
    path = tree / "overrides.txt"
    path.write_bytes(to_bytes(some_overrides(3000, 6)))
    return turns.override_turns(path, 100)


def test_turns_of_overrides_are_spread_and_of_every_kind(tree, overridden):
    assert 90 <= len(overridden) <= 100 and {turn.colour for turn in overridden} == {BLACK, WHITE}
    some = turns.override_turns(tree / "overrides.txt", 3000)
    positions = [turn.position() for turn in some]
    assert len(positions) > 2900 and any(one.ko for one in positions) and any(one.passed for one in positions)
    assert turns.override_turns(tree / "no-overrides.txt", 100) == []


def test_overrides_are_proved_to_be_obeyed(tree, overridden):
    files = handed_in(tree)
    moves = repository_moves(tree, overridden)
    book = load(str(tree / "patterns.txt"))
    assert sum(decide(turn.position(), book).move != move for turn, move in zip(overridden, moves, strict=True)) > 50
    prove_agreement(files, RUNNING, overridden, moves)
    prove_processes(files, tree, RUNNING, overridden[:8])
    del files["overrides.txt"]
    with pytest.raises(ProofError, match="moves differ"):
        prove_agreement(files, RUNNING, overridden, moves)
    with pytest.raises(ProofError, match="the copy returns .*; expected "):
        prove_processes(files, tree, RUNNING, overridden[:8])


def test_a_folder_that_is_too_large():
    assert complaints({"overrides.txt": bytes(8 << 20)}) == []
    [said] = complaints({"overrides.txt": bytes(8 << 20), "a.txt": b"x"})
    assert said == "all files together have 8,388,609 bytes; expected at most 8,388,608"


def test_a_module_from_elsewhere_is_found(tree, files):
    (tree / "littlego_elsewhere.py").write_text("")
    lines = f"import sys\nsys.path.append({str(tree)!r})\nimport littlego_elsewhere\n".encode()
    other = changed(files, "littlego_ruleset.py", b"SIMPLE_KO, SUPERKO =", lines + b"SIMPLE_KO, SUPERKO =")
    with pytest.raises(ProofError, match="imported modules outside the submission: .*littlego_elsewhere.py"):
        prove_agreement(other, RUNNING, SOME, moves_of(tree))


def test_a_missing_module_is_found(tree, files):
    del files["littlego_life.py"]
    with pytest.raises(ProofError, match="littlego_life"):
        prove_agreement(files, RUNNING, SOME, moves_of(tree))
    with pytest.raises(ProofError, match="the engine cannot be loaded"):
        prove_game(files, RUNNING, BLACK)


def test_what_plays_on_with_a_complaint_is_not_proved(files):
    with pytest.raises(ProofError, match="without patterns"):
        prove_game({**files, "patterns.txt": b"nonsense\n"}, RUNNING, WHITE)


def test_files_left_behind_are_found(files):
    other = changed(files, "littlego_turn.py", b"def play_turn(", b"open('trace.txt', 'w').close()\n\n\ndef play_turn(")
    with pytest.raises(ProofError, match="new files: \\['trace.txt'\\]"):
        prove_game(other, RUNNING, BLACK)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.py",
            b"import numpy\n",
            "a.py:1: imports numpy; expected the standard library or a submitted file",
        ),
        ("a.py", b"import os.path, b\n", "a.py:1: imports b;"),
        ("a.py", b"from rules.life import x\n", "imports rules"),
        ("a.py", b"from . import x\n", "a.py:1: has a relative import"),
        ("a.py", b"import tomllib\n", "imports tomllib"),
        ("a.py", b"if (n := 3): pass\n", "a.py:1:"),
        ("a.py", b"def f(a, /): pass\n", "not valid Python 3.7"),
        ("a.py", b"match x:\n    case 1: pass\n", "not valid Python 3.7"),
        ("a.md", b"", "the course accepts only .py, .txt, .json"),
        ("sub/a.py", b"", "the course accepts only"),
    ],
)
def test_static_complaints(name, text, message):
    found = complaints({name: text})
    assert any(message in line for line in found), found


def test_static_approval():
    text = b"import sys, os.path\nfrom b import x\ntry:\n    from posix import replace\nexcept ImportError:\n    pass\n"
    assert complaints({"a.py": text, "b.py": b"", "p.txt": b"", "q.json": b""}) == []


def test_real_turns_are_many_and_all_different():
    found = turns.real_turns()
    assert len(found) > 3000 and len(set(found)) == len(found)
    assert {turn.colour for turn in found} == {1, 2} and {turn.left for turn in found} == set(range(1, 25))


def test_a_named_interpreter_must_be_a_python37(monkeypatch, tmp_path):
    monkeypatch.setenv(interpreters.VARIABLE, str(tmp_path / "nothing"))
    with pytest.raises(InterpreterError, match="does not run; expected the path of Python 3.7"):
        python37()
    monkeypatch.setenv(interpreters.VARIABLE, sys.executable)
    with pytest.raises(InterpreterError, match="is Python 3.1"):
        python37()


def test_a_launcher_is_seen_through(tmp_path):
    launcher = tmp_path / "python"
    launcher.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    launcher.chmod(0o755)
    assert ask_interpreter(str(launcher)) == RUNNING


def run(out) -> int:
    return main(["submit", str(out)])


def fewer(monkeypatch, every: int, games: int, overridden: int, processes: int, enough: int) -> None:
    """Make `littlego submit` compare fewer positions: every nth real turn, fewer games, and so on."""
    monkeypatch.setattr(cli, "EVERY", every)
    monkeypatch.setattr(cli, "PLAYED_GAMES", games)
    monkeypatch.setattr(cli, "OVERRIDDEN", overridden)
    monkeypatch.setattr(cli, "AS_PROCESSES", processes)
    monkeypatch.setattr(cli, "ENOUGH", enough)


FEW = (60, 1, 20, 5, 50)
ENOUGH = (5, cli.PLAYED_GAMES, cli.OVERRIDDEN, cli.AS_PROCESSES, cli.ENOUGH)  # fewer real turns than in the command


@pytest.mark.parametrize(
    ("most", "positions"), [(FEW, r"\d\d+"), pytest.param(ENOUGH, r"1,\d\d\d", marks=pytest.mark.slow)]
)
def test_the_repository_can_be_handed_in(most, positions, tmp_path, monkeypatch, capsys):
    """By default only a few positions are compared; `-m slow` compares as many as the command."""
    fewer(monkeypatch, *most)
    assert run(tmp_path / "out") == 0
    shown = capsys.readouterr().out
    made = {path.name: path for path in (tmp_path / "out").iterdir()}
    assert all(path.is_file() and path.suffix in (".py", ".txt") for path in made.values())
    assert all(f"  {name}\n" in shown for name in made)
    assert re.search(f"the same decisions as the player in all {positions} positions", shown)
    assert "not won" not in shown
    sums = subprocess.run(["sha256sum", *made], cwd=tmp_path / "out", capture_output=True, text=True).stdout
    assert all(line.split()[0] in shown for line in sums.splitlines())


@pytest.mark.slow  # slow: proves two hand-ins
def test_submitting_twice_gives_the_same_bytes(tree, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cli, "HOME", tree)
    monkeypatch.chdir(tree)
    monkeypatch.setattr(cli, "interpreters", lambda: [RUNNING])
    fewer(monkeypatch, 100, 1, 5, 2, 30)
    out = tmp_path / "out"
    contents = []
    for prove in (cli.prove, lambda *args: None):  # the second run skips the proof: the result must be the same
        monkeypatch.setattr(cli, "prove", prove)
        assert run(out) == 0
        contents.append({path.name: path.read_bytes() for path in out.iterdir()})
        (out / "output.txt").write_text("2,2\n")  # simulates a file left by a trial run
    assert contents[0] == contents[1] == handed_in(tree)
    assert [path.name for path in tmp_path.iterdir() if path != tree] == ["out"]
    assert "Python 3.7 is not installed" in capsys.readouterr().out


def test_what_no_longer_holds_is_told_once_the_folder_is_made(tree, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cli, "HOME", tree)
    monkeypatch.chdir(tree)
    monkeypatch.setattr(cli, "interpreters", list)
    monkeypatch.setattr(cli, "prove", lambda *args: None)
    assert run(tmp_path / "out") == 0
    assert "littlego prove" not in capsys.readouterr().out
    certificate = tree / "docs" / "proof" / "black.json"
    certificate.parent.mkdir(parents=True)
    certificate.write_text(json.dumps({"player": {"rules": "", "patterns": "", "overrides": ""}}))
    assert run(tmp_path / "out") == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert "with a different rules/ and a different patterns.txt and a different overrides.txt; " in last
    assert last.endswith(f"`littlego prove black --certificate {certificate.relative_to(tree)}`")


def test_too_few_positions_prove_nothing(tree, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cli, "HOME", tree)
    monkeypatch.chdir(tree)
    monkeypatch.setattr(cli, "interpreters", lambda: [RUNNING])
    monkeypatch.setattr(cli, "EVERY", 50)
    monkeypatch.setattr(cli, "PLAYED_GAMES", 1)
    assert run(tmp_path / "out") == 1
    assert "positions to compare; expected at least 1000" in capsys.readouterr().err


def test_a_stale_file_is_refused_with_nothing_left(tree, tmp_path, monkeypatch, capsys):
    (tree / "patterns.yaml").write_text("ruleset: little-go\npatterns: []\n")
    monkeypatch.setattr(cli, "HOME", tree)
    monkeypatch.chdir(tree)
    before = sorted(tmp_path.iterdir())
    assert run(tmp_path / "out") == 1
    said = capsys.readouterr()
    assert "patterns" in said.err and "Nothing was written." in said.err and not said.out
    assert sorted(tmp_path.iterdir()) == before


def test_what_cannot_be_proved_is_not_written(tree, tmp_path, monkeypatch, capsys):
    engine = tree / "rules" / "engine.py"
    engine.write_text(engine.read_text().replace("-candidate.points,", "candidate.points,"))
    monkeypatch.setattr(cli, "HOME", tree)
    monkeypatch.chdir(tree)
    monkeypatch.setattr(cli, "interpreters", lambda: [RUNNING])
    fewer(monkeypatch, 50, 1, 5, 3, 50)
    assert run(tmp_path / "out") == 1
    assert "moves differ" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
