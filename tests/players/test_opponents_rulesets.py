"""Tests of the rulesets that players support: roles, `match`, and GNU Go on other boards."""

import json
import shlex

import pytest
from boards import position
from gnugo import needs_gnugo
from gtp_engines import engine_name
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.cli.main import main
from littlego.games.game import game_named, opening
from littlego.games.little_go import game_of
from littlego.games.match import match_rules
from littlego.match.referee import Game, record_json
from littlego.match.series import Pairing, play_game
from littlego.players import registry
from littlego.players.registry import UnknownPlayerError, make_player, parse, player_for, refuse_ruleset
from littlego.players.roles.simple import playable
from littlego.players.roles.table import ROLES, rng_for
from littlego.records.records import RecordError, game_record
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS
from littlego.rules.ruleset import LITTLE_GO

ALL_ROUND = [
    "ours",
    "ours-without-overrides",
    "random",
    "greedy",
    "aggressive",
    "silly",
    "alphabeta",
    "erring:0.5:greedy",
    "human",
]
ENGINES = ["gnugo", "gnugo:3", "gtp:true", "erring:0.5:gnugo"]
OF_THE_COURSE = [
    "my_player3", "ours-uncounted", "qlearning", "championship", "real-championship", "perfect", "perfect:0.1",
    "file:greedy", "file:true", "folder:.", "erring:0.5:perfect", "erring:0.5:file:random",
]  # fmt: skip


@pytest.mark.parametrize("name", ALL_ROUND + ENGINES)
def test_players_of_all_rulesets(name):
    refuse_ruleset([name], match_rules(9))
    refuse_ruleset([name], LITTLE_GO)


@pytest.mark.parametrize("name", OF_THE_COURSE)
def test_players_of_the_course_s_board_alone(name):
    refuse_ruleset([name], LITTLE_GO)
    with pytest.raises(UnknownPlayerError) as raised:
        refuse_ruleset(["ours", name], match_rules(9))
    assert str(raised.value) == (
        f"{name} plays only little-go on 5x5, not match-9 on 9x9; expected ours, random, greedy, aggressive, "
        "silly, alphabeta, gnugo or gtp:COMMAND"
    )


@pytest.mark.parametrize("options", [("--ruleset", "match"), ("--size", "7"), ("--ruleset", "match", "--size", "5")])
@pytest.mark.parametrize("command", [("match",), ("arena", "gauntlet")])
def test_a_player_that_does_not_fit_is_refused_before_the_game(command, options, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*command, "ours", "championship", *options]) == 2
    shown = capsys.readouterr()
    assert not shown.out and shown.err.count("\n") == 1 and "championship plays only little-go on 5x5" in shown.err
    assert not list(tmp_path.iterdir())


def play(black, white, ruleset, seed=0, **others):
    return play_game(Pairing(0, black, white, seed, ruleset=ruleset.name, **others), player_for)


@pytest.mark.parametrize("name", [role.name for role in ROLES.values() if role.plays_all])
@pytest.mark.parametrize("size", [5, 8])
def test_a_match_of_simple_roles_comes_to_its_end(name, size):
    record = play(name, "random", match_rules(size), 3)
    assert record.why == "two passes" and not record.fault


@pytest.mark.parametrize("name", [role.name for role in ROLES.values() if role.plays_all])
def test_simple_roles_play_little_go_on_other_boards(name):
    record = play(name, "random", game_named("little-go").with_options(7, None, True))
    assert len(record.moves) == 48 and not record.fault


EYES = """
    . X . X O
    X X X X O
    O O O O O
    . . . . .
    . O . O .
"""


def test_roles_leave_their_eyes_alone_where_no_number_of_moves_ends_the_game():
    little = position(EYES)
    match = match_rules(5).start((little.black, little.white), BLACK)
    assert set(points_of(little.legal())) == set(points_of(match.legal()))
    assert set(playable(little)) == set(points_of(little.legal())) >= {0, 2}
    assert set(playable(match)) == set(points_of(match.legal())) - {0, 2}


ONLY_EYES = """
    . X . X O
    X X X X O
    O O O O O
    O . O . O
    O O O O O
"""


def test_a_role_passes_where_only_its_eyes_are_left():
    full = position(ONLY_EYES)
    match = match_rules(5).start((full.black, full.white), BLACK)
    assert points_of(match.legal()) == [0, 2]
    for role in (role for role in ROLES.values() if role.plays_all and role.name != "silly"):  # silly only counts
        assert role.choose(match, rng_for(0, match)) == PASS


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([5, 6, 9, 13]))
def test_all_roles_choose_legal_moves_anywhere(seed, size):
    at = opening(match_rules(size))
    for _ in range(8):
        for role in (role for role in ROLES.values() if role.plays_all):
            move = role.choose(at, rng_for(seed, at))
            assert move == PASS or at.legal() >> move & 1
        at = at.play(ROLES["random"].choose(at, rng_for(seed, at)))


def test_a_game_that_is_scored_as_it_stands_can_be_read_again():
    record = play("random", "greedy", match_rules(7), plies=9)
    assert record.is_cut_off and record.why == "scored as it stands after 9 plies" and len(record.moves) == 9
    value = json.loads(json.dumps(record_json(record)))
    assert game_record(value).key == record.key
    other = {1: 2, 2: 1}[record.winner]
    for wrong in (
        {"winner": other},
        {"lead": 99.5},
        {"why": "scored as it stands after 8 plies"},
        {"why": "two passes"},
    ):
        with pytest.raises(RecordError):
            game_record({**value, **wrong})


def test_a_game_with_a_length_is_never_scored_before_its_end():
    record = Game((make_player("random", 0), make_player("random", 1)), LITTLE_GO, plies=9).play()
    assert record.is_cut_off
    with pytest.raises(RecordError, match="9 moves do not end the game"):
        game_record(record_json(record))


def test_match_plays_by_the_ruleset(capsys, tmp_path):
    words = ["match", "random", "greedy", "--ruleset", "match", "--size", "6", "--komi", "-0.5", "--no-pass-stones"]
    assert main([*words, "--games", "4", "--plies", "20", "--jobs", "2", "--json", str(tmp_path / "games.json")]) == 0
    shown = capsys.readouterr().out
    assert "unfinished games scored after 20 moves: 4" in shown
    games = json.loads((tmp_path / "games.json").read_text())["games"]
    assert {game["ruleset"] for game in games} == {"match-6-no-pass-stones-komi-0.5"}
    assert {len(game["moves"]) for game in games} == {20}


def test_match_keeps_clocks(capsys, tmp_path):
    name = engine_name(tmp_path, "    if words[0] == 'genmove': time.sleep(60)")
    words = ["match", name, "random", "--ruleset", "match", "--size", "5", "--minutes", "0.005", "--games", "1"]
    assert main([*words, "--jobs", "1", "--sandbox", "none"]) == 0
    shown = capsys.readouterr()
    assert (
        "game 1: Black lost: its time is up" in shown.out
        and "third-party programs run with your permissions" in shown.err
    )
    # the output contains the command that replays the game
    assert "--ruleset match --size 5 --minutes 0.005" in shown.out


@pytest.mark.parametrize(
    "words, said",
    [
        (["--plies", "9"], "--plies requires --ruleset match; a game of little-go ends after 24 moves"),
        (["--komi", "7.5"], "--komi requires --ruleset match"),
        (["--ruleset", "match", "--plies", "0"], "0 is not in the range"),
    ],
)
def test_options_that_do_not_fit(words, said, capsys):
    assert main(["match", "random", "greedy", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    ["", "--size 7", "--ruleset match --size 5", "--ruleset match --size 19 --komi 7.5 --no-pass-stones"],
)
def test_a_ruleset_as_options(words):
    given = dict(zip(shlex.split(words)[::2], shlex.split(words)[1::2], strict=False))
    size, komi = given.get("--size"), given.get("--komi")
    asked = (given.get("--ruleset", "little-go"), size and int(size), komi and float(komi), "no-pass" not in words)
    assert game_of(game_named(asked[0]).with_options(*asked[1:])).options_text == words


def test_gnu_go_s_short_name_is_the_documented_line(monkeypatch):
    monkeypatch.setattr(registry, "_find_program", lambda word: f"/usr/games/{word}")
    options = "--chinese-rules --capture-all-dead --situational-superko --forbid-suicide"
    for name, level in (("gnugo", 0), ("gnugo:7", 7)):
        player = make_player(name, 0)
        assert " ".join(player.command) == f"/usr/games/gnugo --mode gtp --level {level} {options}"
        assert make_player(f"gtp:gnugo --mode gtp --level {level} {options}", 0).command == player.command
    for name in ("gnugo:11", "gnugo:-1", "gnugo:high"):
        with pytest.raises(UnknownPlayerError, match="is not a level of GNU Go; expected 0 to 10"):
            parse(name)


def test_an_engine_s_name_is_true_in_every_folder(monkeypatch, tmp_path):
    net = tmp_path / "net.bin"
    net.write_bytes(b"net")
    monkeypatch.chdir(tmp_path)
    engine = parse("gtp:sh -c 'a b' net.bin")
    assert engine.text.endswith(f"sh -c 'a b' {net}") and str(net) in engine.files
    assert parse(engine.text).text == engine.text
    for name, said in (("gtp:", "expected gtp:COMMAND"), ("gtp: ", "no command"), ("gtp:'x", "No closing quotation")):
        with pytest.raises(UnknownPlayerError, match=said):
            parse(name)


def test_a_program_that_is_missing_is_told_before_any_game(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(registry, "NOT_IN_PATH", str(tmp_path))
    with pytest.raises(
        UnknownPlayerError, match=r"gnugo:5: GNU Go is not installed \(Debian, Ubuntu: apt install gnugo"
    ):
        make_player("gnugo:5", 0)
    with pytest.raises(UnknownPlayerError, match="gtp:katago gtp: there is no program 'katago'; install the program"):
        make_player("gtp:katago gtp", 0)


@needs_gnugo
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--ruleset", "match", "--size", "5"),
        pytest.param(("--ruleset", "match", "--size", "9"), marks=pytest.mark.slow),
    ],
)
def test_games_against_gnu_go(options, capsys, tmp_path):
    words = ["match", "greedy", "gnugo", *options, "--openings", "2", "--games", "4", "--jobs", "1"]
    assert main([*words, "--json", str(tmp_path / "games.json")]) == 0
    shown = capsys.readouterr().out
    assert shown.count("illegal moves 0, other faults 0") == 2 and "the engine calls itself 'GNU Go 3.8'" in shown
    games = json.loads((tmp_path / "games.json").read_text())["games"]
    assert all(not game["fault"] for game in games)
    assert sum(game["winner"] == (2 if game["white"] == "gnugo" else 1) for game in games) >= 3


@needs_gnugo
def test_the_same_seed_gives_the_same_game_with_gnu_go():
    first, second, other = (play("gnugo", "random", match_rules(7), seed, openings=3) for seed in (1, 1, 2))
    assert first.key == second.key != other.key


@needs_gnugo
def test_an_erring_gnu_go_is_told_what_it_did_not_choose():
    record = play("erring:0.5:gnugo", "random", match_rules(5))
    assert not record.fault and {move.reason for move in record.moves} == {"", "by mistake"}


@needs_gnugo
def test_gnu_go_plays_by_a_clock():
    record = play("gnugo", "greedy", match_rules(5), minutes=5.0)
    assert not record.fault and all(0 < move.left < 300 for move in record.moves)


@needs_gnugo
@pytest.mark.slow
@pytest.mark.parametrize("size, games", [(5, 100), (9, 20), (19, 2)])
def test_many_games_against_gnu_go(size, games):
    for number in range(games):
        names = ("aggressive", "gnugo") if number % 2 else ("gnugo", "aggressive")
        record = play(*names, match_rules(size), number, openings=2, plies=400)
        assert not record.fault, record.why
