"""Tests of games in the board view.

The tests cover games as one line of text, imports, judgements, and games against players.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
from knowledge_files import ROOT, YAML
from studio_apps import studio_client
from studio_server import SMALL

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.editor.deciders import decider_for
from littlego.editor.games import game_text, positions_of, read_game
from littlego.editor.methods import JOBS, Refusal, answer, load_answers
from littlego.editor.opening import open_game
from littlego.editor.players import is_offered
from littlego.editor.positions import read_position
from littlego.editor.session import Session, Snapshot
from littlego.match.referee import TIME_UP
from littlego.records.records import Played, Record
from littlego.records.sgf import read_games
from littlego.rules.position import PASS, RESIGN

OPENING = "little-go; 2,2 1,2 1,1 2,1 3,1"
LOST = ROOT / "docs" / "tutorial" / "lost-to-gnugo.sgf"


@pytest.fixture
def session(tmp_path):
    """A session of a small patterns file, in a folder with a game and a tournament's file."""
    shutil.copy(SMALL, tmp_path / "patterns.yaml")
    shutil.copy(LOST, tmp_path / "lost.sgf")
    session = Session()
    session.take(Snapshot(1, SMALL.read_text(), "patterns.yaml", str(tmp_path / "patterns.yaml")))
    return session


@pytest.mark.parametrize(
    "text",
    [
        OPENING,
        "little-go;",
        "little-go; pass pass",
        "match-9; 4,4 2,2 pass resign",
        "X.O../...../...../...../..... white left=17; 2,2 pass",
        "X...O/...../..O../...../..... black ruleset=match prisoners=1,2 komi=2.5; 4,4",
    ],
)
def test_a_game_is_read_and_written_as_one_line(text):
    game = read_game(text)
    assert game_text(game.record) == text
    assert game_text(read_game(game_text(game.record)).record) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("little-go", "not a game"),
        ("chess; 2,2", "unknown ruleset"),
        ("X; 1,1", "not a board"),
        ("little-go; 5,5", "expected row,column"),
        ("little-go; 2,2 2,2", "there is a stone already"),
        ("little-go; pass pass 1,1", "the game ended with move 1"),
        ("..../..../..../.... komi=2; 1,1", "only a match has this field"),
        ("little-go; " + "pass " * 60_000, "characters"),
    ],
)
def test_what_is_no_game_is_told(text, said):
    with pytest.raises(ArgumentError, match=said):
        positions_of(read_game(text))


def test_a_komi_is_read_and_kept():
    position = read_position("...../...../...../...../..... ruleset=match komi=2.5")
    assert position.ruleset.komi2 == 5
    with pytest.raises(ArgumentError, match="komi=x"):
        read_position("...../...../...../...../..... ruleset=match komi=x")


def test_the_end_of_a_game_is_told_with_its_score(session):
    passed = answer(session, "game", {"game": "little-go; 2,2 1,2 3,3 pass pass"})
    assert passed["over"] and passed["end"] == "Two passes: White wins by 1.5."
    assert passed["standing"][-1] == -1.5 and len(passed["positions"]) == 6
    resigned = answer(session, "game", {"game": "little-go; 2,2 resign"})
    assert resigned["over"] and resigned["end"] == "White resigned: Black wins."
    assert len(resigned["positions"]) == 3 and resigned["positions"][2] == resigned["positions"][1]
    going = answer(session, "game", {"game": OPENING})
    assert not going["over"] and going["end"] == ""
    assert [one["move"] for one in going["moves"]] == OPENING.split()[1:]
    assert [one["colour"] for one in going["moves"][:2]] == ["black", "white"]


def test_prisoners_are_counted_in_a_match(session):
    found = answer(session, "game", {"game": "match-5; 0,1 0,0 1,0 4,4"})
    assert found["prisoners"] == (1, 0) and "prisoners=1,0" in found["positions"][-1]
    assert "komi" in found["score"]


def written_game(tmp_path, capsys, *options):
    """Return the JSON file of a game that `littlego match` played."""
    path = tmp_path / "game.json"
    assert main(["match", "greedy", "random", "--seed", "3", "--json", str(path), *options]) == 0
    capsys.readouterr()
    return path


def test_games_of_all_kinds_are_opened(session, tmp_path, capsys):
    sgf = answer(session, "open_game", {"text": LOST.read_text()})
    assert sgf["ruleset"] == "little-go" or sgf["ruleset"].startswith("match")
    beside = answer(session, "open_game", {"file": "lost.sgf"})
    assert beside == {**sgf, "command": "littlego explain lost.sgf -f patterns.yaml"}
    root = read_games(LOST.read_text())[0]
    assert sgf["players"] == [root.text("PB"), root.text("PW")]
    series = json.loads(written_game(tmp_path, capsys).read_text())
    one = series.get("games", [series])[0]
    found = answer(session, "open_game", {"text": json.dumps(one)})
    assert [move["move"].upper() for move in found["moves"]] == [move["move"].upper() for move in one["moves"]]
    assert found["players"] == [one["black"], one["white"]]
    bare = {"moves": [{"move": "2,2"}, {"move": [1, 2]}, {"move": "PASS"}]}
    assert answer(session, "open_game", {"text": json.dumps(bare)})["game"] == "little-go; 2,2 1,2 pass"


@pytest.mark.parametrize(
    "text",
    [
        ". . . . .\n. . O X .\n. O X X .\n. . O . .\n. . . . .\n",
        "...../..OX./.OXX./..O../.....",
        "1\n00000\n00210\n02110\n00000\n00000\n00000\n00210\n02110\n00200\n00000",
    ],
    ids=["drawn", "text", "input.txt"],
)
def test_boards_are_opened_as_games_without_moves(session, text):
    found = answer(session, "open_game", {"text": text})
    assert found["moves"] == [] and found["positions"][0].startswith("...../..OX./.OXX./..O../..... black")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"text": "hello"}, "invalid"),
        ({"text": "(;GM[1]SZ[5:7];B[aa];W[bb])"}, "invalid"),
        ({"text": '{"games": []}'}, "invalid"),
        ({}, "invalid"),
        ({"file": "../secret.sgf"}, "forbidden"),
        ({"file": "none.sgf"}, "unknown"),
    ],
)
def test_what_cannot_be_opened_is_told(session, asked, code):
    with pytest.raises(Refusal) as refused:
        answer(session, "open_game", asked)
    assert refused.value.code == code and len(refused.value.text) < 400


def test_a_tournaments_games_are_listed_and_opened(session, tmp_path, capsys):
    store = tmp_path / "cup.sqlite"
    assert main(["arena", "round-robin", "greedy", "random", "--pairs", "1", "--keep", str(store), "-j1"]) == 0
    capsys.readouterr()
    listed = answer(session, "open_game", {"file": "cup.sqlite"})
    assert [one["number"] for one in listed["games"]] == [0, 1]
    assert listed["command"] == "littlego arena games cup.sqlite"
    found = answer(session, "open_game", {"file": "cup.sqlite", "number": 1})
    assert len(found["moves"]) == listed["games"][1]["moves"] and found["command"].endswith("sgf cup.sqlite 1")
    with pytest.raises(Refusal, match="no game 7"):
        answer(session, "open_game", {"file": "cup.sqlite", "number": 7})
    assert "cup.sqlite" in answer(session, "game_files", {})["files"]


def test_the_clocks_of_a_record_are_shown():
    text = "(;GM[1]FF[4]SZ[9]KM[2.5];B[ee]BL[58.5];W[cc]WL[57])"
    assert open_game("a", text.encode()).left == (58.5, 57.0)


def test_a_move_is_made_or_refused(session):
    found = answer(session, "move", {"game": OPENING, "move": "3,3", "left": 12.5})
    assert found["game"] == f"{OPENING} 3,3" and found["moves"][-1]["left"] == 12.5
    with pytest.raises(Refusal, match="there is a stone already"):
        answer(session, "move", {"game": OPENING, "move": "2,2"})
    with pytest.raises(Refusal, match="the game ended with move 1"):
        answer(session, "move", {"game": "little-go; pass pass", "move": "2,2"})


def replied(session, **parameters):
    """Run the job `reply`, and return its final result."""
    load_answers()
    work = JOBS["reply"].function(session, **parameters)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def test_the_open_file_plays_with_its_reason(session):
    found = replied(session, game="little-go;")
    position = read_position(answer(session, "game", {"game": "little-go;"})["positions"][0])
    decision = decider_for(session, position).decide(position)
    assert found["move"] == "2,2" == f"{decision.move // 5},{decision.move % 5}"
    assert "open-in-the-centre" in found["said"] and found["game"]["game"] == "little-go; 2,2"
    assert found["left"] is None and found["fault"] == ""


@pytest.mark.parametrize("player", ["greedy", "random", "ours", "erring:0.5:ours", "alphabeta"])
def test_players_reply_from_any_position(session, player):
    game = "..O../.XO../..XO./..X../..... white left=17;"
    found = replied(session, game=game, player=player, seed=5)
    assert found["move"] and found["game"]["moves"][0]["colour"] == "white"
    assert replied(session, game=game, player=player, seed=5)["move"] == found["move"]


def test_a_match_is_played_with_clocks(session):
    found = replied(session, game="match-9; 4,4", player="silly", black=60.0, white=30.0)
    assert 0 < found["left"] < 30 and found["game"]["moves"][-1]["left"] == found["left"]
    late = replied(session, game="match-9; 4,4", player="silly", black=60.0, white=0.0)
    assert late["fault"] == TIME_UP and late["game"] is None


@pytest.mark.parametrize("player", ["gtp:sh -c id", "file:sh", "erring:0.1:gtp:sh", "folder:.", "human", "my_player3"])
def test_no_page_starts_a_program(session, player):
    with pytest.raises(Refusal) as refused:
        replied(session, game="little-go;", player=player)
    assert refused.value.code == "forbidden"
    offered = [one["name"] for one in answer(session, "players", {})["players"]]
    assert "greedy" in offered and not {"gtp", "file", "folder", "human", "my_player3"} & set(offered)


NEVER_OFFERED = [
    "ours:--output=/tmp/x:HEAD",
    "ours:HEAD:patterns.yaml",
    "HEAD:patterns.yaml",
    "patterns.yaml",
    "/etc/x.yaml",
    "ours:/etc/passwd",
    "ours-uncounted:/etc/passwd",
    "erring:0.1:ours:/etc/passwd",
    "qlearning:/etc/passwd",
    "gnugo",
    "gnugo:10",
    "erring:0.1:gnugo",
    "erring:0:" * 5000 + "ours",
    "\ud800",
    "",
]


@pytest.mark.parametrize("player", NEVER_OFFERED, ids=lambda name: ascii(name[:40]))
@pytest.mark.parametrize("job", ["reply", "play_out"])
def test_a_page_chooses_a_player_from_a_list_and_names_no_file_revision_or_program(session, monkeypatch, player, job):
    for name in ("make_player", "parse"):  # nothing is opened or started to find out
        monkeypatch.setattr(f"littlego.players.registry.{name}", lambda *_: pytest.fail("it was looked for"))
    side = {"player": player} if job == "reply" else {"black": player}
    load_answers()
    with pytest.raises(Refusal) as refused:
        list(JOBS[job].function(session, game="little-go;", **side))
    assert refused.value.code == "forbidden"


def test_a_page_may_choose_what_the_user_named(session):
    assert is_offered("perfect:0.5", ()) and is_offered("erring:0.1:erring:0.2:ours", ())
    assert is_offered("erring:0.1:gnugo", ("gnugo",)) and is_offered("gnugo:3", ("gnugo:3",))
    assert not is_offered("gnugo", ("gnugo:3",))


def test_a_player_that_is_not_known_is_told(session):
    with pytest.raises(Refusal, match="greedy"):
        replied(session, game="little-go;", player="greedi")
    with pytest.raises(ArgumentError, match="only little-go on 5x5"):
        replied(session, game="match-9;", player="perfect")


def test_a_program_that_the_studio_was_started_with_plays(session):
    """A program named by --player plays over the file protocol, in a process; others are refused."""
    session.take(replace(session.snapshot, players=("file:greedy",)))
    told = answer(session, "players", {})["players"]
    assert [one["about"] for one in told if one["name"] == "file:greedy"] == ["named by --player"]
    found = replied(session, game="little-go; 2,2", player="file:greedy", seed=1)
    assert found["fault"] == "" and found["game"]["moves"][-1]["move"] == found["move"]
    with pytest.raises(Refusal, match="littlego studio --player file:sh"):
        replied(session, game="little-go; 2,2", player="file:sh")


def judged(session, game, **parameters):
    load_answers()
    work, results = JOBS["judge_game"].function(session, game=game, **parameters), {}
    while True:
        try:
            event = next(work)
        except StopIteration as end:
            return results, end.value
        if "result" in event:
            results[event["result"]["number"]] = event["result"]


ENDING = ".XXX./OX..X/OOXX./.OXOX/...O. black left=6"


def test_a_turning_point_gives_the_win_away_as_the_solver_says():
    session = Session()
    session.take(Snapshot(1, YAML.read_text(), "patterns.yaml", str(YAML)))
    values = answer(session, "exact", {"position": ENDING})
    losing = [one["move"] for one in values["values"] if not one["wins"]]
    winning = [one["move"] for one in values["values"] if one["wins"]]
    assert losing and winning
    for move in (losing[0], winning[0]):
        results, done = judged(session, f"{ENDING}; {move}")
        known = next(one for one in values["values"] if one["move"] == move)
        assert results[1]["margin"] == known["margin"] and results[1]["best"] == values["best"]
        assert results[1]["turning"] == (move in losing) and done["turning"] == ([1] if move in losing else [])
        assert (results[1]["mark"] == "wrong") == (move in losing)
        assert sorted(results[1]["winning"]) == sorted(winning)
        assert (done["of"], done["known"], done["more"]) == (1, 1, None)


def test_it_is_told_how_many_moves_are_judged_and_how_to_judge_more():
    session = Session()
    session.take(Snapshot(1, SMALL.read_text(), "patterns.yaml", str(SMALL)))
    game = f"{ENDING}; 0,0 4,0 4,4"
    results, done = judged(session, game, exact=5, judged=False)
    assert (done["of"], done["known"], done["more"]) == (3, 2, 6)
    assert results[1]["winning"] is None and results[2]["winning"] is not None
    _, done = judged(session, game, exact=6, judged=False)
    assert (done["known"], done["more"]) == (3, None)
    _, done = judged(session, "match-9; 4,4", judged=False)
    assert (done["known"], done["more"]) == (0, None)


def test_without_exact_values_a_game_still_has_its_standing(session):
    results, _ = judged(session, "match-9; 4,4 2,2", judged=False)
    game = answer(session, "game", {"game": "match-9; 4,4 2,2"})
    assert [results[number]["standing"] for number in (1, 2)] == game["standing"][1:]
    assert results[1]["margin"] is None and not results[1]["turning"]


@pytest.mark.slow
def test_a_game_is_judged_over_http_from_its_end(tmp_path):
    shutil.copy(SMALL, tmp_path / "patterns.yaml")
    with studio_client(tmp_path / "patterns.yaml") as client:
        events = client.work("judge_game", game="little-go; 2,2 1,2")
    numbers = [event["result"]["number"] for event in events if "result" in event]
    assert numbers == [2, 1] and events[-1]["done"] == {"turning": [], "exact": 10, "of": 2, "known": 0, "more": 12}


def test_records_are_told_from_passes():
    record = Record(read_game("little-go;").record.start, [Played(PASS), Played(RESIGN)])
    assert game_text(record) == "little-go; pass resign"


def test_a_move_that_costs_points_names_a_better_one_also_where_all_is_lost(session):
    game = "little-go; 2,2 1,3 2,1 0,2 2,0 3,3 1,0 4,1 0,0 0,1 3,0 3,2 2,3 2,4 1,1"
    results, _ = judged(session, game, exact=10, judged=False)
    last = results[15]
    assert (last["best"], last["margin"], last["winning"], last["turning"]) == (-6.5, -11.5, [], False)
    assert last["better"] == ["1,4"]
