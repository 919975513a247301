"""The command `dev agreement`: how often the player chooses the moves of recorded games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from littlego.cache import Cache, digest
from littlego.cli.arguments import FINE, ArgumentError, default_patterns, write_results
from littlego.cli.commandline import POSITIVE, command, jobs_option, json_option
from littlego.cli.terminal import console, new_table
from littlego.engines.choosing import engine_for, engine_of
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.games.boards import move_text
from littlego.games.match import NAME as MATCH
from littlego.knowledge.files import book_of_lines, read_for
from littlego.knowledge.problems import plural
from littlego.learning.fitting.samples import Sample, sampled, teacher_weight
from littlego.learning.fitting.table import FIVE
from littlego.meaning import meaning_of
from littlego.parallel import cached_results
from littlego.records.packed_games import game_digest
from littlego.records.training_games import read_training_games
from littlego.shares import rate_text

CACHE = "agreement"
MOVES = 6  # moves of a game, by default
PHASES = {"moves 1 to 50": range(1, 51), "moves 51 to 120": range(51, 121), "from move 121": range(121, 1 << 20)}
ALL = "all"


class Agreement(NamedTuple):
    """Agreement of the player with recorded games, as counts of selected moves.

    first: the number of selected moves that the player also plays. five: the number of selected moves among the
    player's first FIVE choices. moves: the number of all selected moves.
    """

    first: int
    five: int
    moves: int


def ranks_in(lines: tuple[str, ...], sample: Sample) -> list[int]:
    """Return, for each selected move of a game, the number of moves that the player ranks higher.

    lines: the patterns, as lines of a patterns.txt. Moves that the decision vetoed rank behind all other moves.
    """
    book, positions, ranks = book_of_lines(lines, MATCH), sample.game.positions(), []
    for ply in sample.plies:
        decision = engine_for(positions[ply].ruleset).decide(positions[ply], book)
        preferred = [candidate.move for candidate in decision.candidates]
        ranks.append(preferred.index(sample.game.moves[ply]))
    return ranks


def agreements(ranks: Mapping[Sample, Sequence[int]]) -> dict[str, Agreement]:
    """Return {phase of a game: agreement}, with the agreement in all phases together under the key ALL.

    Phases without selected moves are omitted. ranks: the result of ranks_in for each sample.
    """
    numbered = [
        (ply + 1, rank) for sample, found in ranks.items() for ply, rank in zip(sample.plies, found, strict=True)
    ]
    phases = {name: [rank for number, rank in numbered if number in phase] for name, phase in PHASES.items()}
    phases[ALL] = [rank for _, rank in numbered]
    return {
        name: Agreement(found.count(0), sum(rank < FIVE for rank in found), len(found))
        for name, found in phases.items()
        if found
    }


class Measured(NamedTuple):
    """The agreement of a patterns file with games.

    name: the file's name. found: the result of agreements. ranks: see agreements. reports: lines about skipped or
    shortened games.
    """

    name: str
    found: dict[str, Agreement]
    ranks: Mapping[Sample, Sequence[int]]
    reports: Sequence[str]


def measure_agreement(games: Path, patterns: Path | None, moves: int, jobs: int) -> Measured:
    """Return how often the player chooses the moves of recorded games.

    The ranks are cached. patterns: a patterns file; None for patterns.match.yaml. moves: the maximum number of moves
    used per game. Raise ArgumentError if a file cannot be read or is invalid, or if no game has a move by an engine or
    a person.
    """
    path = patterns or default_patterns(ruleset=MATCH)
    lines = read_for(MATCH, path, "the games are matches").lines
    read = read_training_games(games)
    samples = [chosen for game in sampled(read.games, moves, loser=1.0) if (chosen := _of_teachers(game)).plies]
    if not samples:
        raise ArgumentError("; ".join(["no game has a move by an engine or a person", *read.reports]))
    code = digest(meaning_of("littlego.learning.fitting.agreement"), engine_of(MATCH).signature(), *lines)
    ranks = cached_results(partial(ranks_in, lines), samples, code, jobs, Cache(CACHE), "game")
    return Measured(short_name(path), agreements(ranks), ranks, read.reports)


@command("agreement", example="littlego dev agreement games.xz\nlittlego dev agreement folder --moves 20 --misses 5")
@click.argument("games", metavar="GAMES", type=click.Path(path_type=Path))
@click.argument("patterns", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--moves", type=POSITIVE, default=MOVES, show_default=True, metavar="N", help="Use at most N moves of each game."
)
@click.option("--misses", type=POSITIVE, metavar="N", help="List the first N game moves that the player does not play.")
@jobs_option
@json_option
def agreement(games: Path, patterns: Path | None, moves: int, misses: int | None, jobs: int, json: str | None) -> int:
    """Count how often the player chooses the moves of recorded games, by phase of the game.

    GAMES is a file of `littlego dev selfplay`, an SGF file, a folder of SGF files, or a list of games. FILE defaults to
    patterns.match.yaml. The command omits the moves of our own player and of other programs that are not Go engines.
    Every run selects the same moves of a game.
    """
    measured = measure_agreement(games, patterns, moves, jobs)
    found, ranks = measured.found, measured.ranks
    write_results(json, lambda: {name: counted._asdict() for name, counted in found.items()})
    if json != STANDARD_OUTPUT:
        print(f"{measured.name}: {plural(len(ranks), 'game')}, at most {plural(moves, 'move')} of each")
        print("".join(f"{line}\n" for line in measured.reports), end="")
        rows = [(name, str(one.moves), *(rate_text(n, one.moves) for n in one[:2])) for name, one in found.items()]
        console().print(new_table("phase", "moves", "first", f"first {FIVE}", gap=2, rows=rows))
        print(*_missed(ranks)[: misses or 0], sep="\n", end="\n" if misses else "")
    return FINE


def _of_teachers(sample: Sample) -> Sample:
    """Return a sample with only the moves of engines and persons; see teacher_weight."""
    players = sample.game.players
    return sample._replace(plies=tuple(ply for ply in sample.plies if teacher_weight(players[ply % 2]) > 0))


def _missed(ranks: Mapping[Sample, Sequence[int]]) -> list[str]:
    """Return a line for each selected move that the player does not play.

    The line names the game by the first 12 digits of the game's digest.
    """
    return [
        f"game {game_digest(sample.game)[:12]}, move {ply + 1}: {move_text(sample.game.moves[ply], sample.game.size)} "
        f"ranks {rank + 1}"
        for sample, found in ranks.items()
        for ply, rank in zip(sample.plies, found, strict=True)
        if rank
    ]
