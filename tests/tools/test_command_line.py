"""`python -m tools`: rooms are loaded one by one, and nothing a reader does ends in a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import __main__ as command_line

ROOT = Path(__file__).resolve().parents[2]


def run(*args, **options):
    command = [sys.executable, "-m", "tools", *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, **options)


def test_without_a_command_it_is_wrong_usage():
    assert run().returncode == 2


def test_help_names_the_commands():
    shown = run("--help").stdout
    assert all(name in shown for name in ("play", "match", "explain", "compile"))


def test_a_room_that_cannot_be_loaded_leaves_the_others(monkeypatch, capsys):
    rooms = (("tools.nowhere.cli", ("vanish",)), *command_line.ROOMS)
    monkeypatch.setattr(command_line, "ROOMS", rooms)
    assert command_line.main(["vanish", "--what", "ever"]) == 2
    assert "littlego vanish: this part is not here" in capsys.readouterr().err
    assert command_line.main(["match", "random", "greedy", "--games", "1", "--jobs", "1"]) == 0


@pytest.mark.parametrize("module, extra", [("yaml", "knowledge"), ("markupsafe", "workshop"), ("pytest", "test")])
def test_a_missing_module_names_the_extra(monkeypatch, capsys, module, extra):
    monkeypatch.setattr(command_line, "ROOMS", ((_importing(module), ("compile",)),))
    assert command_line.main(["compile"]) == 2
    wanted = f"littlego compile: needs the Python module {module}: pip install -e '.[{extra}]'"
    assert wanted in capsys.readouterr().err


def _importing(missing):
    class Room:
        @staticmethod
        def add_parsers(subparsers):
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    sys.modules["room_with_a_missing_module"] = Room
    return "room_with_a_missing_module"


def test_play_and_match_need_no_installed_package():
    program = "import sys; from tools.__main__ import main; sys.exit(main(sys.argv[1:]))"
    args = ["match", "ours", "random", "--games", "2", "--jobs", "1"]
    command = [sys.executable, "-S", "-E", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "ours against random: 2 games" in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_a_closed_pipe_is_quiet():
    command = f"{sys.executable} -m tools play --black random --white greedy | head -n 2"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and len(done.stdout.splitlines()) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize(
    ("command", "unbuffered"), [("--help", ""), ("facts", ""), ("facts", "1"), ("check --no-exact --json", "")]
)
def test_a_full_disk_behind_standard_output_is_a_line(command, unbuffered):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tools", *command.split()],
            cwd=ROOT,
            text=True,
            timeout=60,
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 2 and "No space left on device" in done.stderr and done.stderr.count("\n") == 1


def test_a_closed_standard_output_is_no_fault():
    done = subprocess.run(
        [sys.executable, "-m", "tools", "facts"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.close(1),
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_is_told_where_a_command_says_nothing_of_its_own(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("tools.opponents.cli.result_text", interrupted)
    assert command_line.main(["play", "--black", "random", "--brief"]) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_name_that_the_terminal_cannot_show_is_shown_as_escapes(tmp_path, words):
    path = tmp_path / "mün☃.yaml"
    path.write_text("ruleset: little-go\npatterns: []\n")
    done = run("check", "--no-exact", str(path), *words, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1 and done.stderr == ""
    shown = json.loads(done.stdout)["file"] if words else done.stdout
    assert shown.endswith("mün☃.yaml") if words else r"m\xfcn\u2603.yaml: 0 patterns" in shown
