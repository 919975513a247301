"""Tests of the check before a program's first game: it reports faults and accepts correct programs."""

from __future__ import annotations

import json
import re
import sys

import pytest

from littlego import cache
from littlego.arena import compliance as module
from littlego.arena.compliance import FATAL, NOTE, WARNING, check_player, check_unknown, special_turns
from littlego.arena.players import entrants
from littlego.cli.main import main
from littlego.games.game import why_illegal
from littlego.match.referee import Player, Reply
from littlego.rules.position import BLACK, WHITE
from littlego.rules.position import PASS as PASSING
from littlego.sandbox import sandbox
from littlego.sandbox.interpreters import Interpreter

pytestmark = pytest.mark.thorough

# A shell script that passes. Shell scripts start quickly; tests add other commands before or after this line.
PASS = "printf PASS > output.txt\n"
FIRST_MOVE = "! tail -n 10 input.txt | grep -q '[12]'"
LEAVES = "sleep 60 2>&1 >/dev/null & exec 2>&-\n" + PASS
BLACK_LATER = "head -n 1 input.txt | grep -q 1 && tail -n 10 input.txt | grep -q '[12]'"


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Return a function that checks a program's text and returns {severity: joined messages}."""
    for variable in ("HOME", "TMPDIR"):  # the check plays most turns below these folders
        monkeypatch.setenv(variable, str(tmp_path / variable))
        (tmp_path / variable).mkdir()

    def found(text, name="program.sh"):
        (tmp_path / name).write_text(text)
        runs = sys.executable if name.endswith(".py") else "sh"
        texts = {FATAL: "", WARNING: "", NOTE: ""}
        for finding in check_player(entrants([f"file:{runs} {tmp_path / name}"])[0]):
            texts[finding.severity] += finding.text + "\n"
        return texts

    return found


def test_the_special_turns_are_what_they_are_called():
    turns = special_turns()
    assert len(turns) == 8
    for name, turn in turns.items():
        position = turn.position
        assert position.colour == (BLACK if "Black" in name else WHITE)
        stones = (position.black, position.white)
        if "ko" in name:
            point = position.ko.bit_length() - 1
            assert why_illegal(position, point) == "it retakes a ko at once" and turn.previous != stones
        elif "pass" in name:
            assert position.passed and turn.previous == stones and position.left > 2
        elif "last" in name:
            assert position.left == (2 if "Black" in name else 1) and position.legal()
        else:
            assert position.number == (1 if "Black" in name else 2)


def test_a_program_that_keeps_to_the_handout_passes(check):
    found = check(PASS)
    assert found[FATAL] == found[WARNING] == "" and found[NOTE].startswith("CPU per move: mean 0.0")


@pytest.mark.parametrize(
    ("text", "severity", "said"),
    [
        ("true", FATAL, "in a game as White, move 2: White lost: no output.txt was written"),
        ("echo 9,9 > output.txt", FATAL, "illegal move 9,9: off the board"),
        ("echo 2,2 > output.txt", FATAL, "illegal move 2,2: there is a stone already"),
        ("echo pass > output.txt", FATAL, "begins with 'pass'; expected row,column or PASS"),
        (LEAVES, WARNING, "left 1 process running after its move; stopped by the host ("),
        ("printf 'PASS\\r\\n' > output.txt", WARNING, r"contains 'PASS\r\n' where the handout requires 'PASS'"),
        (PASS + "echo oh dear >&2; exit 3", NOTE, "exit status 3; oh dear"),
        (PASS + "echo 1 >> count.dat", NOTE, "leaves files in its work folder: count.dat"),
        (PASS + "echo 1 > $HOME/.settings", WARNING, "outside its work folder: created .../home/.settings"),
        (PASS + "echo 1 > $TMPDIR/scratch", WARNING, "outside its work folder: created .../tmp/scratch"),
        (PASS + ": > input.txt", WARNING, "changes or removes input.txt"),
        (f'test "${{HOME#*littlego-check}}" = "$HOME" && {PASS}', WARNING, "fails with empty HOME and TMPDIR folders"),
        (
            f"if {FIRST_MOVE} && test -e been; then rm been; echo 0,0 > output.txt; else touch been; {PASS}fi",
            WARNING,
            "plays different moves in the same position",
        ),
    ],
)
def test_what_is_wrong_is_found(check, text, severity, said):
    assert said in check(text)[severity]


def test_what_is_written_beside_a_program_is_found(check, monkeypatch):
    text = PASS + "echo 1 >> ${0%/*}/log"
    monkeypatch.setenv("LITTLEGO_SANDBOX", "none")
    assert "outside its work folder: changed" in check(text)[WARNING]
    monkeypatch.delenv("LITTLEGO_SANDBOX")
    if not sandbox.why_not():  # checks for writes outside the work folder
        assert check(text)[WARNING] == ""


SPACES = """
rows = open('input.txt').read().split()[6:]
free = [(i, j) for i in range(5) for j in range(5) if rows[i][j] == '0']
open('output.txt', 'w').write('%d, %d' % free[0])
"""


def test_a_format_is_warned_of_once_with_how_often_it_was_met(check):
    found = check(SPACES, "program.py")
    assert re.fullmatch(
        r"output.txt contains 'i, j' where the handout requires 'i,j'; the course's reader accepts it "
        r"\(\d+ times\)",
        found[WARNING].splitlines()[0],
    )


def test_a_program_that_fails_in_a_special_case_only_is_found(check):
    found = check(f"if {BLACK_LATER}; then echo x > output.txt; else {PASS}fi")  # real games as Black end with move 1
    assert found[FATAL].splitlines() == [
        f"{turn}: output.txt begins with 'x'; expected row,column or PASS"
        for turn in ("a ko that Black must not retake", "a pass by the opponent, Black to move", "Black's last move")
    ]


class Slow(Player):
    """A player that passes and reports 0.6 s of CPU time for each move."""

    def choose(self, turn):
        return Reply(PASSING, 0.6)


def test_a_slow_program_is_warned_of_and_a_late_one_is_fatal(monkeypatch):
    monkeypatch.setattr(module, "player_of", lambda entrant, pair: Slow())
    for limit, severity, said in (
        (2.0, NOTE, "slowest 0.600 s"),
        (1.0, WARNING, "slowest 0.600 s (limit 1 s)"),
        (0.5, FATAL, "used 0.60 s of CPU time; the limit is 0.5 s"),
    ):
        first = check_player(entrants(["random"])[0], limit)[0]
        assert first.severity == severity and said in first.text


WALRUS = "if (number := 1): open('output.txt', 'w').write('PASS')\n"


@pytest.fixture
def no_games(monkeypatch):
    """Make the check skip its games and its special turns, each of which would start a process."""
    monkeypatch.setattr(module, "_play_games", lambda *_: ())
    monkeypatch.setattr(module, "_play_special_turns", lambda *_: ())


def test_without_python_37_the_syntax_is_checked(check, monkeypatch, no_games):
    monkeypatch.setattr(module, "python37", lambda: None)
    found = check(WALRUS, "program.py")
    assert (
        "program.py, line 1, is not valid Python 3.7" in found[WARNING] and "Python 3.7 is not installed" in found[NOTE]
    )
    assert check("open('output.txt', 'w').write('PASS')\n", "program.py")[WARNING] == ""


def test_with_python_37_the_program_is_started_with_it(check, monkeypatch, tmp_path, no_games):
    old = tmp_path / "old-python"
    old.write_text("#!/bin/sh\necho 'SyntaxError: invalid syntax' >&2; exit 1\n")
    old.chmod(0o755)
    monkeypatch.setattr(module, "python37", lambda: Interpreter("3.7", str(old)))
    assert (
        "under the course's Python 3.7: no output.txt was written exit status 1; SyntaxError"
        in (check(WALRUS, "program.py")[WARNING])
    )


def test_an_unknown_program_is_checked_once_as_long_as_it_stays_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    monkeypatch.setattr(module, "Cache", lambda name: cache.Cache(name, tmp_path / "cache"))
    asked = []
    monkeypatch.setattr(module, "check_player", lambda player, limit: asked.append(player.name) or [(WARNING, "hm")])
    program = tmp_path / "program.sh"
    name = f"file:sh {program}"
    for text, times in ((PASS, 1), (PASS, 1), (PASS + " ", 2)):
        program.write_text(text)
        found = check_unknown(entrants([name, "random", "my_player3"]))
        assert found == {name: [(WARNING, "hm")]} and len(asked) == times
    assert capsys.readouterr().err == 2 * f"checking {name} before its first game\n"
    # the program's name comes from the file of a tournament, which a stranger may have forged
    program.write_text("# another")
    check_unknown((entrants([name])[0]._replace(name="theirs\nlittlego: all is well"),))
    assert capsys.readouterr().err == "checking theirs\\nlittlego: all is well before its first game\n"


def test_the_command_says_what_was_found_and_what_cannot_be_seen(tmp_path, capsys):
    (tmp_path / "program.sh").write_text("printf 'PASS\\r\\n' > output.txt")
    (tmp_path / "fine.sh").write_text(PASS)
    bad, fine = (f"file:sh {tmp_path / name}" for name in ("program.sh", "fine.sh"))
    assert main(["arena", "check", fine]) == 0 and "not checked:" in capsys.readouterr().out
    assert main(["arena", "check", fine, bad, "--json", "-"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [one["severity"] for one in found[fine]] == ["note"]
    assert [one["severity"] for one in found[bad]] == ["warning", "note"]


def test_a_tournament_begins_only_if_its_programs_are_fit(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(module, "Cache", lambda name: cache.Cache(name, tmp_path / "cache"))
    (tmp_path / "bad.sh").write_text("true")
    (tmp_path / "rough.sh").write_text("printf 'PASS\\r\\n' > output.txt")
    file = tmp_path / "t.sqlite"
    asked = ["--pairs", "1", "--jobs", "1", "--keep", str(file)]
    assert main(["arena", "gauntlet", "random", f"file:sh {tmp_path / 'bad.sh'}", *asked]) == 2
    assert "fatal" in capsys.readouterr().err and not file.exists()
    rough = f"file:sh {tmp_path / 'rough.sh'}"
    assert main(["arena", "gauntlet", "random", rough, *asked]) == 0
    assert "warning" in capsys.readouterr().err
    from littlego.arena.store import Store

    with Store(file) as store:
        assert [found[0] for found in store.checked()[rough]] == ["warning", "note"]
