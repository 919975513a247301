"""Tests of the learning player by name: in this process, over files, and over the Go Text Protocol."""

import os
import subprocess
import sys

import pytest
from gtp_talk import Talk
from zero_networks import random_network

from littlego.games.game import opening, ruleset_named
from littlego.match.protocol import Turn, write_input
from littlego.match.series import Pairing, play_game
from littlego.paths import CODE, PACKAGE
from littlego.players.registry import UnknownPlayerError, check_player, make_player, parse, player_for, refuse_ruleset
from littlego.players.roles.table import rng_for
from littlego.players.zero import player as zero
from littlego.players.zero.games import game_named
from littlego.rules.position import PASS
from littlego.rules.ruleset import LITTLE_GO

PYTHON37 = os.environ.get("LITTLEGO_PYTHON37")
PROGRAM = str(PACKAGE / "players" / "__main__.py")


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("zero") / "weights.npz"
    random_network(game_named("little-go"), 11, width=64).save(str(path))
    return str(path)


@pytest.fixture(scope="module")
def match_weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("zero") / "match.npz"
    random_network(game_named("match-5"), 12).save(str(path))
    return str(path)


def test_names(weights, monkeypatch):
    monkeypatch.chdir(os.path.dirname(weights))
    assert zero.parse_zero("") == (64, zero.WEIGHTS) and zero.parse_zero("0") == (0, zero.WEIGHTS)
    assert [parse(name).text for name in ("zero", "zero:64", "zero:256")] == ["zero", "zero", "zero:256"]
    assert [parse(f"zero:{form}").text for form in ("weights.npz", "16:weights.npz")] == [
        f"zero:{weights}",
        f"zero:16:{weights}",
    ]
    assert parse("zero:weights.npz").files == (weights,) and parse("zero").files == (zero.WEIGHTS,)
    with pytest.raises(UnknownPlayerError, match="zero:200000: found 200000 simulations; expected 0 to 100000"):
        parse("zero:200000")


def test_missing_weights_are_reported(tmp_path, monkeypatch):
    with pytest.raises(
        UnknownPlayerError, match="No such file or directory; `littlego zero train FILE` trains weights"
    ):
        check_player(f"zero:{tmp_path}/weights.npz")
    monkeypatch.setattr(zero, "WEIGHTS", f"{tmp_path}/weights.npz")
    with pytest.raises(zero.UnavailableError, match="the shipped weights are missing; "):
        zero.ZeroPlayer(zero.ZeroName(path=zero.WEIGHTS), 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda network: network.about.update(game="chess"), "unknown ruleset 'chess'"),
        (lambda network: network.about.update(game="little-go-7"), "does not fit the game little-go-7"),
        (lambda network: network.about.update(game="tic-tac-toe"), "does not fit the game tic-tac-toe"),
        (lambda network: network.about.clear(), "not a weights file"),
    ],
)
def test_unusable_weights_are_reported(tmp_path, change, message):
    network = random_network(game_named("little-go"), 1)
    change(network)
    network.save(str(tmp_path / "weights.npz"))
    with pytest.raises(UnknownPlayerError, match=message):
        check_player(f"zero:{tmp_path}/weights.npz")


def test_a_game_in_this_process_equals_the_game_over_files(weights):
    """The random opening leaves few moves, since each turn over files loads the network anew."""
    games = [play_game(Pairing(1, name, "greedy", 3, openings=20), player_for) for name in both_forms(weights)]
    here, over_files = ([move.move for move in game.moves] for game in games)
    assert here == over_files and len(here) > 20


def both_forms(weights):
    return f"zero:8:{weights}", f"file:zero:8:{weights}"


def positions(count):
    """Return positions after some random legal moves."""
    found = []
    for seed in range(count):
        position, chance = opening(LITTLE_GO), rng_for(seed, opening(LITTLE_GO))
        for _ in range(chance.randrange(20)):
            moves = [point for point in range(25) if position.legal() >> point & 1]
            position = position.play(chance.choice(moves or [PASS]))
        found.append(position)
    return found


def test_moves_are_legal_and_depend_only_on_seed_and_position(weights):
    first, second = (make_player(f"zero:16:{weights}", seed) for seed in (1, 2))
    differing = 0
    for position in positions(30):
        options = first.options(position)
        moves = [option.move for option in options]
        assert sorted(moves) == [PASS, *(point for point in range(25) if position.legal() >> point & 1)]
        assert sum(option.visits for option in options) == 16 and sum(
            option.share for option in options
        ) == pytest.approx(1)
        assert all(option.line[0] == option.move and -1 <= option.value <= 1 for option in options)
        again = make_player(f"zero:16:{weights}", 1).choose(Turn(position, (0, 0)))
        assert again.move == moves[0] and again.reason.startswith("winrate ")
        differing += second.options(position)[0].move != moves[0]
    assert differing  # the seed chooses the symmetry in which the network sees a position


def test_the_network_sees_a_turned_position(weights):
    search = make_player(f"zero:0:{weights}", 0)._search
    for position in positions(8):
        state = search.game.state_of(position)
        for symmetry in range(8):
            turned = state.copy()
            turned[:, :25] = state[:, search.game.symmetries[symmetry]]
            turned[:, 25] = -1  # no ko
            if not position.ko:
                logits = search.network(search.game.features(turned))[0][0]
                seen = search._turned(symmetry)(search.game.features(state))[0][0]
                assert (seen[search.game.symmetries[symmetry]] == logits[:25]).all() and seen[25] == logits[25]


def test_without_simulations_the_network_moves(weights):
    player = make_player(f"zero:0:{weights}", 0)
    reply = player.choose(Turn(opening(LITTLE_GO), (0, 0)))
    assert "simulations" not in reply.reason and reply.move == player.options(opening(LITTLE_GO))[0].move


def test_weights_of_a_match_play_only_this_match(match_weights):
    name, ruleset = f"zero:8:{match_weights}", ruleset_named("match-5")
    assert parse(name).plays(ruleset) and not parse(name).plays(LITTLE_GO)
    with pytest.raises(UnknownPlayerError, match="plays only match-5 on 5x5, not little-go on 5x5"):
        refuse_ruleset([name], LITTLE_GO)
    record = play_game(Pairing(1, name, "random", 1, ruleset="match-5"), player_for)
    assert not record.fault and len(record.moves) > 10


def test_analysis_over_gtp(weights):
    talk = Talk(player=make_player(f"zero:32:{weights}", 0))
    visits = [int(part.split()[0]) for part in talk.ask("lz-analyze b 10 maxmoves 40").split(" visits ")[1:]]
    assert sum(visits) == 32 and visits == sorted(visits, reverse=True)
    assert f"visits and winrates come from the search of zero:32:{weights}" in talk.said[-1]
    words = talk.ask("kata-genmove_analyze b").split()
    assert words[3] == words[-1]  # the first move of the analysis is the played move


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
sys.path[:0] = sys.argv[1:]
import test_zero_search as tests
assert not hasattr(tests.module._select, "py_func")
game, network, states, noise = tests.a_case(80)
assert tests.letters(tests.search(game, network, states[:9], noise[:9], 50).actions) == tests.RECORDED[:9]
"""


def test_actions_are_the_same_without_numba():
    folders = [str(CODE), os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..", "..", "support")]
    subprocess.run([sys.executable, "-c", WITHOUT_NUMBA, *folders], check=True, timeout=100)


def test_the_loops_are_compiled():
    from littlego.players.zero import go, network, search

    assert all(hasattr(loop, "py_func") for loop in (go._play, network._activate, search._select))


def run_program(python, folder, name):
    write_input(str(folder), Turn(opening(LITTLE_GO), (0, 0)))
    command = [python, PROGRAM, name, "--seed", "5"]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(CODE)}, capture_output=True, text=True, timeout=100
    )


def test_without_numpy_the_game_of_weights_is_that_of_the_course(monkeypatch, match_weights):
    assert zero.ruleset_name(match_weights) == "match-5"
    monkeypatch.setitem(sys.modules, "littlego.players.zero.network", None)
    assert zero.ruleset_name(match_weights) == "little-go"


def test_a_program_without_numpy_says_so(tmp_path, weights):
    done = run_program(sys.executable, tmp_path, f"zero:{tmp_path}/missing.npz")
    assert done.returncode == 1 and "cannot play: " in done.stderr and "No such file" in done.stderr
    if not PYTHON37:
        pytest.skip("set LITTLEGO_PYTHON37 to a Python 3.7 interpreter")
    has_numpy = subprocess.run([PYTHON37, "-c", "import numpy"], capture_output=True).returncode == 0
    done = run_program(PYTHON37, tmp_path, f"zero:8:{weights}")
    if has_numpy:
        move = make_player(f"zero:8:{weights}", 5).options(opening(LITTLE_GO))[0].move
        assert (tmp_path / "output.txt").read_text() == ("PASS" if move == PASS else f"{move // 5},{move % 5}")
    else:
        assert done.returncode == 1 and done.stderr.startswith("cannot play: numpy is missing: ")
