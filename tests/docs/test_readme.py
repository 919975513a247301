"""Tests that all commands in README.md work in a fresh clone, in the order of the page."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from fresh_clone import ROOT, clean_environment, clone_to
from printed_lines import fits

from littlego.dev.regenerate.console_blocks import read_steps

README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(sh|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
IN_TEXT = re.compile(r"`(littlego [^`]+)`")
PLACEHOLDERS = {"COMMAND": "check", "ID": "crosscut", "FILE": "patterns.yaml"}
# Commands that take more than a few seconds. The quick tests check only their arguments; the slow tests run them.
LONGER = ("annotate", "arena", "coverage", "diff", "gallery", "match", "mutate", "new", "solve", "submit")
HOURS = ("dev", "grade", "join", "judge", "prove", "serve", "studio")  # these commands run for hours or until stopped
TYPED = {
    "littlego play --black human": "exit\n",
    "littlego play --ruleset match --black human --white ours --minutes 15": "resign\n",
}
SET_UP = next(text.strip() for _, text in FENCED.findall(README) if "pip install" in text)


class Reader:
    """A user with a fresh clone, set up as README.md describes."""

    def __init__(self, folder: Path):
        self.clone, self.home = folder / "clone", folder / "home"
        for path in (self.clone, self.home):
            path.mkdir()
        clone_to(self.clone)
        self.run(SET_UP)

    def run(self, command: str, typed: str = "", timeout: int = 300) -> tuple[int, list[str]]:
        """Run a command; return its exit status and its printed lines, including errors."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.clone,
            env=clean_environment(self.home, self.clone / ".venv" / "bin"),
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )
        return done.returncode, [line.rstrip() for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> Reader:
    made = Reader(tmp_path_factory.mktemp("reader"))
    status, printed = made.run("command -v littlego && littlego --version")
    assert status == 0 and printed[0] == str(made.clone / ".venv" / "bin" / "littlego"), printed
    for step in read_steps(README):
        status, printed = made.run(step.command)
        shown = "\n".join(printed)
        assert status == 0 and fits(step.printed, printed), f"{step.line}: $ {step.command}\nprints now:\n{shown}"
    return made


def named_in_text() -> list[str]:
    """Return the commands in the sentences and tables of README.md, with their placeholders filled in."""
    filled = re.compile(rf"\b({'|'.join(PLACEHOLDERS)})\b")
    shown = {step.command for step in read_steps(README)}
    found = dict.fromkeys(IN_TEXT.findall(re.sub(r"^```.*?^```$", "", README, flags=re.DOTALL | re.MULTILINE)))
    return [filled.sub(lambda match: PLACEHOLDERS[match[1]], command) for command in found if command not in shown]


def test_the_page_has_what_it_should():
    assert [text.strip() for _, text in FENCED.findall(README)][:2] == ["sh build.sh", "sh test.sh"]
    assert len(read_steps(README)) >= 2 and len(named_in_text()) >= 15
    assert README.count("\n") <= 150


def is_long(command: str, kinds: tuple[str, ...] = (*LONGER, *HOURS)) -> bool:
    return command.split()[1] in kinds


def test_games_are_played_with_nothing_installed(reader):
    status, printed = reader.run("env -u PYTHONPATH sh build.sh --games 2")
    assert status == 0 and sum(line.startswith("my_player3 as ") for line in printed) == 2, printed


@pytest.mark.parametrize("command", [one for one in named_in_text() if not is_long(one)])
def test_a_command_runs(reader, command):
    status, printed = reader.run(command, TYPED.get(command, ""))
    assert status == 0, "\n".join(printed)


@pytest.mark.parametrize("command", [one for one in named_in_text() if is_long(one)])
def test_the_words_of_a_long_command_are_understood(reader, command):
    status, printed = reader.run(f"{command} --help")
    assert status == 0 and printed[0].lower().startswith(f"usage: littlego {command.split()[1]}"), "\n".join(printed)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["sh build.sh", *(one for one in named_in_text() if is_long(one, LONGER))])
def test_a_longer_command_runs(reader, command):
    status, printed = reader.run(command, timeout=3000)
    assert status == 0, "\n".join(printed)


def test_the_lines_of_python_print_the_decision(reader):
    code = next(text for kind, text in FENCED.findall(README) if kind == "python")
    (reader.clone / "lines.py").write_text(code)
    status, printed = reader.run("python lines.py")
    assert status == 0 and printed[0].startswith("(2, 3) 2,3 rather than 1,0: "), printed


def test_every_file_that_is_linked_or_drawn_on_the_map_is_there():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    drawn = re.findall(r"^    ([\w./]+) {2,}", README, re.MULTILINE)
    assert len(links) >= 6 and len(drawn) >= 8
    assert not [name for name in [*links, *drawn] if not (ROOT / name).exists()]
