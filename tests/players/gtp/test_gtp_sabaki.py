"""Tests of our engine with Sabaki's client, @sabaki/gtp: sync, moves, branches, undo, analysis, quit."""

import sys

import pytest
from analysis_readers import sabaki
from knowledge_files import ROOT
from npm_packages import needs_node, run_node

from littlego.games.vertices import parse_vertex

pytestmark = needs_node
LITTLE_GO = [sys.executable, "-m", "littlego", "gtp"]
MATCH = [*LITTLE_GO, "--ruleset", "match", "--size", "9"]
GAMES = [
    pytest.param(LITTLE_GO, 5, 2.5, "C3 C4 B3 B4", id="little-go"),
    pytest.param(MATCH, 9, 6.5, "E5 D4 E4 D5", id="match"),
]


def history(line):
    """Return a line's moves in Sabaki's format; Black makes the first move."""
    return [{"name": "play", "args": ["BW"[number % 2], vertex]} for number, vertex in enumerate(line.split())]


def state(size, komi, line):
    return {"komi": komi, "boardsize": [size, size], "history": history(line)}


def run(engine, steps):
    """Return [(result of a step, commands that the step sent)], and the engine's standard error."""
    told = run_node("sabaki_client.js", {"engine": engine, "cwd": str(ROOT), "steps": steps})
    return [(one["result"], one["sent"]) for one in told["results"]], told["errors"]


def stones(shown, size):
    """Return the rows of a board drawn by showboard."""
    rows = shown.splitlines()[1 : size + 1]
    return ["".join(row.split()[1:-1]) for row in rows]


def board(size, line):
    rows = [["."] * size for _ in range(size)]
    for number, vertex in enumerate(line.split()):
        row, column = divmod(parse_vertex(vertex, size), size)
        rows[row][column] = "XO"[number % 2]
    return ["".join(row) for row in rows]


@pytest.mark.parametrize(("engine", "size", "komi", "line"), GAMES)
def test_it_syncs_generates_branches_undoes_and_quits(engine, size, komi, line):
    first, others = line.rsplit(" ", 1)[0], line.split()
    branch = f"{first} A1"
    show = ["send", {"name": "showboard"}]
    steps = [
        ["greet", None],
        ["sync", state(size, komi, line)],
        show,
        ["send", {"name": "genmove", "args": ["B"]}],
        ["state", None],
        ["sync", state(size, komi, branch)],  # the lines differ after three moves, so two moves are undone
        show,
        # the lines have no common moves, so the sync begins with an empty board
        ["sync", state(size, komi, f"{others[1]} {others[0]}")],
        show,
        ["sync", state(size, komi, "")],
        ["send", {"name": "undo"}],
        ["stop", None],
    ]
    (greeting, synced, drawn, made, kept, branched, drawn_branch, anew, drawn_anew, emptied, undone, quit), said = run(
        engine, steps
    )
    assert greeting[0][0] == "littlego" and greeting[0][2] == "2" and "undo" in greeting[0][3].split()
    plays = [f"play {'BW'[number % 2]} {vertex}" for number, vertex in enumerate(others)]
    assert synced == (None, [f"komi {komi}", f"boardsize {size}", "clear_board", *plays])
    assert stones(drawn[0]["content"], size) == board(size, line)
    move = made[0]["content"]
    assert not made[0]["error"] and parse_vertex(move, size) is not None
    assert kept[0]["history"] == history(f"{line} {move}")
    assert branched == (None, ["undo", "undo", "play W A1"])
    assert stones(drawn_branch[0]["content"], size) == board(size, branch)
    assert anew == (None, ["clear_board", f"play B {others[1]}", f"play W {others[0]}"])
    assert stones(drawn_anew[0]["content"], size) == board(size, f"{others[1]} {others[0]}")
    assert emptied == (None, ["clear_board"])
    assert undone[0] == {"id": None, "content": "cannot undo", "error": True}
    assert quit == (0, ["quit"])
    assert said == []


@pytest.mark.parametrize(("engine", "size", "komi", "line"), GAMES)
def test_it_analyses_and_ends_the_analysis_with_another_command(engine, size, komi, line):
    steps = [
        ["sync", state(size, komi, line)],
        ["analyze", {"name": "kata-analyze", "args": ["B", "50"]}],
        ["analyze", {"name": "lz-analyze", "args": ["B", "50"]}],
        ["send", {"name": "kata-genmove_analyze", "args": ["B", "50"]}],
        ["state", None],
        ["stop", None],
    ]
    (_, kata, leela, made, kept, quit), said = run(engine, steps)
    for told, _ in (kata, leela):
        assert not told["error"] and told["after"] == "2"  # the command that ended the analysis also gets its answer
        assert len(told["infos"]) == 1 and told["content"] == told["infos"][0]
    shown = sabaki(kata[0]["infos"][0])
    assert 1 <= len(shown) <= 10
    assert [(move, visits, percent) for move, visits, percent, *_ in sabaki(leela[0]["infos"][0])] == [
        (move, visits, percent) for move, visits, percent, *_ in shown
    ]
    played = made[0]["content"].splitlines()[-1].removeprefix("play ")
    assert played == shown[0][0]
    assert kept[0]["history"] == history(f"{line} {played}")
    assert quit[0] == 0
    assert [text for text in said if "unknown winrates" in text] == said


def test_a_finished_game_can_be_synced_and_scored():
    """The sync accepts a pass after the end of the game, since front ends replay all moves of a record."""
    game = "C3 C4 B3 D3 D2 D4 E2 B4 A4 B2 C2 A2 A3 E3 B1 B5 C1 A5 D5 pass A1 E4 E1 E5"
    steps = [
        ["sync", state(5, 2.5, game)],
        ["send", {"name": "final_score"}],
        ["send", {"name": "genmove", "args": ["B"]}],
        ["sync", state(5, 2.5, f"{game} pass")],
        ["send", {"name": "final_score"}],
        ["stop", None],
    ]
    (synced, score, made, again, same, quit), _ = run(LITTLE_GO, steps)
    assert synced[0] is again[0] is None
    assert score[0]["content"] == same[0]["content"] == "B+0.5"
    assert made[0]["content"] == "pass" and quit[0] == 0


def test_a_line_that_the_rules_forbid_is_told_as_such():
    (told, quit), _ = run(LITTLE_GO, [["sync", state(5, 2.5, "C3 C3")], ["stop", None]])
    assert told[0] == "History cannot be replayed on engine" and quit[0] == 0
