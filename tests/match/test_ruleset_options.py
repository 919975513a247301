"""Tests of `--ruleset`, `--size`, `--komi` and `--no-pass-stones`: meanings and conflicts."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from littlego.cli.arguments import ArgumentError
from littlego.games.game import game_named
from littlego.games.little_go import little_go_of
from littlego.games.match import KOMI2, match_rules
from littlego.match.ruleset_options import minutes_option, ruleset_options
from littlego.rules.ruleset import LITTLE_GO


@click.command()
@minutes_option
@ruleset_options
def command(ruleset, minutes):
    """Print the requested ruleset and minutes."""
    click.echo(f"{ruleset.name} {minutes}")


def ask(*words):
    """Run the command; return its exit status and its output, or ("error", message) for an ArgumentError."""
    result = CliRunner().invoke(command, words)
    if isinstance(result.exception, ArgumentError):
        return "error", str(result.exception)
    return result.exit_code, result.output.strip()


ASKED = [
    ("", "little-go None"),
    ("--size 5", "little-go None"),
    ("--size 9", "little-go-9 None"),
    ("--size 2", "little-go-2 None"),
    ("--ruleset match", "match None"),
    ("--ruleset match --size 5", "match-5 None"),
    ("--ruleset match --komi 6.5", "match None"),
    ("--ruleset match --size 9 --komi 0", "match-9-komi0 None"),
    ("--ruleset match --komi -1000", "match-komi-1000 None"),
    ("--ruleset match --size 13 --komi 7.5 --no-pass-stones", "match-13-no-pass-stones-komi7.5 None"),
    ("--ruleset match --minutes 0.25", "match 0.25"),
]


@pytest.mark.parametrize(("words", "name"), ASKED, ids=[words or "nothing" for words, _ in ASKED])
def test_what_is_asked_for(words, name):
    assert ask(*words.split()) == (0, name)


KOMI = "expected a whole or a half number, such as 6.5, from -1000 to 1000"
WRONG = [
    ("--ruleset match --size 4", "--size 4: a match is played on boards of 5 to 19"),
    ("--ruleset match --komi 6.25", f"--komi 6.25: {KOMI}"),
    ("--ruleset match --komi 1000.5", f"--komi 1000.5: {KOMI}"),
    ("--ruleset match --komi -1e300", f"--komi -1e+300: {KOMI}"),
    ("--ruleset match --komi nan", f"--komi nan: {KOMI}"),
    ("--ruleset match --komi inf", f"--komi inf: {KOMI}"),
    ("--komi 6.5", "--komi requires --ruleset match; little-go has a komi of half the board's size"),
    ("--no-pass-stones", "--no-pass-stones requires --ruleset match; "),
    ("--size 9 --komi 4.5 --ruleset little-go", "--komi requires --ruleset match; "),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[words for words, _ in WRONG])
def test_what_does_not_fit_together(words, message):
    status, said = ask(*words.split())
    assert status == "error" and said.startswith(message) and "\n" not in said


@pytest.mark.parametrize(
    "words",
    ["--size 1", "--size 20", "--size x", "--ruleset go", "--komi x", "--minutes 0", "--minutes nan", "--minutes 1441"],
)
def test_what_no_ruleset_takes(words):
    status, said = ask("--ruleset", "match", *words.split()) if "ruleset" not in words else ask(*words.split())
    assert status == 2 and "Invalid value" in said


def test_the_default_is_the_courses_game():
    assert game_named("little-go").with_options(None, None, True) is LITTLE_GO
    assert game_named("little-go").with_options(7, None, True) is little_go_of(7)
    assert game_named("match").with_options(None, None, True) is match_rules(19, KOMI2, True)


def test_what_is_done_is_kept_apart_from_what_is_asked():
    assert command.name == "command" and command.help == "Print the requested ruleset and minutes."
    assert {option.name for option in command.params} == {"minutes", "game", "size", "komi", "no_pass_stones"}
