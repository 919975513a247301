"""The commands `play` and `match`."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial

import click

from rules.engine import Decision
from rules.position import Position
from rules.ruleset import Ruleset
from tools.arguments import FINE, ArgumentError, check_target, show_results, trying_to, write_results
from tools.commandline import OPENING, POSITIVE, command, jobs_option, json_option
from tools.files import STANDARD_OUTPUT, write_text
from tools.match.confinement import sandbox_option, warn_unconfined
from tools.match.records import record_sgf
from tools.match.referee import GameRecord, Player, record_json
from tools.match.ruleset_options import minutes_option, plies_for, plies_option, ruleset_options
from tools.match.series import Maker, Pairing, pairings, play_all, play_game
from tools.opponents.human import HumanPlayer
from tools.opponents.ours import OursPlayer, decide_at
from tools.opponents.registry import HUMAN, OUR_PROGRAM, PlayerType, parse, player_for, players_help, refuse_ruleset
from tools.opponents.show import result_text, series_text, watch_game
from tools.parallel import with_progress

PLAYERS = f"\b\nPlayers:\n{players_help()}"


@command(
    "play",
    example="littlego play --black ours --white human\nlittlego play --white championship --sgf game.sgf",
    epilog=PLAYERS,
)
@click.option("--black", type=PlayerType(), default=OUR_PROGRAM, show_default=True, help="Who is Black.")
@click.option("--white", type=PlayerType(), default="random", show_default=True, help="Who is White.")
@click.option("--seed", type=int, default=0, show_default=True, help="What all random choices depend on.")
@click.option("--openings", type=OPENING, default=0, metavar="K", help="A random opening of K moves.")
@sandbox_option
@click.option("--folder", metavar="FOLDER", help="One work folder for both programs, as the course's build.sh has it.")
@click.option("--brief", is_flag=True, help="One line a move, no boards.")
@json_option
@click.option("--sgf", metavar="FILE", help="Also write the game as SGF, with the reasons as comments.")
def play(
    black: str, white: str, seed: int, openings: int, folder: str | None, brief: bool, json: str | None, sgf: str | None
) -> int:
    """Show a game move by move, with our reasons."""
    if sgf:
        check_target(sgf)
    _warn_of_strangers(black, white)
    watch = None
    if json != STANDARD_OUTPUT:
        print(f"Little-Go: {black} is Black (X), {white} is White (O), seed {seed}.")
        is_played_here = HUMAN in (black, white)  # a person is shown the board at each turn anyway
        watch = watch_game((black, white), not brief and not is_played_here, is_played_here)
    elif HUMAN in (black, white):
        raise ArgumentError("a person plays on standard output: give --json a FILE")
    record = play_game(
        Pairing(0, black, white, seed, openings), _seat_players(folder and os.path.realpath(folder)), watch
    )
    show_results(f"\n{result_text(record)}", json, lambda: record_json(record))
    if sgf:
        with trying_to(f"write {sgf}"):
            write_text(sgf, record_sgf(record))
    return FINE


def _warn_of_strangers(*names: str) -> None:
    """Say that nothing holds the programs of others among the players, where that is so."""
    if any(parse(name).is_program for name in names):
        warn_unconfined()


def _seat_players(folder: str | None) -> Maker:
    """Return what makes the players of one game; a person among them may ask our player why it moved so."""
    seated: list[tuple[str, Player]] = []

    def seat(name: str, game: Pairing) -> Player:
        player = player_for(name, game, folder)
        if isinstance(player, HumanPlayer):
            player.decide_theirs = partial(_decide_as_seated, seated)
        seated.append((name, player))
        return player

    return seat


def _decide_as_seated(seated: list[tuple[str, Player]], position: Position) -> Decision | None:
    """Return the decision of the one player that is ours, or None."""
    for name, player in seated:
        if isinstance(player, OursPlayer):
            return player.decide(position, complete=True)
        if name == OUR_PROGRAM:
            return decide_at(position, complete=True)
    return None


def player_without_reasons(name: str, game: Pairing) -> Player:
    """Return a player for a game of which nobody reads the reasons."""
    player = player_for(name, game)
    if isinstance(player, OursPlayer):
        player.with_reasons = False
    return player


@command(
    "match",
    example="littlego match ours championship --games 20 --seed 3\n"
    "littlego match ours gnugo --ruleset match --size 9 --games 10",
    epilog=PLAYERS,
)
@click.argument("first", metavar="A", type=PlayerType())
@click.argument("second", metavar="B", type=PlayerType())
@click.option("--games", type=POSITIVE, default=100, show_default=True, metavar="N", help="Games in all.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of the whole series.")
@click.option("--openings", type=OPENING, default=0, metavar="K", help="Random openings of K moves.")
@sandbox_option
@ruleset_options
@minutes_option
@plies_option
@jobs_option
@json_option
def match(
    first: str,
    second: str,
    games: int,
    seed: int,
    openings: int,
    ruleset: Ruleset,
    minutes: float | None,
    plies: int | None,
    jobs: int,
    json: str | None,
) -> int:
    """Play many games between two players, colours alternating, and sum them up.

    Game i has the seed 1000000 * S + i // 2; each pair of games has the same seed and opening, colours swapped. After
    Ctrl-C the games that are done are summed up.
    """
    if HUMAN in (first, second):
        raise ArgumentError("a person plays one game at a time: use littlego play")
    refuse_ruleset((first, second), ruleset)
    plies = plies_for(ruleset, plies)
    _warn_of_strangers(first, second)
    processes = max(1, min(jobs, games))
    if processes > 1 and (parse(first).folder or parse(second).folder):
        print("one game at a time: a player with cwd= has only one folder", file=sys.stderr)
        processes = 1
    plan = pairings(first, second, games, seed, openings, ruleset.name, minutes, plies)
    make = player_for if json else player_without_reasons
    results: list[tuple[Pairing, GameRecord]] = []
    interrupted = False
    try:
        for result in with_progress(play_all(plan, make, processes), len(plan), "game"):
            results.append(result)
    except KeyboardInterrupt:
        interrupted = True
        print(f"\ninterrupted after {len(results)} of {len(plan)} games", file=sys.stderr)
    results.sort(key=lambda result: result[0].number)
    if results and json != STANDARD_OUTPUT:
        print(series_text(results, first, second))
    write_results(json, lambda: {"games": [record_json(record) for _, record in results]})
    return 128 + signal.SIGINT if interrupted else FINE
