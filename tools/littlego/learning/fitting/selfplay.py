"""The command `selfplay`, which records games between players in one file."""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from littlego.arena.players import entrants
from littlego.cli.arguments import FINE, ArgumentError, check_target, show_results
from littlego.cli.commandline import command, jobs_option, json_option, output_option, series_options
from littlego.files import short_name
from littlego.match.referee import CPU_LIMIT, GameRecord
from littlego.match.ruleset_options import match_options, plies_for, plies_option_with
from littlego.match.series import SEEDS, Pairing, pairings, play_all
from littlego.parallel import with_progress
from littlego.paths import ENGINE_GAMES
from littlego.players.cli import PLAYERS, player_without_reasons
from littlego.players.gtp_player import GtpPlayer
from littlego.players.registry import HUMAN, PlayerType, make_player, refuse_ruleset
from littlego.records.packed_games import PackedGame, add_games, entry_of, packed_of, read_packed
from littlego.rules.position import BLACK, WHITE
from littlego.rules.ruleset import Ruleset

SAVE_EVERY = 20.0  # seconds between two saves; a power cut loses at most the games that ended since the last save
DIGEST = 12  # hex digits of a displayed digest


@command(
    "selfplay",
    example="littlego dev selfplay gnugo --size 9 --games 200\n"
    "littlego dev selfplay gnugo:1 --size 19 --games 20 -o games.xz\n"
    "littlego dev selfplay ours gnugo --size 13 --games 50 -o games.xz",
    epilog=PLAYERS,
)
@click.argument("first", metavar="A", type=PlayerType())
@click.argument("second", metavar="[B]", type=PlayerType(), required=False)
@series_options
@match_options
@plies_option_with("Stop")
@output_option("File of games.  [default: tools/littlego/records/engine_games.xz]")
@jobs_option
@json_option
def selfplay(
    first: str,
    second: str | None,
    games: int,
    seed: int,
    openings: int,
    ruleset: Ruleset,
    plies: int | None,
    output: Path | None,
    jobs: int,
    json: str | None,
) -> int:
    """Play games of a player against itself or another player, and record the games in one file.

    With --seed S, game i of A against itself has the seed 1000000 * S + i. Game i of A against B has the seed 1000000 *
    S + i // 2; the two games with the same seed have swapped colours. To resume an interrupted run, run the same
    command again: the command skips games that the file already contains from the same versions of the players.
    """
    path = output or ENGINE_GAMES
    check_target(path)
    players = (first, second or first)
    if HUMAN in players:
        raise ArgumentError("a person plays one game at a time: use littlego play")
    refuse_ruleset(players, ruleset)
    limit = plies_for(ruleset, plies)
    programs = {name: program_of(name, ruleset) for name in dict.fromkeys(players)}
    planned = plan_games(players, games, seed, openings, ruleset.name, limit)
    missing = without_known(planned, known_games(path), programs)
    interrupted = keep_games(path, missing, programs, jobs)
    kept = [game for game in known_games(path) if game.players in (players, players[::-1])]
    show_results(describe_games(path, kept), json, lambda: {"games": [entry_of(game) for game in kept]})
    return 128 + signal.SIGINT if interrupted else FINE


def known_games(path: Path) -> list[PackedGame]:
    """Return the games in a file, or [] if the file does not exist. Raise GamesError for a damaged file."""
    return read_packed(path) if path.exists() else []


def program_of(name: str, ruleset: Ruleset) -> str:
    """Return a player's version: the version that a GTP engine reports, or a digest of the player's files."""
    player = make_player(name, 0)
    try:
        player.prepare(ruleset)
        if isinstance(player, GtpPlayer):
            return player.program
    finally:
        player.close()
    return f"littlego {entrants([name])[0].digest[:DIGEST]}"


def plan_games(
    players: tuple[str, str], games: int, seed: int, openings: int, ruleset: str, plies: int | None
) -> list[Pairing]:
    """Return the planned games: pairs of games as in `match`, or single games of a player against itself."""
    if players[0] != players[1]:
        return pairings(*players, games, seed, openings, ruleset, None, plies)
    return [Pairing(k, *players, SEEDS * seed + k, openings, CPU_LIMIT, ruleset, None, plies) for k in range(games)]


def without_known(plan: Iterable[Pairing], known: Iterable[PackedGame], programs: Mapping[str, str]) -> list[Pairing]:
    """Return the planned games that the current versions of the programs have not played yet."""
    have = {(game.plan, game.programs) for game in known}
    return [game for game in plan if (_plan_of(game), (programs[game.black], programs[game.white])) not in have]


def _plan_of(game: Pairing) -> tuple[str, tuple[str, str], int, int]:
    """Return the key of a planned game, which equals PackedGame.plan of the recorded game."""
    return game.ruleset, (game.black, game.white), game.seed, game.openings


def keep_games(path: Path, plan: list[Pairing], programs: Mapping[str, str], jobs: int) -> bool:
    """Play the planned games and add finished games to a file; return whether Ctrl-C interrupted the run.

    Raise ArgumentError if a player's fault ends a game.
    """
    waiting: list[PackedGame] = []
    saved = time.monotonic()
    try:
        played = play_all(plan, player_without_reasons, max(1, min(jobs, len(plan))))
        for pairing, record in with_progress(played, len(plan), "game"):
            refuse_fault(record)
            waiting.append(packed_of(record, (programs[pairing.black], programs[pairing.white])))
            if time.monotonic() > saved + SAVE_EVERY:
                add_games(path, waiting)
                waiting, saved = [], time.monotonic()
    except KeyboardInterrupt:
        print("\ninterrupted: the finished games are saved; run the same command again to resume", file=sys.stderr)
        return True
    finally:
        if waiting:
            add_games(path, waiting)
    return False


def refuse_fault(record: GameRecord) -> None:
    """Raise ArgumentError if a player's fault ended a game, because `fit` cannot learn from such a game."""
    if record.fault:
        raise ArgumentError(f"{record.players[record.fault - 1]}: {record.why}; the earlier games are saved")


def describe_games(path: Path, games: Sequence[PackedGame]) -> str:
    """Return a description of a file of games as text.

    The text gives the file's size or, if the file does not exist, reports that no games are recorded. For each ruleset
    and pairing in `games`, it gives the numbers of games and of distinct games, the mean number of moves, and the
    results.
    """
    lines = [f"{short_name(path)}: {path.stat().st_size:,} bytes" if path.exists() else "no games are recorded"]
    groups: dict[tuple[str, tuple[str, str]], list[PackedGame]] = {}
    for game in games:
        groups.setdefault((game.ruleset.name, game.players), []).append(game)
    for (ruleset, (black, white)), group in groups.items():
        won = Counter(game.winner for game in group)
        different, moves = len({game.moves for game in group}), sum(len(game.moves) for game in group)
        lines.append(
            f"{ruleset}, {black} against {white}: {len(group)} games, {different} distinct, "
            f"{moves / len(group):.0f} moves on average; Black won {won[BLACK]}, White {won[WHITE]}"
        )
    return "\n".join(lines)
