"""Tests of `littlego completion` in real shells, for commands, options, players and files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from littlego.cli import main as command_line

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
CODE = str(Path(command_line.__file__).parents[2])
# Scripts that print a shell's completions of "$words", one per line; the last word is incomplete.
ASK = {
    "bash": """
compopt() {{ COMPREPLY=($(compgen -f -- "${{COMP_WORDS[-1]}}")); }}  # the builtin works inside a completion only
eval "$(littlego completion bash)"
COMP_WORDS=({line}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_littlego_completion littlego
printf '%s\\n' "${{COMPREPLY[@]}}"
""",
    "zsh": """
compdef() {{ :; }}  # completion functions exist only in an interactive shell
compadd() {{ print -l -- $completions; }}
_describe() {{ print -l -- ${{completions_with_descriptions%%:*}}; }}
_path_files() {{ print -l -- *; }}
eval "$(littlego completion zsh)"
words=({line}) CURRENT=${{#words}}
_littlego_completion
""",
    "fish": """
littlego completion fish | source
complete -C "{line}"
""",
}
SHELLS = [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"needs {name}")) for name in ASK
]


@pytest.mark.parametrize("shell", ASK)
def test_the_script_is_printed(shell, capsys):
    assert command_line.main(["completion", shell]) == 0
    shown = capsys.readouterr()
    assert f"_LITTLEGO_COMPLETE={shell}_complete" in shown.out and "\\x" not in shown.out and shown.err == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_accepts_the_script(shell, capsys):
    command_line.main(["completion", shell])
    script = capsys.readouterr().out
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def completions(shell, line, folder):
    """Return a shell's completions for the last word of a command line, in a folder."""
    (folder / "bin").mkdir()
    command = folder / "bin" / "littlego"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={CODE} exec {sys.executable} -m littlego "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", "HOME": str(folder)}
    quiet = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    script = ASK[shell].format(line=line)
    done = subprocess.run(
        [shell, *quiet, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    return {line.partition("\t")[0] for line in done.stdout.splitlines()}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "line, expected",
    [
        ("littlego che", "check"),
        ("littlego dev be", "bench"),
        ("littlego explain --mo", "--most"),
        ("littlego play --black gre", "greedy"),
        ("littlego check mine", "mine.yaml"),
    ],
)
def test_the_shell_completes(shell, line, expected, tmp_path):
    (tmp_path / "mine.yaml").touch()
    assert expected in completions(shell, line, tmp_path)
