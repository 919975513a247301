"""Tests that the command lines in the studio's answers use only existing commands and options."""

from __future__ import annotations

import ast
from pathlib import Path

import click
import pytest

from littlego.cli.main import root
from littlego.editor import methods

EDITOR = Path(methods.__file__).parent


def shown_commands():
    """Yield (place, text) of each f-string in the editor's code that is a command line of `littlego`.

    Each value in the text is replaced by {}.
    """
    for path in sorted(EDITOR.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
                if text.startswith("littlego ") and not text.startswith("littlego {}"):
                    yield f"{path.stem}:{node.lineno}", text


COMMANDS = dict(shown_commands())


def test_the_editor_shows_commands():
    assert len(COMMANDS) > 10


@pytest.mark.parametrize("place", COMMANDS)
def test_a_command_and_its_options_exist(place):
    words = COMMANDS[place].split()[1:]
    command, context = root, click.Context(root)
    while words and isinstance(command, click.Group):
        command = command.get_command(context, words.pop(0))
        assert command is not None, COMMANDS[place]
    options = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    assert {word for word in words if word.startswith("-") and word != "-"} <= options, COMMANDS[place]
