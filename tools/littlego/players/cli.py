"""The commands `play` and `match`."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial

import click

from littlego.cli.arguments import FINE, ArgumentError, check_target, show_results, trying_to, write_results
from littlego.cli.commandline import OPENING, command, jobs_option, json_option, series_options
from littlego.files import STANDARD_OUTPUT, write_text
from littlego.games.little_go import game_of
from littlego.match.referee import GameRecord, Player, Watch, record_json
from littlego.match.ruleset_options import minutes_option, plies_for, plies_option, plies_option_with, ruleset_options
from littlego.match.series import PLIES, Maker, Pairing, pairings, play_all, play_game
from littlego.parallel import with_progress
from littlego.players.human import HumanPlayer
from littlego.players.ours import OURS, OursPlayer, decide_at
from littlego.players.registry import HUMAN, OUR_PROGRAM, PlayerType, parse, player_for, players_help, refuse_ruleset
from littlego.players.score import counted_text, game_json, is_counted
from littlego.players.show import boards_by_default, result_text, series_text, watch_game
from littlego.records.sgf_writing import record_sgf
from littlego.rules.engine import Decision
from littlego.rules.position import Position
from littlego.rules.ruleset import Ruleset
from littlego.sandbox.confinement import sandbox_option, warn_unconfined

PLAYERS = f"\b\nPlayers:\n{players_help()}"


@command(
    "play",
    example="""littlego play --black ours --white human
littlego play --white championship --sgf game.sgf
littlego play --ruleset match --black human --white ours --minutes 15""",
    epilog=PLAYERS,
)
@click.option("--black", type=PlayerType(), help="Black player.  [default: my_player3; with --ruleset match: ours]")
@click.option("--white", type=PlayerType(), default="random", show_default=True, help="White player.")
@ruleset_options
@minutes_option
@plies_option_with(default=f"{PLIES}; against a person: no limit")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random choices.")
@click.option("--openings", type=OPENING, default=0, show_default=True, metavar="K", help="Start with K random moves.")
@sandbox_option
@click.option(
    "--folder",
    metavar="FOLDER",
    help="One work folder for both programs, as in the course's build.sh.  [default: a new folder for each]",
)
@click.option("--brief", is_flag=True, help="Print the moves and their reasons without boards.")
@click.option(
    "--board-every",
    "boards",
    type=click.IntRange(0),
    metavar="K",
    help="Draw a board every K moves, or no boards if K is 0.  [default: 1; above 9x9: 20]",
)
@json_option
@click.option("--sgf", metavar="FILE", help="Write the game as SGF, with the reasons as comments.")
def play(
    black: str | None,
    white: str,
    ruleset: Ruleset,
    minutes: float | None,
    plies: int | None,
    seed: int,
    openings: int,
    folder: str | None,
    brief: bool,
    boards: int | None,
    json: str | None,
    sgf: str | None,
) -> int:
    """Play one game, and print each move and our player's reasons."""
    if sgf:
        check_target(sgf)
    if brief and boards:
        raise ArgumentError("--brief draws no boards: omit --brief or --board-every")
    names = black or next(name for name in (OUR_PROGRAM, OURS) if parse(name).plays(ruleset)), white
    refuse_ruleset(names, ruleset)
    if plies is not None or HUMAN not in names:  # a match against a person ends only by its rules
        plies = plies_for(ruleset, plies)
    _warn_of_strangers(*names)
    game = Pairing(0, *names, seed, openings, game_of(ruleset).cpu_limit, ruleset.name, minutes, plies)
    if json == STANDARD_OUTPUT and HUMAN in names:
        raise ArgumentError("the prompt for the person uses standard output: give --json a FILE")
    watch = None
    if json != STANDARD_OUTPUT:
        print(_heading(game, ruleset))
        every = boards_by_default(ruleset.size) if boards is None else boards
        watch = _watch(names, 0 if brief else every)
    record = play_game(game, _seat_players(folder and os.path.realpath(folder)), watch)
    show_results(f"\n{end_text(record, not brief)}", json, lambda: game_json(record))
    if sgf:
        with trying_to(f"write {sgf}"):
            write_text(sgf, record_sgf(record))
    return FINE


def _watch(names: tuple[str, str], every: int) -> Watch:
    """Return the function that prints each move of a game as it is played.

    In a game with a person, the function draws only the final board, because the person's prompt draws the other
    boards.
    """
    return watch_game(names, 0, last=True) if HUMAN in names else watch_game(names, every)


def _heading(game: Pairing, ruleset: Ruleset) -> str:
    """Return a game's heading: the rules and the players. The heading of a match has two lines."""
    played, timed = game_of(ruleset), f", {game.minutes:g} minutes each" if game.minutes else ""
    players = f"{game.black} is Black (X), {game.white} is White (O), seed {game.seed}."
    return f"{played.title}{timed}{played.heading_end}{players}"


def end_text(record: GameRecord, drawn: bool = True) -> str:
    """Return the text for the end of a game; for a match decided by its score, include both scores.

    drawn: whether to draw the final board above the scores.
    """
    counted = f"{counted_text(record, drawn)}\n\n" if is_counted(record) else ""
    return counted + result_text(record)


def _warn_of_strangers(*names: str) -> None:
    """Print a warning if the named players include programs that will run without a sandbox."""
    if any(parse(name).is_program for name in names):
        warn_unconfined()


def _seat_players(folder: str | None) -> Maker:
    """Return a factory for the players of one game.

    A human player from this factory can ask for our player's reasons.
    """
    seated: list[tuple[str, Player]] = []

    def seat(name: str, game: Pairing) -> Player:
        player = player_for(name, game, folder)
        if isinstance(player, HumanPlayer):
            player.decide_theirs = partial(_decide_as_seated, seated)
        seated.append((name, player))
        return player

    return seat


def _decide_as_seated(seated: list[tuple[str, Player]], position: Position) -> Decision | None:
    """Return our player's decision in a position, or None if our player is not in the game."""
    for name, player in seated:
        if isinstance(player, OursPlayer):
            return player.decide(position, complete=True)
        if name == OUR_PROGRAM:
            return decide_at(position, complete=True)
    return None


def player_without_reasons(name: str, game: Pairing) -> Player:
    """Return the named player for one game; our in-process player omits the reasons for its moves."""
    player = player_for(name, game)
    if isinstance(player, OursPlayer):
        player.with_reasons = False
    return player


def _play_series(plan: list[Pairing], make: Maker, processes: int) -> tuple[list[tuple[Pairing, GameRecord]], bool]:
    """Return (the finished games in order, whether Ctrl-C ended the series)."""
    results: list[tuple[Pairing, GameRecord]] = []
    interrupted = False
    try:
        for result in with_progress(play_all(plan, make, processes), len(plan), "game"):
            results.append(result)
    except KeyboardInterrupt:
        interrupted = True
        print(f"\ninterrupted after {len(results)} of {len(plan)} games", file=sys.stderr)
    results.sort(key=lambda result: result[0].number)
    return results, interrupted


@command(
    "match",
    example="littlego match ours championship --games 20 --seed 3\n"
    "littlego match ours gnugo --ruleset match --size 9 --games 10",
    epilog=PLAYERS,
)
@click.argument("first", metavar="A", type=PlayerType())
@click.argument("second", metavar="B", type=PlayerType())
@series_options
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
    """Play many games between two players with alternating colours, and print a summary.

    With --seed S, games 1 and 2 have the seed 1000000 * S, games 3 and 4 the seed 1000000 * S + 1, and so on. The two
    games with the same seed have the same opening and swapped colours. After Ctrl-C the command summarizes the finished
    games.
    """
    if HUMAN in (first, second):
        raise ArgumentError("a person plays one game at a time: use littlego play")
    refuse_ruleset((first, second), ruleset)
    plies = plies_for(ruleset, plies)
    _warn_of_strangers(first, second)
    processes = max(1, min(jobs, games))
    if processes > 1 and (parse(first).folder or parse(second).folder):
        print("playing one game at a time, because parallel games would share the folder of cwd=", file=sys.stderr)
        processes = 1
    plan = pairings(first, second, games, seed, openings, ruleset.name, minutes, plies)
    results, interrupted = _play_series(plan, player_for if json else player_without_reasons, processes)
    if results and json != STANDARD_OUTPUT:
        print(series_text(results, first, second))
    write_results(json, lambda: {"games": [record_json(record) for _, record in results]})
    return 128 + signal.SIGINT if interrupted else FINE
