"""Tests that hostile text neither controls a user's terminal nor forges a line of output."""

from __future__ import annotations

import json
import re
import sys

import pytest
from hostile_text import HOSTILE, PAINTED, PLACES, hostile_patterns, steering, write_patterns
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from littlego import cache
from littlego.arena.compliance import NOTE, Finding, finding_lines
from littlego.cli.main import main
from littlego.files import LARGEST_INPUT
from littlego.match.series import Pairing, play_game
from littlego.paths import HOME
from littlego.players.registry import player_for
from littlego.printable import printable
from littlego.records.sgf_writing import record_sgf

BOARD = "X . . . .\n" + 4 * ". . . . .\n"
DRAWN_TWICE = [HealthCheck.function_scoped_fixture]  # allowed, since each run overwrites the files of the previous run


def run(capsys, *words):
    """Run a command, assert that its output contains no control character, and return (status, output)."""
    status = main(list(map(str, words)))
    said = capsys.readouterr()
    assert not steering(said.out) and not steering(said.err), (words, said)
    return status, said.out + said.err


@pytest.mark.parametrize("place", PLACES)
def test_a_patterns_file_is_checked_and_compiled_as_text(tmp_path, capsys, place):
    path = write_patterns(tmp_path, hostile_patterns(place, PAINTED))
    for words in ["check", path, "--no-exact"], ["check", path, "--no-exact", "--format", "github"], ["compile", path]:
        assert run(capsys, *words)[0] == 1
    assert not (tmp_path / "patterns.txt").exists()


@pytest.mark.parametrize("place", ["key of the file", "key", "id", "priority", "forbid", "tags", "YAML tag"])
def test_what_is_quoted_is_seen_as_it_is(tmp_path, capsys, place):
    _, said = run(capsys, "compile", write_patterns(tmp_path, hostile_patterns(place, PAINTED)))
    assert "`\\x1b[2J\\x1b[1;1H\\x9b8m" in said and "é[red]\\u202e" in said


@settings(max_examples=40, deadline=None, suppress_health_check=DRAWN_TWICE)
@given(place=st.sampled_from(sorted(PLACES)), text=HOSTILE)
def test_any_text_in_any_place_is_shown_as_text(tmp_path, capsys, place, text):
    path = write_patterns(tmp_path, hostile_patterns(place, text))
    # the other commands report mistakes in the same way, but run long if there is no mistake
    run(capsys, "test", "-f", path)


@settings(max_examples=40, deadline=None, suppress_health_check=DRAWN_TWICE)
@given(at=st.integers(0, 600), text=HOSTILE)
def test_any_text_between_any_two_characters_is_shown_as_text(tmp_path, capsys, at, text):
    whole = hostile_patterns("id", "take").replace('"take"', "take")
    path = write_patterns(tmp_path, whole[:at] + text + whole[at:])
    run(capsys, "test", "-f", path)


@pytest.mark.parametrize(
    "words",
    [
        ["test", "-f", "patterns.yaml"],
        ["diff", "patterns.yaml", "patterns.yaml"],
        ["explain", "board.txt", "-f", "patterns.yaml"],
        ["coverage"],
        ["mutate"],
        ["dev", "gallery", "patterns.yaml", "-o", "page.html"],
        ["new", "board.txt", "--move", "2,2", "-f", "patterns.yaml", "--write"],
        ["match", "ours:patterns.yaml", "random", "--games", "2", "--jobs", "1"],
        ["play", "--black", "ours:patterns.yaml", "--white", "random"],
    ],
    ids=lambda words: words[0],
)
def test_commands_that_need_the_patterns_refuse_them_in_text(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text(BOARD)
    write_patterns(tmp_path, hostile_patterns("key", PAINTED))
    status, said = run(capsys, *words)
    assert status in (1, 2) and "\\x1b[2J" in said


@pytest.mark.parametrize(
    "words", [["check"], ["compile"], ["test", "-f"], ["explain"], ["diff"], ["new", "--move", "2,2"], [""]]
)
@pytest.mark.parametrize("exists", [True, False])
def test_names_of_files_are_text(tmp_path, monkeypatch, capsys, words, exists):
    """The file's name contains a lone surrogate, which represents an undecodable byte. The file may be missing."""
    monkeypatch.chdir(tmp_path)
    name = PAINTED.replace("/", "") + "\udcff\n.yaml"
    if exists:
        (tmp_path / name).write_text("?")
    assert run(capsys, *words, name)[0] in (1, 2)


RECORDS = {
    "player of an SGF": "(;FF[4]SZ[5]PB[{}]PW[{}]C[{}];B[cc]C[{}];W[cc])",
    "move of an SGF": "(;FF[4]SZ[5];B[{}])",
    "size of an SGF": "(;FF[4]SZ[{}];B[cc])",
    "broken SGF": "(;FF[4]SZ[5];B[cc] {} ",
    "move": '{{"moves": [{{"move": "{}"}}]}}',
    "ruleset": '{{"ruleset": "{}", "moves": []}}',
    "broken JSON": '{{"moves": {} ',
    "board": ". . . . .\n. . {} . .\n. . . . .\n. . . . .\n. . . . .\n",
    "input.txt": "1\n{}\n",
}


@settings(max_examples=60, deadline=None, suppress_health_check=DRAWN_TWICE)
@given(kind=st.sampled_from(sorted(RECORDS)), text=HOSTILE, raw=st.booleans())
def test_records_and_boards_are_shown_as_text(tmp_path, capsys, kind, text, raw):
    text = text if raw else json.dumps(text)[1:-1]
    path = write_patterns(tmp_path, RECORDS[kind].replace("{{", "{").replace("}}", "}").replace("{}", text), "record")
    run(capsys, "explain", path, "-f", "patterns.txt")


# A program that writes escapes wherever it can: to standard error, to output.txt, into a file name.
PAINTER = """
import sys
open('\\x1b[2J\\n\\u202e.dat', 'w').close()
sys.stderr.buffer.write(b'all is fine\\n\\x1b[1A\\x1b[2K90 of 90 \\xe2\\x80\\xae[red]\\x9b8m\\xff')
open('output.txt', 'w').write(%r)
"""


@pytest.mark.parametrize("answer", ["\x1b[2J\x1b[32m90", "9,9"])
def test_a_program_that_plays_is_quoted_as_text(tmp_path, capsys, answer):
    program = tmp_path / "painter.py"
    program.write_text(PAINTER % answer)
    words = ["play", "--black", f"file:{sys.executable} -S {program}", "--white", "random"]
    status, said = run(capsys, *words)
    assert "lost" in said and "\\x1b[1A\\x1b[2K90 of 90 \\u202e[red]" in said


def test_a_program_that_is_graded_is_quoted_as_text(tmp_path, monkeypatch, capsys):
    """The report quotes the program's last error output and its leftover files, one line each."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text(PAINTER % "9,9")
    status, said = run(capsys, "grade", "theirs", "--stage", "1", "--games", "2", "--repetitions", "1", "--jobs", "1")
    assert status == 1 and "\\x1b[1A\\x1b[2K90 of 90 \\u202e[red]" in said
    assert re.search(r"^ +\d+  \\x1b\[2J \\u202e\.dat$", said, re.MULTILINE)


FORGED = "theirs\nlittlego: all is well"  # if printed as it is, the second part would be a separate line of output
ODD = "theirs\udcff"  # Python's form of a byte that is not UTF-8
COMMANDS = {
    "grade": ["grade", "{}", "--stage", "1", "--games", "2", "--repetitions", "1", "--sgf", "lost", "--keep", "kept"],
    "play": ["play", "--black", "folder:{}", "--white", "random", "--sgf", "game.sgf", "--json", "game.json"],
    "match": ["match", "folder:{}", "random", "--games", "2", "--jobs", "1"],
    "gauntlet": ["arena", "gauntlet", "folder:{}", "random", "--pairs", "1", "--jobs", "1", "--keep", "t.sqlite"],
    "round-robin": ["arena", "round-robin", "{}/patterns.txt", "random", "--pairs", "1", "--keep", "t.sqlite"],
    "check": ["arena", "check", "folder:{}"],
    "command": ["arena", "check", "file:cat {}/my_player3.py"],
    "erring": ["match", "erring:0.5:folder:{}", "random", "--games", "2", "--jobs", "1"],
}


@pytest.mark.parametrize("name", [FORGED, ODD], ids=["forged", "odd"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_player_whose_name_is_no_line_of_text_is_refused_before_any_game(
    tmp_path, monkeypatch, capsys, command, name
):
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    (tmp_path / name / "my_player3.py").write_text("open('output.txt', 'w').write('PASS')")
    before = set(tmp_path.iterdir())
    status, said = run(capsys, *[word.replace("{}", name) for word in COMMANDS[command]])
    assert status == 2 and printable(name) in said and "rename the file or folder, or use a link to it" in said
    assert not [line for line in said.splitlines() if line.startswith("littlego: all")]
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", [FORGED, ODD], ids=["forged", "odd"])
def test_a_player_in_a_folder_whose_name_is_no_line_is_refused_too(tmp_path, monkeypatch, capsys, name):
    (tmp_path / name / "theirs").mkdir(parents=True)
    (tmp_path / name / "theirs" / "my_player3.py").write_text("")
    monkeypatch.chdir(tmp_path / name)
    status, said = run(capsys, "arena", "gauntlet", "folder:theirs", "random", "--pairs", "1", "--keep", "t.sqlite")
    assert (
        status == 2
        and "a player's name must be one line of UTF-8 text" in said
        and not (tmp_path / name / "t.sqlite").exists()
    )


def test_markup_in_a_players_name_is_text_everywhere(tmp_path, monkeypatch, capsys):
    """The test covers the terminal, a tournament's page and a record in SGF.

    The terminal's library has its own markup.
    """
    monkeypatch.chdir(tmp_path)
    name = "<b onclick=x>[red]&amp\u202e[bold].txt"
    (tmp_path / name).write_bytes((HOME / "patterns.txt").read_bytes())
    shown = printable(name)
    few = ["--pairs", "1", "--jobs", "1", "--keep", "t.sqlite"]
    for words in (
        ["play", "--black", name, "--white", "random", "--brief", "--sgf", "game.sgf"],
        ["match", name, "random", "--games", "2", "--jobs", "1"],
        ["arena", "gauntlet", name, "random", *few],
        ["arena", "table", "t.sqlite"],
        ["arena", "games", "t.sqlite"],
    ):
        status, said = run(capsys, *words)
        assert status == 0 and shown in "".join(said.split("\n")), words
    assert run(capsys, "arena", "report", "t.sqlite", "--output", "report", "--exact", "0", "-j", "1")[0] == 0
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "<b onclick" not in page and "&lt;b onclick=x&gt;[red]&amp;amp" in page
    assert "<b onclick=x>[red\\]&amp\\\\u202e" in (tmp_path / "game.sgf").read_text(encoding="utf-8")


def test_names_and_words_in_an_sgf_are_text():
    game = play_game(Pairing(0, "random", "greedy", 1), player_for)
    moves = tuple(move._replace(note=PAINTED + "\udcff") for move in game.moves)
    sgf = record_sgf(game._replace(players=(FORGED, ODD), moves=moves), about=PAINTED + "\udcff")
    assert not steering(sgf) and "PB[theirs\\\\nlittlego" in sgf and "PW[theirs\\\\udcff]" in sgf


def test_what_is_found_about_a_program_stays_in_its_line():
    lines = list(
        finding_lines({"file:a\nb": [Finding(NOTE, "leaves files in its work folder: a\n  fine     all\x1b[2J")]})
    )
    assert lines == ["file:a\\nb", "  note     leaves files in its work folder: a\\n  fine     all\\x1b[2J"]


@pytest.mark.parametrize(
    "words",
    [["check"], ["compile"], ["test", "-f"], ["explain"], ["diff"], ["dev", "gallery"], ["new", "--move", "2,2"]],
)
def test_a_file_without_end_is_refused_in_a_line(tmp_path, capsys, words):
    path = tmp_path / "endless"
    with open(path, "wb") as file:
        file.truncate(LARGEST_INPUT + 1)  # takes no room
    status, said = run(capsys, *words, path)
    assert status == 2 and "it exceeds the limit of" in said and said.count("\n") == 1
