"""Tests that commands in an author's folder use the folder's patterns, and change no shipped file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from littlego.cli.main import COMMANDS, main
from littlego.engines.books import tell_once
from littlego.paths import DECISIONS, HOME, MATCH_DECISIONS, MATCH_TXT, OVERRIDES, PATTERNS_TXT, PATTERNS_YAML
from littlego.players.zero.player import WEIGHTS
from littlego.truth.labels import WORKING, decider
from littlego.truth.labels.labels import load
from littlego.truth.proof.settings import Settings

OWN = "point-below-an-empty-corner"
ENTRY = f"""
  - id: {OWN}
    class: edge
    summary: "An empty corner is taken first, whatever else the board asks for."
    priority: 990
    diagram: |
      + - -
      | . .
      | . *
    examples:
      matches:
        - board: |
            {{board}}
          move: 1,1
      no_match:
        - board: |
            {{board}}
          move: 2,2
"""
SHIPPED = (PATTERNS_YAML, PATTERNS_TXT, MATCH_TXT, OVERRIDES, DECISIONS, MATCH_DECISIONS)
GAMES = {5: "(;GM[1]FF[4]SZ[5]KM[2.5];B[cc];W[bb])", 9: "(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[cc])"}
FILES = {5: ("little-go", "patterns"), 9: ("match", "patterns.match")}


KEPT = ("pass-to-win\n", "take-the-free-centre\n", "toward-the-centre\n", "centre-of-a-small-board\n")
ENTRY_START = "\n  - id: "


def empty_rows(size: int) -> str:
    """Return the rows of an empty board, indented as in an example."""
    return ("\n" + 12 * " ").join([" ".join("." * size)] * size)


def make_folder(folder: Path, size: int) -> Path:
    """Create an author's folder for a board size, with one pattern added and compiled."""
    ruleset, stem = FILES[size]
    assert main(["init", str(folder), "--ruleset", ruleset]) == 0
    source = folder / f"{stem}.yaml"
    head, *entries = source.read_text(encoding="utf-8").rstrip("\n").split(ENTRY_START)
    kept = [entry for entry in entries if entry.startswith(KEPT)]  # few patterns, because `check` takes long with many
    text = ENTRY_START.join([head, *kept]).rstrip("\n")
    source.write_text(f"{text}\n{ENTRY.format(board=empty_rows(size))}", encoding="utf-8")
    assert main(["compile", str(source)]) == 0
    (folder / "game.sgf").write_text(GAMES[size])
    (folder / "empty.txt").write_text("\n".join(["." * size] * size) + "\n")
    return folder


@pytest.fixture(scope="module", params=[5, 9])
def made(request, tmp_path_factory):
    """Return an author's folder and its board size."""
    return make_folder(tmp_path_factory.mktemp("author") / "mine", request.param), request.param


@pytest.fixture
def author(made, monkeypatch, tmp_path):
    """Enter an author's folder and return its board size; assert afterwards that no shipped file changed."""
    monkeypatch.chdir(shutil.copytree(made[0], tmp_path / "mine"))
    before = [path.read_bytes() for path in SHIPPED]
    yield made[1]
    assert [path.read_bytes() for path in SHIPPED] == before


@pytest.fixture
def small_author(author):
    """Skip the test for the patterns of a match: the tested command is only for Little-Go on 5x5."""
    if author == 9:
        pytest.skip("only for 5x5")


def points_below(size: int) -> set[str]:
    """Return the moves that the author's pattern proposes on an empty board."""
    return {f"{row},{col}" for row in (1, size - 2) for col in (1, size - 2)}


def options_of(size: int) -> list[str]:
    """Return the options with which a playing command plays the game of a board size."""
    return [] if size == 5 else ["--ruleset", "match", "--size", str(size)]


def ruleset_of(size: int) -> list[str]:
    """Return the options that select the patterns of a board size."""
    return [] if size == 5 else ["--ruleset", "match"]


def output_of(capsys, *words: str, status: int = 0) -> str:
    """Run a command and return its standard output."""
    capsys.readouterr()
    assert main([*words]) == status
    return capsys.readouterr().out


# Each command for users, with the test below that shows that the command uses the folder's patterns. The commands
# without a test use no patterns: they grade a class, create a folder, list facts, serve, join, solve, or show ours.
TESTED = {
    "studio": "test_studio_opens_the_file",
    "new": "test_new_adds_to_the_file",
    "check": "test_check_test_and_compile_read_the_file",
    "test": "test_check_test_and_compile_read_the_file",
    "compile": "test_check_test_and_compile_read_the_file",
    "play": "test_our_player_plays_by_the_file",
    "match": "test_our_player_plays_by_the_file",
    "gtp": "test_gtp_plays_by_the_file",
    "grade": "test_grade_plays_by_the_file",
    "arena": "test_arena_names_the_file",
    "submit": "test_submit_hands_in_the_file",
    "annotate": "test_annotate_judges_by_the_file",
    "explain": "test_explain_decides_by_the_file",
    "diff": "test_diff_keeps_a_record_of_the_folder",
    "coverage": "test_coverage_counts_the_pattern",
    "mutate": "test_mutate_tries_the_pattern",
    "prove": "test_prove_judge_and_verify_take_the_player_of_the_folder",
    "judge": "test_prove_judge_and_verify_take_the_player_of_the_folder",
    "verify": "test_prove_judge_and_verify_take_the_player_of_the_folder",
    "zero": "test_zero_doubts_the_player_of_the_folder",
}
WITHOUT_PATTERNS = {"grade-class", "init", "facts", "serve", "join", "site", "solve"}


def test_every_command_is_tried():
    assert {entry.name for entry in COMMANDS} == TESTED.keys() | WITHOUT_PATTERNS
    assert {name for name in TESTED.values() if name not in globals()} == set()


def test_check_test_and_compile_read_the_file(author, capsys):
    assert f"{FILES[author][1]}.yaml" in output_of(capsys, "check", *ruleset_of(author))
    assert "2 of 2 examples hold" in output_of(capsys, "test", OWN, *ruleset_of(author))
    Path(f"{FILES[author][1]}.txt").unlink()
    output_of(capsys, "compile", *ruleset_of(author))
    assert OWN in Path(f"{FILES[author][1]}.txt").read_text()


def test_new_adds_to_the_file(author, capsys):
    source = Path(f"{FILES[author][1]}.yaml")
    before = source.read_text().count(ENTRY_START)
    output_of(capsys, "new", "empty.txt", "--move", "2,2", "--write", "--no-fit", *ruleset_of(author))
    assert OWN in source.read_text() and source.read_text().count(ENTRY_START) == before + 1


def test_explain_decides_by_the_file(author, capsys):
    told = output_of(capsys, "explain", "empty.txt", *ruleset_of(author))
    assert OWN in told
    main(["explain", "empty.txt", *ruleset_of(author)])
    assert f"using {FILES[author][1]}.yaml in this folder" in capsys.readouterr().err


def test_annotate_judges_by_the_file(author, capsys):
    assert OWN in output_of(capsys, "annotate", "game.sgf", "-o", "-")


def test_annotate_judges_another_game_by_the_shipped_file(author, capsys):
    other = 9 if author == 5 else 5
    Path("other.sgf").write_text(GAMES[other])
    (Path(f"{FILES[other][1]}.yaml")).unlink(missing_ok=True)
    capsys.readouterr()
    assert main(["annotate", "other.sgf", "-o", "-"]) == 0
    told = capsys.readouterr()
    assert OWN not in told.out and f"no {FILES[other][1]}.yaml in this folder" in told.err


@pytest.mark.parametrize("black", ["ours", None, "erring:0:ours"])
def test_our_player_plays_by_the_file(author, capsys, black):
    players = [] if black is None else ["--black", black]
    game = json.loads(output_of(capsys, "play", *players, "--white", "random", *options_of(author), "--json", "-"))
    assert game["moves"][0]["move"] in points_below(author)
    series = output_of(capsys, "match", "ours", "random", "--games", "1", *options_of(author), "--json", "-", "-j", "2")
    assert OWN in json.loads(series)["games"][0]["moves"][0]["reason"]


def test_the_file_in_use_is_reported(author, capsys):
    capsys.readouterr()
    tell_once.cache_clear()
    assert main(["match", "ours", "random", "--games", "1", *options_of(author)]) == 0
    assert f"our player uses {FILES[author][1]}.txt in this folder" in capsys.readouterr().err


def run(*words: str, text: str = "") -> str:
    """Run the command line in a separate process with text on standard input; return standard output."""
    command = [sys.executable, "-m", "littlego", *words]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=300).stdout


def test_gtp_plays_by_the_file(author):
    points = {f"{column}{row}" for column in ("B", "D" if author == 5 else "H") for row in (2, author - 1)}
    assert run("gtp", *options_of(author), text="genmove b\nquit\n").split()[1] in points


def test_arena_names_the_file(author, capsys):
    words = ("arena", "gauntlet", "ours", "random", "--pairs", "1", "--keep", "cup.arena", *options_of(author))
    assert main([*words, "-j", "1"]) == 0
    assert f"ours:{FILES[author][1]}.txt" in capsys.readouterr().out
    assert OWN in output_of(capsys, "arena", "sgf", "cup.arena")


def test_coverage_counts_the_pattern(small_author, capsys):
    check_coverage(5, capsys)


@pytest.mark.slow  # slow: surveys the games of engines on boards of 9x9
def test_coverage_counts_the_pattern_of_a_match(author, capsys):
    if author == 9:
        check_coverage(author, capsys)


def check_coverage(author: int, capsys) -> None:
    """Check that `coverage` counts the author's pattern."""
    few = ("--games", "0", "--positions", "1", "--json", "-", "-j", "1")
    told = json.loads(output_of(capsys, "coverage", *few, *ruleset_of(author)))
    assert OWN in json.dumps(told)


def test_mutate_tries_the_pattern(author, capsys):
    assert OWN in output_of(capsys, "mutate", OWN, "--list", *ruleset_of(author))


def test_zero_doubts_the_player_of_the_folder(small_author, monkeypatch):
    seen = []

    class Spy(decider.Decider):
        def __init__(self, book, overrides):
            seen.extend(pattern.id for pattern in book.patterns)
            super().__init__(book, overrides)

    monkeypatch.setattr(decider, "Decider", Spy)
    np.savez("positions.npz", codes=load(WORKING).codes[:1])
    assert main(["zero", "doubts", WEIGHTS, "positions.npz", "--left", "1", "24", "--simulations", "1"]) == 0
    assert OWN in seen


@pytest.mark.slow  # slow: tries all mutants of the pattern in all recorded positions
def test_mutate_records_in_the_folder(small_author):
    main(["mutate", OWN, "--record", "-j", "1"])
    assert Path("decisions.txt").read_text().startswith(DECISIONS.read_text())


@pytest.mark.slow  # slow: decides all recorded positions several times
def test_diff_keeps_a_record_of_the_folder(small_author, capsys):
    check_record(5, capsys)


@pytest.mark.slow  # slow: decides 900 positions of matches several times
def test_diff_keeps_a_record_of_the_folder_of_a_match(author, capsys):
    if author == 9:
        check_record(author, capsys)


def check_record(author: int, capsys) -> None:
    """Check that `diff --accept` creates a record in the folder, which the next `diff` uses."""
    name = "decisions.txt" if author == 5 else "match_decisions.txt"
    assert main(["diff", *ruleset_of(author), "--brief"]) == 1
    told = capsys.readouterr()
    assert f"no {name} yet" in told.err and not Path(name).exists()
    assert main(["diff", *ruleset_of(author), "--accept", "--brief"]) == 0
    assert f"{name}: " in capsys.readouterr().out and Path(name).is_file()
    assert main(["diff", *ruleset_of(author), "--brief"]) == 0
    assert f"using {name}" in capsys.readouterr().err


def test_submit_hands_in_the_file(small_author, monkeypatch, capsys):
    monkeypatch.setattr("littlego.submission.cli.EVERY", 100)
    monkeypatch.setattr("littlego.submission.cli.PLAYED_GAMES", 2)
    monkeypatch.setattr("littlego.submission.cli.ENOUGH", 20)
    assert main(["submit", "handed-in"]) == 0
    assert Path("handed-in", "patterns.txt").read_bytes() == Path("patterns.txt").read_bytes()
    assert not Path("handed-in", "overrides.txt").exists()
    assert "submitting patterns.txt and no overrides.txt from this folder" in capsys.readouterr().err


def test_submit_refuses_what_is_not_compiled(small_author, capsys):
    Path("patterns.txt").unlink()
    assert main(["submit", "handed-in"]) == 1
    assert "littlego compile" in capsys.readouterr().err and not Path("handed-in").exists()


def test_grade_plays_by_the_file(small_author, capsys):
    words = ("grade", "--stage", "1", "--games", "2", "--repetitions", "1", "--json", "-", "-j", "2")
    outcomes = json.loads(output_of(capsys, *words))["outcomes"]
    as_black = [outcome["record"] for outcome in outcomes if outcome["game"]["colour"] == 1]
    assert as_black and {record["moves"][0]["move"] for record in as_black} <= points_below(5)


def test_prove_judge_and_verify_take_the_player_of_the_folder(small_author):
    for name in ("prove", "judge", "verify"):
        command = next(entry for entry in COMMANDS if entry.name == name).load()
        context = command.make_context(name, ["black"] if name != "verify" else [str(HOME / "docs/proof/black.json")])
        settings = Settings(
            **{
                **dict.fromkeys(("bits", "jobs"), 1),
                "folder": Path(),
                **{key: context.params[key] for key in ("patterns", "overrides", "no_overrides")},
            }
        )
        knowledge, overrides = settings.player()
        assert OWN in "\n".join(knowledge.lines) and overrides == {}, name


def test_studio_opens_the_file(author):
    command = next(entry for entry in COMMANDS if entry.name == "studio").load()
    context = command.make_context("studio", ruleset_of(author))
    assert context.params["patterns"] == Path(f"{FILES[author][1]}.yaml")
