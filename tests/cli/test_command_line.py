"""Tests of `python -m littlego`: lazy loading, help, misspelt words, closed streams, and interrupts."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from littlego.cli import main as command_line
from littlego.cli.commandline import Entry

ROOT = Path(__file__).resolve().parents[2]


def run(*args, **options):
    command = [sys.executable, "-m", "littlego", *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, **options)


def test_without_a_command_it_is_wrong_usage():
    assert run().returncode == 2


def test_help_names_the_commands():
    shown = run("--help").stdout
    assert all(name in shown for name in ("play", "match", "explain", "compile"))


def with_entry(monkeypatch, entry):
    monkeypatch.setitem(command_line.root.entries, entry.name, entry)


def test_a_room_that_cannot_be_loaded_leaves_the_others(monkeypatch, capsys):
    with_entry(monkeypatch, Entry("vanish", "More", "littlego.nowhere.cli:vanish", "Nothing."))
    assert command_line.main(["vanish", "--what", "ever"]) == 2
    assert "littlego: this part is not installed" in capsys.readouterr().err
    assert command_line.main(["match", "random", "greedy", "--games", "1", "--jobs", "1"]) == 0


@pytest.mark.parametrize("module, wanted", [("yaml", "pip install -e ."), ("dask", "pip install -e '.[cluster]'")])
def test_a_missing_module_is_named_with_how_to_install(monkeypatch, capsys, module, wanted):
    class Vanishing(Entry):
        def load(self):
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    with_entry(monkeypatch, Vanishing("vanish", "More", "x:y", "Nothing."))
    assert command_line.main(["vanish"]) == 2
    shown = capsys.readouterr().err
    assert f"needs the Python module {module}" in shown and wanted in shown


def test_every_command_of_the_table_loads_and_has_help(capsys):
    commands = [[name] for name in command_line.root.entries] + [["dev", name] for name in command_line.dev.entries]
    for words in commands:
        assert command_line.main([*words, "--help"]) == 0, words
        assert "usage" in capsys.readouterr().out.lower(), words


def test_the_front_door_has_at_most_27_commands_in_four_groups(capsys):
    command_line.main(["--help"])
    shown = capsys.readouterr().out
    assert len(command_line.root.entries) <= 27
    assert re.findall(r"^(\w[\w ]+):$", shown, re.MULTILINE) == [
        "Options",
        "Write patterns",
        "Play",
        "Grade",
        "Analyse",
    ]
    assert not re.search(r"^  (help|completion|dev) ", shown, re.MULTILINE)


def test_no_help_loads_what_is_compiled_at_once():
    """In a fresh clone, compiling the engine takes half a minute, and the solver's search ten seconds."""
    code = "import sys\nfrom littlego.cli.main import dev, main, root\n"
    code += "for name in root.entries: main([name, '--help'])\nfor name in dev.entries: main(['dev', name, '--help'])\n"
    slow = ["littlego.engines.compiled.engine", "littlego.truth.solver.search"]
    code += f"sys.exit(any(name in sys.modules for name in {slow}))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.DEVNULL, timeout=60).returncode == 0


def test_without_an_install_one_line_says_how():
    command = [sys.executable, "-S", "-E", "-m", "littlego", "match", "ours", "random"]
    done = subprocess.run(command, cwd=ROOT / "tools", capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "pip install -e ." in done.stderr


def test_a_misspelt_command_is_put_right(capsys):
    assert command_line.main(["chekc"]) == 2
    assert "Did you mean check" in capsys.readouterr().err


def test_an_option_is_put_right_by_options_alone(capsys):
    assert command_line.main(["explain", "--lefft", "board.txt"]) == 2
    assert "No such option: --lefft. Did you mean --left" in capsys.readouterr().err


def test_a_missing_value_shows_the_command_s_own_usage(capsys):
    assert command_line.main(["explain", "--without"]) == 2
    assert "Usage: littlego explain [OPTIONS] FILE" in capsys.readouterr().err


def test_long_options_may_be_cut_short_where_one_alone_begins_so(tmp_path, capsys):
    board = tmp_path / "board.txt"
    board.write_text(". . . . .\n" * 5)
    assert command_line.main(["explain", str(board), "--col", "white", "--lef=3"]) == 0
    assert "White (O) to play move 22 (3 left" in capsys.readouterr().out
    assert command_line.main(["explain", str(board), "--wh"]) == 2  # --what-if or --why-not
    assert "No such option: --wh" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, completion",
    [
        ("littlego explain ", "file,"),
        ("littlego check -f ", "file,"),
        ("littlego help mut", "plain,mutate"),
        ("littlego dev ben", "plain,bench"),
        ("littlego help dev ben", "plain,bench"),
    ],
)
def test_files_and_names_are_completed(words, completion):
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_LITTLEGO_COMPLETE": "bash_complete"}
    assert run(env={**os.environ, **asked}).stdout.strip() == completion


def test_help_of_a_command_is_its_help(capsys):
    assert command_line.main(["help", "completion"]) == 0
    assert "bash" in capsys.readouterr().out
    assert command_line.main(["help", "dev", "bench"]) == 0
    assert "Usage: littlego dev bench" in capsys.readouterr().out
    assert command_line.main(["help", "nonsense"]) == 2


def test_completion_names_commands(capsys, monkeypatch):
    monkeypatch.setenv("_LITTLEGO_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "littlego che")
    monkeypatch.setenv("COMP_CWORD", "1")
    command_line.main([])
    assert "plain,check" in capsys.readouterr().out


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_a_closed_pipe_is_quiet():
    command = f"{sys.executable} -m littlego play --black random --white greedy | head -n 2"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and len(done.stdout.splitlines()) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize(
    ("command", "unbuffered"), [("--help", ""), ("facts", ""), ("facts", "1"), ("check --no-exact --json", "")]
)
def test_a_full_disk_behind_standard_output_is_a_line(command, unbuffered):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "littlego", *command.split()],
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
        [sys.executable, "-m", "littlego", "facts"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.close(1),
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_notices_do_not_spoil_json_where_standard_error_is_closed(tmp_path):
    (tmp_path / "board.txt").write_text(". . . . .\n" * 5)
    command = [sys.executable, "-m", "littlego", "explain", "board.txt", "--json", "-"]
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    shell = ["sh", "-c", '"$@" 2>&-', "sh", *command]  # the folder has no patterns.yaml, which the command reports
    done = subprocess.run(shell, cwd=tmp_path, env=there, stdout=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 0 and json.loads(done.stdout)


@pytest.mark.parametrize(
    "command",
    ["dev clusters", "dev grade-patterns", "dev label", "dev mine", "prove white", "dev tune", "dev weigh"],
)
def test_patterns_of_a_match_are_refused_where_positions_are_solved(command, capsys):
    assert command_line.main([*command.split(), "-f", str(ROOT / "patterns.match.yaml")]) == 2
    said = capsys.readouterr().err
    assert said == (
        "littlego: patterns.match.yaml is for match; expected patterns for little-go, because only its positions can "
        "be solved\n"
    )


def play_and_raise(monkeypatch, error: BaseException, cause: BaseException | None = None) -> int:
    """Run a command that raises this exception, and return its exit status."""

    def fail(*_):
        raise error from cause

    monkeypatch.setattr("littlego.players.cli.end_text", fail)
    return command_line.main(["play", "--black", "random", "--brief"])


@pytest.mark.parametrize(
    "raised",
    [
        (KeyboardInterrupt(),),
        (SystemError("returned a result"), KeyboardInterrupt()),
        (RuntimeError("in a name"), KeyboardInterrupt()),
    ],
)
def test_ctrl_c_is_told_where_a_command_says_nothing_of_its_own(monkeypatch, capsys, raised):
    assert play_and_raise(monkeypatch, *raised) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


def test_a_signal_in_compiled_code_ends_with_its_status_and_a_fault_stays_one(monkeypatch):
    with pytest.raises(SystemExit) as end:
        play_and_raise(monkeypatch, SystemError("returned a result"), SystemExit(143))
    assert end.value.code == 143
    with pytest.raises(SystemError, match="a fault"):
        play_and_raise(monkeypatch, SystemError("a fault"))


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_name_that_the_terminal_cannot_show_is_shown_as_escapes(tmp_path, words):
    path = tmp_path / "mün☃.yaml"
    path.write_text("ruleset: little-go\npatterns: []\n")
    done = run("check", "--no-exact", str(path), *words, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1 and done.stderr == ""
    shown = json.loads(done.stdout)["file"] if words else done.stdout
    assert shown.endswith("mün☃.yaml") if words else r"m\xfcn\u2603.yaml: 0 patterns" in shown
