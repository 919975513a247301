"""Tests of the commands play, match and explain, and of the program that plays one turn."""

import io
import json
import multiprocessing
import re
import sys

import pytest

from littlego.cli.main import main
from littlego.cli.terminal import MOST_COLUMNS
from littlego.match.series import Pairing, play_game
from littlego.players import cli
from littlego.players.__main__ import main as one_turn
from littlego.players.registry import player_for

INPUT = "1\n" + "00000\n" * 5 + "00000\n" * 5


def test_play_shows_a_whole_game(capsys):
    assert main(["play", "--black", "ours", "--white", "random", "--seed", "5"]) == 0
    shown = capsys.readouterr().out
    assert len(re.findall(r"^ ?\d+\. (Black|White) \((X|O), (ours|random)\): ", shown, re.M)) == 24
    assert shown.count("   0 1 2 3 4") == 24
    assert (
        len(re.findall(r"^    (\d,\d|PASS) rather than (\d,\d|PASS): ", shown, re.M)) == 12
    )  # each of our moves has a reason
    assert max(map(len, shown.splitlines())) <= MOST_COLUMNS
    assert re.search(r"(Black|White) \((ours|random)\) wins by", shown)


ANOTHER = "plays another move"  # part of the message if the engine disagrees with our program


def test_play_explains_our_program_too(capsys):
    assert main(["play", "--brief", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    ours = [number for number, line in enumerate(lines) if "(X, my_player3):" in line]
    assert len(ours) == 12
    assert all(" rather than " in lines[number + 1] and ANOTHER not in lines[number + 1] for number in ours)


@pytest.fixture
def play_by_hand(monkeypatch, capsys):
    """Return a function that plays a game from typed entries and returns the output without prompts."""

    def play(*entries, words):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{entry}\n" for entry in entries)))
        assert main(["play", *words]) == 0
        return capsys.readouterr().out.replace("Your move: ", "")

    return play


@pytest.mark.parametrize("ours", ["ours", "ours-without-overrides", "my_player3"])
def test_a_person_may_ask_our_player_why_it_moved_so(ours, play_by_hand):
    words = ("--black", ours, "--white", "human")
    shown = play_by_hand("why", "why 2,3", "1,1", "why", "why pass", words=words)
    moves = re.findall(r"^ \d\. Black .*: (\d,\d)$", shown, re.M)
    assert len(moves) == 2 and "in your place" not in shown
    assert all(f"Chosen: {move} rather than " in shown for move in moves)
    assert f"Why not 2,3: {moves[0]} rather than 2,3: " in shown
    assert f"Why not PASS: {moves[1]} rather than PASS: " in shown
    assert max(map(len, shown.splitlines()[:-1])) <= MOST_COLUMNS  # the result of the game is one line


@pytest.mark.parametrize("other", ["greedy", "erring:0.5:ours", "human"])
def test_a_person_is_told_what_ours_would_do_where_the_opponent_is_another(other, play_by_hand):
    shown = play_by_hand("2,2", "0,0", "why", words=("--black", "human", "--white", other, "--seed", "3"))
    assert "Our player's decision in your place:\nChosen: " in shown


def test_the_board_is_drawn_once_a_turn_of_a_person_and_at_the_end(play_by_hand):
    shown = play_by_hand("2,2", "?", "9,9", "1,1", "why 0,0", "undo", "1,2", *["pass"] * 24, words=("--black", "human"))
    turns = shown.count("\nYou are Black (X), ")
    assert turns > 3 and shown.count("   0 1 2 3 4\n") == turns + 1
    last = shown.rpartition("   0 1 2 3 4\n")[2]
    assert "You are" not in last and re.search(r"\n(Black|White) \((human|random)\) wins by ", last)


def test_the_board_is_drawn_at_the_end_where_a_person_resigns(play_by_hand):
    shown = play_by_hand("2,2", "exit", words=("--black", "human"))
    assert shown.count("   0 1 2 3 4\n") == shown.count("You are Black") + 1 == 3


def test_our_program_plays_as_the_engine_does():
    """The game has no random opening, because after such an opening the program would count too few moves."""
    game = Pairing(0, "my_player3", "greedy", 11)
    outside = play_game(game, player_for)
    inside = play_game(game._replace(black="ours"), player_for)
    assert outside.fault == 0 and outside.key == inside.key


def test_our_program_meets_itself_in_one_folder(tmp_path, capsys):
    args = ["play", "--brief", "--white", "my_player3", "--folder", str(tmp_path), "--json", str(tmp_path / "g.json")]
    assert main(args) == 0
    game = json.loads((tmp_path / "g.json").read_text())
    assert game["fault"] == 0 and ANOTHER not in capsys.readouterr().out


def test_match_sums_up_and_every_game_can_be_replayed(capsys, tmp_path):
    file = tmp_path / "games.json"
    args = ["match", "random", "greedy", "--games", "6", "--seed", "3", "--openings", "2", "--jobs", "1"]
    assert main([*args, "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "random against greedy: 6 games" in shown and "distinct games: 6 of 6" in shown
    games = json.loads(file.read_text())["games"]
    assert [(game["black"], game["seed"]) for game in games[:3]] == [
        ("random", 3000000),
        ("greedy", 3000000),
        ("random", 3000001),
    ]
    assert games[0]["moves"][:2] == games[1]["moves"][:2] != games[2]["moves"][:2]
    replay = tmp_path / "one.json"
    again = ["--black", "greedy", "--white", "random", "--seed", "3000000", "--openings", "2"]
    assert main(["play", *again, "--json", str(replay)]) == 0
    one, other = json.loads(replay.read_text())["moves"], games[1]["moves"]
    assert [move["move"] for move in one] == [move["move"] for move in other]


def test_match_prints_the_command_that_replays_a_loss(capsys):
    main(["match", "random", "alphabeta", "--games", "4", "--jobs", "1"])
    shown = capsys.readouterr().out
    assert "first games lost by random:" in shown
    assert "littlego play --black alphabeta --white random --seed 0" in shown
    second, fourth = re.findall(r"  game (\d), by .*: littlego play --black alphabeta .* --seed (\d)", shown)
    assert (second, fourth) == (("2", "0"), ("4", "1"))  # numbers are counted from 1, as in `join`


@pytest.mark.parametrize(
    "words", [["play", "--black", "random", "--white", "greedy"], ["match", "random", "greedy", "--games", "2"]]
)
def test_json_alone_on_standard_output(words, capsys, tmp_path):
    assert main([*words, "--json", str(tmp_path / "game.json")]) == 0
    assert "random" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    found, kept = json.loads(capsys.readouterr().out), json.loads((tmp_path / "game.json").read_text())
    games = [[move["move"] for game in one.get("games", [one]) for move in game["moves"]] for one in (found, kept)]
    assert games[0] == games[1] != []


def test_two_jobs_give_the_same_games(tmp_path, capsys):
    keys = []
    for jobs in ("1", "2"):
        file = tmp_path / f"{jobs}.json"
        assert main(["match", "random", "greedy", "--games", "8", "--jobs", jobs, "--json", str(file)]) == 0
        games = json.loads(file.read_text())["games"]
        keys.append([[move["move"] for move in game["moves"]] for game in games])
    assert keys[0] == keys[1]


def test_match_counts_warnings(capsys, tmp_path):
    loose = tmp_path / "loose.py"
    loose.write_text("open('output.txt', 'w').write('PASS, really')")
    assert main(["match", f"file:python3 {loose}", "random", "--games", "2", "--jobs", "1"]) == 0
    counted = [
        int(number)
        for number in re.findall(r"illegal moves 0, other faults 0, warnings (\d+)", capsys.readouterr().out)
    ]
    assert len(counted) == 2 and counted[0] > 0 == counted[1]


def test_match_counts_faults(capsys, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("open('output.txt', 'w').write('9,9')")
    assert main(["match", f"file:python3 {bad}", "random", "--games", "2", "--jobs", "1"]) == 0
    shown = capsys.readouterr().out
    assert "illegal moves 2, other faults 0" in shown and "off the board" in shown


def test_an_interrupted_match_sums_up_what_is_done(capsys, monkeypatch):
    def some(games, make, jobs):
        for game in games[:2]:
            yield game, play_game(game, make)
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "play_all", some)
    assert main(["match", "random", "greedy", "--games", "6"]) == 130
    captured = capsys.readouterr()
    assert "random against greedy: 2 games" in captured.out
    assert "interrupted after 2 of 6 games" in captured.err
    assert not multiprocessing.active_children()


WRONG = [
    (["play", "--black", "nobody"], "unknown player 'nobody'"),
    (["match", "human", "random"], "a person plays one game at a time"),
    (["play", "--black", "human", "--json"], "the prompt for the person uses standard output: give --json a FILE"),
    (["play", "--sgf", "no/game.sgf"], "cannot write no/game.sgf: No such file"),
    (["match", "random", "greedy", "--json", "no/games.json"], "cannot write no/games.json: No such file"),
]


@pytest.mark.parametrize(("args", "message"), WRONG)
def test_a_wrong_argument_is_one_message_and_status_2(args, message, capsys):
    assert main(args) == 2
    captured = capsys.readouterr()
    assert message in captured.err and captured.err.count("\n") == 1 and not captured.out


@pytest.mark.parametrize("words", [["play", "--black", "ours"], ["match", "ours-without-overrides", "random"]])
def test_where_no_patterns_can_be_found_nothing_is_played(words, tmp_path, monkeypatch, capsys):
    for module in ("ours", "registry"):
        monkeypatch.setattr(f"littlego.players.{module}.own_file", lambda _: str(tmp_path / "patterns.txt"))
    assert main(words) == 2
    captured = capsys.readouterr()
    assert "patterns.txt" in captured.err and captured.err.count("\n") == 1 and not captured.out


def test_one_turn_of_a_role(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input.txt").write_text(INPUT)
    assert one_turn(["random", "--seed", "3"]) == 0
    assert re.fullmatch(r"[0-4],[0-4]", (tmp_path / "output.txt").read_text())


def test_one_turn_without_input_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert one_turn(["random"]) == 1
    assert "cannot play" in capsys.readouterr().err
