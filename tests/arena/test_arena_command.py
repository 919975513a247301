"""Tests of the `littlego arena` commands, which start, continue, read and replay tournaments."""

from __future__ import annotations

import io
import json
import re
import shutil
from functools import reduce

import pytest
from arena_plans import made_up, reseal, small_plan, sprt_plan
from click import Context
from sgfmill.sgf import Sgf_game
from small_knowledge import CUTTING

from littlego.arena import live
from littlego.arena import run as running
from littlego.arena.cli import arena as arena_group
from littlego.arena.play import Played, PlayedPair
from littlego.arena.run import play_on
from littlego.arena.store import Store
from littlego.cli.main import main
from littlego.match.referee import record_json
from littlego.players import named_books
from littlego.records.main_line import game_sgf
from littlego.rules.position import BLACK, WHITE, margin2, opening


@pytest.fixture
def arena(tmp_path, monkeypatch, capsys):
    """Return a function that runs `littlego arena` in a new folder and returns (status, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(named_books, "FOLDER", tmp_path / "cache")
    # fewer samples are enough: no test here checks the limits of an interval
    monkeypatch.setattr("littlego.arena.tables.SAMPLES", 50)

    def run(*words):
        status = main(["arena", *map(str, words)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the file of a finished tournament with the plan of the options QUICK."""
    path = tmp_path_factory.mktemp("finished") / "t.sqlite"
    plan = small_plan(("random", "greedy", "ours"), pairs=2, seed=5, openings=3)
    with Store.make(path, plan) as store:
        play_on(store, 1)
    return path


@pytest.fixture
def there(arena, finished, tmp_path):
    """Copy the file of a finished tournament into the folder of `arena`."""
    shutil.copy(finished, tmp_path)


QUICK = ("--pairs", "2", "--seed", "5", "--openings", "3", "--jobs", "1")


def begin(arena, *more):
    return arena("round-robin", "random", "greedy", "ours", *QUICK, "--keep", "t.sqlite", *more)


def test_a_tournament_from_its_plan_to_its_table(arena):
    status, out, err = begin(arena)
    assert status == 0 and "t.sqlite: 0 of 6 pairs are stored" in err and "6 pairs played here" in err
    assert "3 players: 12 games" in out and re.search(r"^1 ours .* 8 ", out, re.M)
    assert arena("table", "t.sqlite")[1].endswith(out)
    assert begin(arena)[1:] == (out, "t.sqlite: 6 of 6 pairs are stored\n0 pairs played here\n")


def test_without_a_name_the_same_tournament_finds_its_file_and_another_gets_its_own(arena, tmp_path):
    for seed, files, played in (("1", 1, 2), ("1", 1, 0), ("2", 2, 2)):
        status, _, err = arena("round-robin", "random", "greedy", "--pairs", 2, "--seed", seed, "--jobs", 1)
        assert status == 0 and f"{played} pairs played here" in err
        assert len(list((tmp_path / "arena").iterdir())) == files
    assert all(path.name.startswith("round-robin-random-greedy-") for path in (tmp_path / "arena").iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("round-robin", "random", "greedy", *QUICK), "players random, greedy, ours (requested: random, greedy)"),
        (("gauntlet", "random", "greedy", "ours", *QUICK), "format round-robin (requested: gauntlet)"),
        (("round-robin", "random", "greedy", "ours", *QUICK, "--seed", "6"), "seed 5 (requested: 6)"),
        (("round-robin", "random", "greedy", "ours", *QUICK, "--openings", "4"), "openings 3 (requested: 4)"),
        (("round-robin", "random", "greedy", "ours", *QUICK, "--cpu-limit", "4"), "CPU limit 10.0 (requested: 4.0)"),
        (
            ("round-robin", "random", "greedy", "ours", *QUICK, "--pairs", "1"),
            "expected at least 2, the planned number",
        ),
        (("continue", "t.sqlite", "--pairs", "1"), "expected at least 2, the planned number"),
    ],
)
def test_another_tournament_s_file_is_left_alone(arena, there, tmp_path, words, said):
    before = (tmp_path / "t.sqlite").read_bytes()
    more = () if words[0] == "continue" else ("--keep", "t.sqlite")
    status, out, err = arena(*words, *more)
    assert status == 2 and said in err and err.count("\n") == 1 and not out
    assert (tmp_path / "t.sqlite").read_bytes() == before


def test_more_pairs_can_be_asked_for(arena, there):
    assert begin(arena, "--pairs", "3")[2].endswith("3 pairs played here\n")
    status, _, err = arena("continue", "t.sqlite", "--pairs", "4", "--jobs", "1")
    assert status == 0 and "9 of 12 pairs are stored" in err and "3 pairs played here" in err


def test_patterns_are_compared_and_may_be_edited_afterwards(arena, tmp_path):
    (tmp_path / "old.yaml").write_text(CUTTING)
    (tmp_path / "new.yaml").write_text(CUTTING.replace("points: 50", "points: 60"))
    words = ("sprt", "new.yaml", "old.yaml", "--pairs", 3, "--keep", "t.sqlite", "--jobs", 1)
    status, out, _ = arena(*words)
    assert status == 1 and "new.yaml against old.yaml: 6 games" in out and "not enough games to decide" in out
    (tmp_path / "new.yaml").write_text(CUTTING)
    status, _, err = arena(*words)
    assert status == 2 and "new.yaml changed since the tournament began" in err
    status, _, err = arena("continue", "t.sqlite", "--pairs", 4, "--jobs", 1)
    assert status == 1 and "1 pair played here" in err  # played with the book stored in the file


def test_who_changed_is_refused_before_programs_are_checked(arena, tmp_path, monkeypatch):
    program = tmp_path / "program.sh"
    program.write_text("printf PASS > output.txt\n")
    Store.make(tmp_path / "t.sqlite", small_plan(("file:sh program.sh", "random"), pairs=1)).close()
    program.write_text("exit 1\n")  # if the check ran, it would report a crash
    status, _, err = arena("continue", "t.sqlite", "--pairs", 2)
    assert status == 2 and "file:sh program.sh changed since the tournament began" in err
    with Store(tmp_path / "t.sqlite") as store:
        assert store.plan().pairs == 1


def test_a_test_that_accepts_h1_is_fine_and_one_that_does_not_is_a_finding(arena):
    words = ("--pairs", 200, "--elo1", 300, "--jobs", 1)
    status, out, _ = arena("sprt", "greedy", "random", *words)
    assert status == 0 and "H1 accepted" in out
    status, out, _ = arena("sprt", "random", "greedy", *words)
    assert status == 1 and "H0 accepted" in out
    status, out, _ = arena("sprt", "random", "random", *words, "--json")
    found = json.loads(out)
    assert status == 1 and found["test"]["accepted"] == "H0" and found["test"]["decided"]
    assert [player["name"] for player in found["players"]] == ["random", "random#2"]


def test_a_game_lost_by_a_fault_is_a_finding(arena, monkeypatch):
    def play_pair(pair):
        first, second = made_up(pair, 1).games
        late = second.result._replace(fault=1, why="Black lost: late")
        return PlayedPair(pair.number, (first, Played(late, second.record)))

    monkeypatch.setattr(running, "play_pair", play_pair)
    status, out, _ = begin(arena)
    assert status == 1 and "game 1: Black lost: late" in out


def test_games_are_listed_all_or_the_lost_ones(arena, there):
    assert len(arena("games", "t.sqlite")[1].splitlines()) == 13
    lost = arena("games", "t.sqlite", "--lost-by", "random")[1].splitlines()[1:]
    assert lost and all(("W+" in line) == ("random - " in line) for line in lost)
    games = json.loads(arena("games", "t.sqlite", "--json")[1])
    assert [game["number"] for game in games] == list(range(12))
    assert {game["winner"] for game in games} <= {1, 2} and games[0]["black_spent"]["chosen"] > 5
    status, _, err = arena("games", "t.sqlite", "--lost-by", "nobody")
    assert status == 2 and "expected one of random, greedy, ours" in err


def test_games_are_written_as_sgf_with_reasons_and_how_to_repeat_them(arena, there, tmp_path):
    assert arena("sgf", "t.sqlite", 2, 3, "--output", "games")[0] == 0
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == ["game-2.sgf", "game-3.sgf"]
    text = (tmp_path / "games" / "game-2.sgf").read_text()
    game = Sgf_game.from_string(text)
    assert (game.get_player_name("b"), game.get_player_name("w")) == ("random", "ours")
    with Store("t.sqlite") as store:
        assert [played.move for played in game_sgf(text).moves] == list(store.record(2).key)
    assert " rather than " in text and "littlego arena replay t.sqlite 2" in game.get_root().get("GC")
    printed = arena("sgf", "t.sqlite")[1]
    assert printed.count("(;FF[4]") == 12
    lost = arena("sgf", "t.sqlite", "--lost-by", "random")[1]
    assert 0 < lost.count("(;FF[4]") < 12
    status, _, err = arena("sgf", "t.sqlite", 99)
    assert status == 2 and "has no game 99" in err


def cut_short(store, number):
    """Make a game of 24 moves end with a fault at move 22, and update all digests."""
    record = store.record(number)._replace(fault=WHITE, winner=BLACK, why="White lost: gave no move")
    last = reduce(lambda position, move: position.play(move), record.key[:21], opening(record.ruleset))
    value = record_json(record._replace(moves=record.moves[:21], lead2=margin2(last)))
    columns = "winner = ?, fault = ?, lead2 = ?, plies = 21, why = ?, record = ?"
    wanted = BLACK, WHITE, margin2(last), record.why, json.dumps(value), number
    store._base.execute(f"UPDATE games SET {columns} WHERE number = ?", wanted)
    reseal(store)


def test_a_file_is_verified_with_every_game(arena, there):
    status, out, _ = arena("verify", "t.sqlite")
    digest = re.fullmatch(r"t.sqlite: 12 games replayed and verified; digest ([0-9a-f]{32})\n", out)[1]
    assert status == 0 and digest in arena("verify", "t.sqlite")[1]
    with Store("t.sqlite") as store:
        cut_short(store, 5)
    out = arena("verify", "t.sqlite")[1]
    assert "12 games" in out and digest not in out
    with Store("t.sqlite") as store:
        store._base.execute("UPDATE games SET record = replace(record, '\"why\":', '\"y\":')")
        reseal(store)
    status, _, err = arena("verify", "t.sqlite")
    assert (
        status == 2 and "t.sqlite is damaged: game 0: its record cannot be read: 'why'" in err and err.count("\n") == 1
    )


def test_a_game_is_played_again_from_its_seed(arena, there, tmp_path):
    for number in (1, 5, 11):
        status, out, _ = arena("replay", "t.sqlite", number)
        assert status == 0 and f"game {number}: replayed with the same moves" in out
    with Store("t.sqlite") as store:
        cut_short(store, 5)
    status, out, _ = arena("replay", "t.sqlite", 5)
    assert status == 1 and "differs from move 22 on: recorded the end (White lost: gave no move), replayed" in out
    assert arena("replay", "t.sqlite", 12)[0] == 2


def test_json_says_what_the_table_says(arena, there, tmp_path):
    out = arena("table", "t.sqlite", "--json")[1]
    found = json.loads(out)
    assert (found["planned"], found["played"], found["faults"], found["test"]) == (6, 6, 0, None)
    assert [sum(pairing["pentanomial"]) for pairing in found["pairings"]] == [2, 2, 2]
    assert sum(pairing["different_games"] for pairing in found["pairings"]) == found["different_games"]
    assert found["ratings"][0]["name"] == "ours" and "NaN" not in out
    assert "3 players: 12 games" in begin(arena, "--json", "t.json")[1]
    assert json.loads((tmp_path / "t.json").read_text()) == found


def test_what_cannot_be_run_is_said_in_a_line(arena, tmp_path):
    (tmp_path / "notes.txt").write_text("my notes")
    for words, said in (
        (("table", "none.sqlite"), "cannot read none.sqlite"),
        (("continue", "notes.txt"), "notes.txt is not a tournament file"),
        (("round-robin", "random"), "expected two or more"),
        (("sprt", "random", "greedy", "--elo0", "5", "--elo1", "5"), "expected elo0 below elo1"),
        (("round-robin", "random", "greedy", "ours", "--pairs", "333334"), "1,000,002 pairs in all"),
        (("round-robin", "random", "greedy", "--keep", "notes.txt"), "notes.txt is not a tournament file"),
        (("round-robin", "random", "greedy", "--keep", "no/t.sqlite"), "cannot write no/t.sqlite: No such file"),
        (("round-robin", "random", "greedy", "--json", "no/t.json"), "cannot write no/t.json: No such file"),
        (("sprt", "random", "nobody"), "unknown player 'nobody'. `littlego play --help` lists all"),
    ):
        status, out, err = arena(*words)
        assert status == 2 and said in err and err.count("\n") == 1 and not out
    assert (tmp_path / "notes.txt").read_text() == "my notes"


def test_wrong_numbers_are_told_in_the_words_of_the_command(arena, there, capsys):
    for words, said in (
        (("replay", "t.sqlite", "abc"), "Invalid value for 'NUMBER': 'abc' is not a valid integer"),
        (("sgf", "t.sqlite", "-3"), "No such option: -3"),
        (("sprt", "random", "greedy", "--openings", "30"), "30 is not in the range 0<=x<=20"),
        (("sprt", "random", "greedy", "--openning", "3"), "No such option: --openning. Did you mean --openings?"),
        (("gauntlet", "random"), "Missing argument 'OPPONENT...'"),
        (("sprd", "random", "greedy"), "No such command 'sprd'. Did you mean sprt?"),
    ):
        status, out, err = arena(*words)
        assert status == 2 and said in err and not out
        assert err.startswith(f"Usage: littlego arena {words[0] if words[0] != 'sprd' else ''}")


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "ten"])
def test_a_time_limit_is_a_number_above_0(arena, limit):
    status, out, err = arena("sprt", "random", "greedy", "--cpu-limit", limit)
    assert status == 2 and "Invalid value for '--cpu-limit'" in err and not out


def test_players_are_completed():
    found = arena_group.get_command(Context(arena_group), "gauntlet").params[0].shell_complete(None, "gre")
    assert [item.value for item in found] == ["greedy"]


def test_commands_to_be_typed_are_quoted_for_the_shell(arena, there, tmp_path, monkeypatch):
    (tmp_path / "t.sqlite").rename(tmp_path / "a b.sqlite")
    assert "`littlego arena games 'a b.sqlite'` lists" in arena("replay", "a b.sqlite", 99)[2]

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("littlego.arena.cli.play_on", interrupted)
    status, _, err = arena("continue", "a b.sqlite")
    assert status == 130 and err.endswith("interrupted; to resume: littlego arena continue 'a b.sqlite'\n")


@pytest.mark.parametrize("words", [["arena"], ["arena", "sprt"], ["arena", "continue"], ["play"], ["match"]])
def test_a_help_text_fits_a_terminal(words, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    try:
        assert main([*words, "--help"]) == 0
    except SystemExit as ended:
        assert not ended.code
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


class Terminal(io.StringIO):
    """A fake terminal that records everything drawn on it."""

    def isatty(self):
        return True


def test_on_a_terminal_the_table_is_drawn_while_it_fills(tmp_path, monkeypatch):
    stream, plan = Terminal(), sprt_plan(3)
    monkeypatch.setattr(live.sys, "stderr", stream)
    monkeypatch.setattr(live, "OFTEN", 0.0)
    monkeypatch.setattr(live, "SHARE", 0)
    with Store.make(tmp_path / "t.sqlite", plan) as store, live.display(store) as show:
        for pair in plan.all_pairs():
            store.add(made_up(pair, 1))
            show()
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", stream.getvalue())  # the visible text, without escape sequences
    assert "new against old: 2 games" in shown and "new against old: 6 games" in shown
    assert "no games yet" in shown and "3/3" in shown and "at most" in shown


def test_elsewhere_a_line_now_and_then_says_how_far_it_is(tmp_path, monkeypatch):
    stream, plan, clock = io.StringIO(), sprt_plan(4), iter(range(0, 1000, 20))
    monkeypatch.setattr(live.sys, "stderr", stream)
    monkeypatch.setattr(live.time, "monotonic", lambda: next(clock))
    with Store.make(tmp_path / "t.sqlite", plan) as store, live.display(store) as show:
        for pair in plan.all_pairs():
            store.add(made_up(pair, 1))
            show()
    assert stream.getvalue() == "2 of 4 pairs, at most 0:00:40 left\n4 of 4 pairs, at most 0:00:00 left\n"
    assert live.clock(3661) == "1:01:01"
