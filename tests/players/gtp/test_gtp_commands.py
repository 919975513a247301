"""Tests that commands answer like GNU Go, and that wrong arguments give messages and change nothing."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from gtp_talk import Talk, split_answers

from littlego.games.handicap import fixed_handicap
from littlego.games.match import match_rules
from littlego.games.vertices import with_vertices
from littlego.match.series import Pairing, play_game
from littlego.players.gtp.commands import COMMANDS
from littlego.players.ours import OursPlayer
from littlego.players.registry import player_for
from littlego.records.inputs import position_at
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import BLACK, WHITE
from littlego.rules.ruleset import LITTLE_GO

ROOT = Path(__file__).parents[3]
FIELD = ROOT / "tests" / "data" / "field"
GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
needs_gnu_go = pytest.mark.skipif(GNU_GO is None, reason="NOT RUN: GNU Go is not installed (apt install gnugo)")

REQUIRED = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
SETS = "time_settings time_left final_score final_status_list fixed_handicap place_free_handicap set_free_handicap"
MORE = "loadsgf reg_genmove undo showboard cputime gomill-explain_last_move gomill-describe_engine gomill-cpu_time"
OURS = "kata-get-rules kata-set-rules littlego-rules"


def test_all_sets_of_commands_are_there():
    names = Talk().ask("list_commands").removeprefix("= ").splitlines()
    assert set(f"{REQUIRED} {SETS} {MORE} {OURS}".split()) <= set(names)


WRONG = """\
boardsize|boardsize not an integer
boardsize x|boardsize not an integer
boardsize 30|unacceptable size
boardsize 0|unacceptable size
boardsize -5|unacceptable size
komi|komi not a float
komi x|komi not a float
play|invalid color or coordinate
play b|invalid color or coordinate
play b I3|invalid color or coordinate
play b F3|invalid color or coordinate
play b A0|invalid color or coordinate
play b A6|invalid color or coordinate
play b resign|invalid color or coordinate
play x C3|invalid color or coordinate
play b C3|illegal move
play w c3|illegal move
genmove|invalid color
genmove x|invalid color
reg_genmove|invalid color
reg_genmove green|invalid color
fixed_handicap 2|board not empty
place_free_handicap 2|board not empty
set_free_handicap A1 A2|board not empty
time_settings|not three integers
time_settings 1 2|not three integers
time_settings x 2 3|not three integers
time_left|invalid color
time_left q 3 3|invalid color
time_left b 3|time and stones not two integers
time_left b x 3|time and stones not two integers
final_status_list|missing status
final_status_list x|invalid status
loadsgf|missing filename
loadsgf nofile.sgf|cannot open or parse 'nofile.sgf'
foo|unknown command
PLAY b A1|unknown command
"""
WRONG_EMPTY = """\
undo|cannot undo
fixed_handicap|handicap not an integer
fixed_handicap x|handicap not an integer
fixed_handicap 2|invalid handicap
fixed_handicap 0|invalid handicap
fixed_handicap -1|invalid handicap
place_free_handicap|handicap not an integer
place_free_handicap x|handicap not an integer
place_free_handicap 1|invalid handicap
set_free_handicap|invalid handicap
set_free_handicap A1|invalid handicap
set_free_handicap A1 pass|invalid coordinate
set_free_handicap A1 B9|invalid coordinate
set_free_handicap A1 A1|repeated vertex
"""


def rows(table):
    return [line.split("|") for line in table.splitlines()]


@pytest.mark.parametrize(("command", "message"), rows(WRONG))
def test_a_wrong_command_is_refused_and_changes_nothing(command, message):
    talk = Talk()
    talk.ask("play b C3")
    before = talk.session.states, talk.session.komi, talk.session.clock, talk.session.ruleset
    assert talk.ask(command) == f"? {message}"
    assert (talk.session.states, talk.session.komi, talk.session.clock, talk.session.ruleset) == before


@pytest.mark.parametrize(("command", "message"), rows(WRONG_EMPTY))
def test_a_wrong_command_on_the_empty_board(command, message):
    talk = Talk()
    assert talk.ask(command) == f"? {message}" and len(talk.session.states) == 1


def gnu_go(script):
    """Return GNU Go's answers to a script on 5x5, without trailing blanks."""
    command = [GNU_GO, "--mode", "gtp", "--boardsize", "5", "--level", "0"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60)
    return [answer.rstrip() for answer in split_answers(done.stdout)]


@needs_gnu_go
def test_gnu_go_says_the_same_on_wrong_commands():
    for setup, table in (("play b C3\n", WRONG), ("", WRONG_EMPTY)):
        for_each = [f"boardsize 5\nclear_board\n{setup}{command}\n" for command, _ in rows(table)]
        lines = 3 if setup else 2
        said = gnu_go("".join(for_each))
        assert said[lines :: lines + 1] == [f"? {message}" for _, message in rows(table)]


SCRIPT = """\
protocol_version
1 known_command play
known_command foo
2known_command
komi 5.5
7 play b pass
clear_board
play BLACK c3
play w d3
8 play W b2
play b d2
play w D4
undo
final_status_list seki
# a comment
time_settings 900 0 0
time_left b 3 0
komi 1e3
boardsize 9
99 fixed_handicap 4
clear_board
set_free_handicap A1 C3
final_status_list alive
undo
quit
"""


@needs_gnu_go
def test_gnu_go_says_the_same_on_a_whole_script():
    commands = [line for line in SCRIPT.splitlines() if not line.startswith("#")]
    ours, theirs = map(Talk().ask, commands), gnu_go(SCRIPT)
    assert [*zip(commands, ours, strict=True)] == [*zip(commands, theirs, strict=True)]


HANDICAPS = [(size, stones) for size in (6, 7, 8, 9, 11, 12, 13, 14, 19) for stones in range(2, 10)]


@needs_gnu_go
def test_fixed_handicaps_are_gnu_gos():
    script = [f"boardsize {size}\nclear_board\nfixed_handicap {stones}" for size, stones in HANDICAPS]
    talk = Talk()
    assert [talk.ask_all(line)[2] for line in script] == gnu_go("\n".join(script) + "\n")[2::3]


def test_fixed_handicaps_as_the_specification_lists_them():
    talk = Talk()
    assert talk.ask_all("boardsize 9\nfixed_handicap 5") == ["=", "= C7 G7 E5 C3 G3"]
    assert talk.session.position.colour == WHITE and bin(talk.session.position.black).count("1") == 5
    assert [len(fixed_handicap(size, stones)) for size, stones in ((7, 4), (8, 4), (9, 9), (19, 9))] == [4, 4, 9, 9]
    assert talk.ask_all("boardsize 8\nfixed_handicap 5") == ["=", "? invalid handicap"]


@pytest.mark.parametrize(("size", "stones", "placed"), [(5, 2, 2), (5, 30, 9), (9, 4, 4), (9, 40, 25), (19, 13, 13)])
def test_a_free_handicap_is_placed_on_any_board(size, stones, placed):
    talk = Talk()
    talk.ask(f"boardsize {size}")
    vertices = talk.ask(f"place_free_handicap {stones}").removeprefix("= ").split()
    now = talk.session.position
    assert len(set(vertices)) == placed == bin(now.black).count("1")
    assert (now.white, now.colour, len(talk.session.states)) == (0, WHITE, 1)
    assert talk.ask("genmove w")[0] == "="


def test_a_handicap_of_stones_that_are_named():
    talk = Talk(match_rules(9))
    assert talk.ask("set_free_handicap A1 C3 J9") == "="
    assert talk.ask("final_status_list alive").removeprefix("= ").split("\n") == ["J9", "C3", "A1"]
    assert talk.ask_all("play w E5\nclear_board\nfinal_score") == ["=", "=", "= W+6.5"]


def test_status_and_score_of_a_match():
    talk = Talk(match_rules(5))
    for row in range(1, 6):
        talk.ask(f"play b C{row}")
        talk.ask(f"play w D{row}")
    assert talk.ask("final_status_list alive") == "= C5 C4 C3 C2 C1\nD5 D4 D3 D2 D1"
    assert talk.ask("final_status_list dead") == "="
    assert talk.ask("final_status_list black_territory").removeprefix("= ").split()[:3] == ["A5", "B5", "A4"]
    assert talk.ask("final_status_list white_territory") == "= E5 E4 E3 E2 E1"
    assert talk.ask("final_score") == "= W+1.5"  # 15 - 10 - 6.5


def test_reg_genmove_plays_nothing():
    talk = Talk(player="ours")
    assert talk.ask("reg_genmove b") == "= C3" == talk.ask("reg_genmove b")
    assert len(talk.session.states) == 1 and talk.ask("genmove b") == "= C3"


def test_the_last_move_is_explained_with_vertices():
    talk = Talk(player="ours")
    assert talk.ask("gomill-explain_last_move") == "="
    talk.ask_all("play b C3\ngenmove w")
    reply = OursPlayer().choose(talk.session.turn(WHITE)._replace(position=talk.session.states[1].position))
    assert reply.reason and talk.ask("gomill-explain_last_move") == f"= {with_vertices(reply.reason, 5)}"
    assert talk.session.state.move in range(25) and "1,2" not in talk.ask("gomill-explain_last_move")
    talk.ask("play b A1")
    assert talk.ask("gomill-explain_last_move") == "="


def test_what_the_engine_says_of_itself():
    talk = Talk(match_rules(9, pass_stones=False))
    assert talk.ask_all("name\nversion") == ["= ours", "= 1.0"]
    described = talk.ask("gomill-describe_engine")
    assert "Player: random" in described and "The match on 9x9" in described and "costs no stone" in described
    assert talk.ask("littlego-rules").removeprefix("= ") in described
    assert float(talk.ask("cputime")[2:]) > 0 and float(talk.ask("gomill-cpu_time")[2:]) > 0
    assert "at most 24 moves" in Talk().ask("littlego-rules")


def test_rules_as_katago_knows_them():
    for rules, ko, tax in ((LITTLE_GO, "SIMPLE", "ALL"), (match_rules(9), "SITUATIONAL", "NONE")):
        talk = Talk(rules)
        said = talk.ask("kata-get-rules").removeprefix("= ")
        assert json.loads(said)["ko"] == ko and json.loads(said)["tax"] == tax
        assert talk.ask(f"kata-set-rules {said}") == "="
        assert talk.ask(f'kata-set-rules {{"ko": "{ko}"}}') == "="
        for wrong in ("japanese", '{"ko": "POSITIONAL"}', '{"ko": ["SIMPLE"]}', "[]", "", "[" * 9000, '{"dice": 1}'):
            assert talk.ask(f"kata-set-rules {wrong}").startswith("? unknown rules, expected {"), wrong
    assert Talk().ask("kata-set-rules stone-scoring") == "="
    assert Talk(match_rules(9)).ask("kata-set-rules stone-scoring")[0] == "?"


SGF = "(;GM[1]FF[4]SZ[5];B[cc];W[bb];B[dd](;W[aa];B[])(;W[ee]))"


@pytest.fixture
def sgf(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.sgf").write_text(SGF)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "moves", "turn"),
    [
        ("", 5, "white"),
        ("1", 0, "black"),
        ("2", 1, "white"),
        ("C3", 0, "black"),
        ("d2", 2, "black"),
        ("99", 5, "white"),
    ],
)
def test_a_record_is_loaded_up_to_a_move(sgf, arguments, moves, turn):
    talk = Talk()
    talk.ask_all("boardsize 9\nplay b j9")
    assert talk.ask(f"loadsgf game.sgf {arguments}") == f"= {turn}"
    assert len(talk.session.states) == moves + 1 and talk.session.ruleset is LITTLE_GO
    if moves == 5:
        assert talk.session.position.passed and talk.ask("final_status_list alive") == "= C3\nD2\nA5\nB4"


def test_a_record_brings_its_rules_and_their_komi(sgf):
    games = ((LITTLE_GO.name, None), ("match-5-komi7.5", 40))
    both = [
        play_game(Pairing(0, "random", "random", 1, ruleset=rules, plies=plies), player_for) for rules, plies in games
    ]
    for name, record in zip(("ours.sgf", "match.sgf"), both, strict=True):
        (sgf / name).write_text(record_sgf(record))
    talk = Talk()
    for name, record in zip(("ours.sgf", "match.sgf", "ours.sgf"), [*both, both[0]], strict=True):
        talk.ask_all(f"komi 3\nloadsgf {name}")
        assert talk.session.ruleset is record.ruleset and talk.session.lead() == record.lead2 / 2
    told = [f"the game is now {name}, as in the record" for name in ("match-5-komi7.5", LITTLE_GO.name)]
    assert talk.said[-2:] == told
    talk.ask("loadsgf game.sgf")
    assert talk.session.ruleset is LITTLE_GO  # the record names none of our rulesets, so the session's ruleset stays


def test_gnu_go_reads_the_same_game(sgf):
    if GNU_GO is None:
        pytest.skip("NOT RUN: GNU Go is not installed (apt install gnugo)")
    talk = Talk()
    script = "loadsgf game.sgf\nloadsgf game.sgf 2\nloadsgf game.sgf C3\nloadsgf game.sgf 4\n"
    assert talk.ask_all(script) == gnu_go(script)


@pytest.mark.parametrize(
    "text",
    ["", "no game", "(;SZ[5];B[cc];W[cc])", "(;SZ[40])", "(;SZ[5];B[cc", "\0\1\2", "(;SZ[5];B[cc];B[zz])"],
)
def test_a_file_that_is_no_game_is_refused_and_the_game_stands(sgf, text):
    (sgf / "bad.sgf").write_text(text)
    talk = Talk()
    talk.ask("play b a1")
    before = talk.session.states
    assert talk.ask("loadsgf bad.sgf")[0] == "?" and talk.session.states == before
    assert all("\n" not in line for line in talk.said)


def test_a_record_with_a_fault_is_loaded_up_to_a_move_before_it(sgf):
    (sgf / "fault.sgf").write_text("(;SZ[5];B[cc];W[dd]\n;B[cc];W[aa])")
    talk = Talk()
    assert talk.ask("loadsgf fault.sgf") == "? cannot open or parse 'fault.sgf'"
    assert talk.said == ["fault.sgf:2:1: move 3, 2,2: there is a stone already"]
    assert talk.ask("loadsgf fault.sgf 3") == "= black" and len(talk.session.states) == 3
    assert talk.ask("loadsgf fault.sgf 4")[0] == "?"


def test_a_record_is_read_as_the_command_line_reads_it(sgf):
    for name in sorted(path.name for path in FIELD.glob("*.sgf")):
        talk, said = Talk(), []
        talk.ask("boardsize 9")
        position = position_at(str(FIELD / name), ruleset=LITTLE_GO.name, tell=said.append)
        assert talk.ask(f"loadsgf {FIELD / name}")[0] == "="
        loaded = talk.session.counted()
        if not talk.session.over:
            assert (loaded.black, loaded.white, loaded.colour) == (position.black, position.white, position.colour)
        assert talk.said[: len(said)] == said


def test_a_mark_of_order_before_the_first_command_is_no_part_of_it():
    assert Talk().ask("\ufeff1 name") == "=1 ours"


def test_a_record_is_never_read_from_the_front_end(sgf):
    assert Talk().ask("loadsgf -") == "? cannot open or parse '-'"


def test_our_own_records_load(sgf):
    record = play_game(Pairing(0, "random", "greedy", 3), player_for)
    (sgf / "own.sgf").write_text(record_sgf(record), encoding="utf-8")
    talk = Talk()
    assert talk.ask("loadsgf own.sgf")[0] == "="
    assert (talk.session.position.black, talk.session.position.white) == (record.black, record.white)
    assert talk.session.over and talk.session.lead() == record.lead2 / 2
    assert {state.colour for state in talk.session.states[1:]} == {BLACK, WHITE}


def test_every_command_is_on_the_page():
    text = (ROOT / "docs" / "gtp.md").read_text(encoding="utf-8")
    assert [name for name in sorted({*COMMANDS, *REQUIRED.split()}) if f"`{name}" not in text] == []
