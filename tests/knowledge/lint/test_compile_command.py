"""Tests of `littlego compile` and `littlego facts`: written files, unchanged files, and messages."""

from __future__ import annotations

import binascii
import os
import subprocess
import sys
from pathlib import Path

import pytest
from checking import checked
from drawn_patterns import FILE, changed, expected_problems

from littlego import files
from littlego.cli.main import main
from littlego.files import short_name
from littlego.knowledge.codes import ERROR
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.lint.check import problem_lines
from littlego.knowledge.problems import plural
from littlego.knowledge.textfile import write
from littlego.rules import patternfile

ROOT = Path(__file__).parents[3]


def compiled(text: str) -> bytes:
    return compile_text(text, "patterns.yaml")[0]


def run(*words: object) -> int:
    return main([str(word) for word in words])


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "patterns.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_compile_writes_beside_the_source(source, capsys):
    assert run("compile", source) == 0
    assert source.with_name("patterns.txt").read_bytes() == compiled(FILE)
    assert "1 pattern, " in capsys.readouterr().out


def test_compile_writes_where_it_is_told(source, tmp_path):
    assert run("compile", source, "-o", tmp_path / "other.txt") == 0
    assert (tmp_path / "other.txt").exists() and not (tmp_path / "patterns.txt").exists()


@pytest.mark.parametrize("state", ["fresh", "stale", "missing", "damaged"])
def test_check_says_what_to_do(source, capsys, state):
    output = source.with_name("patterns.txt")
    run("compile", source)
    if state == "stale":
        source.write_text(changed("priority: 900", "priority: 901"), encoding="utf-8")
    elif state == "missing":
        output.unlink()
    elif state == "damaged":
        output.write_bytes(output.read_bytes().replace(b"Take", b"Fake"))
    before = output.read_bytes() if output.exists() else None
    capsys.readouterr()
    assert run("compile", source, "--check") == (0 if state == "fresh" else 1)
    told = capsys.readouterr().err
    words = {"fresh": "", "stale": "is stale", "missing": "is missing", "damaged": "checksum"}
    assert words[state] in told and ("littlego compile" in told) == (state != "fresh")
    assert (output.read_bytes() if output.exists() else None) == before


def test_a_missing_source_could_not_run(tmp_path, capsys):
    assert run("compile", tmp_path / "patterns.yaml") == 2
    assert "cannot read" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["patterns.yaml", "link.yaml"])
def test_the_source_is_never_the_output(source, capsys, name):
    source.with_name("link.yaml").symlink_to(source)
    assert run("compile", source, "-o", source.with_name(name)) == 2
    assert source.read_text(encoding="utf-8") == FILE and "it is the source" in capsys.readouterr().err


def test_the_file_of_this_folder_is_meant_where_none_is_named(source, monkeypatch, capsys):
    monkeypatch.chdir(source.parent)
    assert run("compile") == 0
    assert source.with_name("patterns.txt").read_bytes() == compiled(FILE)
    source.unlink()
    assert run("compile", "--check", "--no-examples") == 0
    assert str(ROOT / "patterns.yaml") in capsys.readouterr().err


def test_nothing_is_written_into_the_installed_package(source, monkeypatch, capsys):
    monkeypatch.setattr(files, "INSTALLED", True)
    monkeypatch.setattr(files, "PACKAGE", source.parent)
    for words in (["compile", source], ["dev", "schema", "-o", source.with_name("schema.json")]):
        assert run(*words) == 2
        assert "littlego init" in capsys.readouterr().err
    assert list(source.parent.iterdir()) == [source]
    assert run("compile", "--check", source) == 1


def test_a_missing_folder_could_not_run(source, tmp_path, capsys):
    assert run("compile", source, "-o", tmp_path / "nowhere" / "patterns.txt") == 2
    assert "cannot write" in capsys.readouterr().err


def test_what_the_player_cannot_read_is_never_written(tmp_path):
    path = tmp_path / "patterns.txt"
    path.write_bytes(b"old")
    with pytest.raises(patternfile.PatternFileError):
        write(compiled(FILE)[:-10], path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "patterns.txt"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", lambda *names: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError):
        write(compiled(FILE), path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_without_pyyaml_one_line_says_how_to_install_it(source):
    command = [sys.executable, "-c", COMMAND, str(source)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 2 and found.stderr.count("\n") == 1
    assert "yaml" in found.stderr and "pip install" in found.stderr


COMMAND = """
import sys
sys.modules["yaml"] = None
from littlego.cli.main import main
sys.exit(main(["compile", sys.argv[1]]))
"""


def test_a_check_loads_what_it_needs_and_no_more(source):
    count = "print(sum(name.partition('.')[0] in ('rules', 'tools') for name in sys.modules), file=sys.stderr)"
    program = f"import sys; from littlego.cli.main import main; main(['compile', '--check']); {count}"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert int(done.stderr) <= 76, done.stderr  # twelve of the modules define facts for large boards


def test_facts_lists_every_fact_with_its_arguments(capsys):
    assert run("facts") == 0
    told = capsys.readouterr().out
    assert "shared_liberties(A, B)  Liberties that A and B share" in told and "moves_left " in told


def test_a_program_that_the_player_cannot_read_is_never_written(tmp_path):
    body = compiled(FILE).partition(b"\n")[2].replace(b"~A liberties", b"~B liberties")
    head = f"littlego-patterns 2 little-go {binascii.crc32(body):08x} 0 1 5\n"
    with pytest.raises(patternfile.PatternFileError, match="take: unreadable program"):
        write(head.encode() + body, tmp_path / "patterns.txt")
    assert list(tmp_path.iterdir()) == []


def faulty_files_of(*wanted: str) -> list[Path]:
    files = sorted((ROOT / "tests" / "data" / "faulty_patterns").glob("*.yaml"))
    told = ((path, expected_problems(path.read_text(encoding="utf-8", errors="replace"))) for path in files)
    return [path for path, places in told if any(place.endswith(wanted) for place, _ in places)]


@pytest.mark.parametrize("path", faulty_files_of("L201", "L202", "L211", "P070"), ids=lambda path: path.stem)
def test_compile_says_of_what_does_not_compile_what_check_says(path, tmp_path, capsys):
    assert run("compile", path, "-o", tmp_path / "patterns.txt") == 1
    *told, last = capsys.readouterr().err.splitlines()
    errors = [one for one in checked(path.read_bytes(), short_name(path)).problems if one.severity == ERROR]
    assert told == [line for problem in errors for line in problem_lines(problem)]
    assert last.startswith(f"{plural(len(errors), 'problem')}; ") and "is not changed" in last
