"""The command `dev strength-large`, which measures our player's strength on large boards.

The measurements are for docs/results.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import click

from littlego.arena.handicap import MOST, PLIES, Step, climb, estimate, play_step
from littlego.cache import Cache, digest
from littlego.cli.arguments import FINE, ArgumentError, default_patterns, trying_to
from littlego.cli.commandline import POSITIVE, command, jobs_option
from littlego.dev.regenerate.figures import RUNS
from littlego.engines.choosing import engine_of
from littlego.files import short_name, write_json
from littlego.games.match import NAME as MATCH
from littlego.games.match import match_rules
from littlego.knowledge.files import read_for
from littlego.learning.fitting.agreement import measure_agreement
from littlego.learning.fitting.table import FIVE
from littlego.match.series import Pairing, colour_of, pairings, play_game
from littlego.meaning import meaning_of
from littlego.parallel import cached_results, with_progress
from littlego.paths import INSTALLED, revision
from littlego.players.cli import player_without_reasons
from littlego.players.ours import OURS
from littlego.players.solving import answer_to
from littlego.records.problems import Problem
from littlego.records.regression import read_regression
from littlego.rules.position import BLACK
from littlego.shares import rate_text

CACHE = "strength"
SEED, OPENINGS = 1, 2  # of every series: games begin with two random moves
GNUGO = "gnugo"
TESTED = OURS, GNUGO, f"{GNUGO}:10"
STAIRCASE_GAMES, FIRST_STONES = 60, 9
KOMI2_OF_HANDICAP = 1
COMMAND = "littlego dev strength-large"


class Series(NamedTuple):
    """Games of our player against an opponent on one board size.

    pass_stones: whether a pass costs a stone. plies: the number of moves after which an unfinished game is scored.
    """

    opponent: str
    size: int
    pass_stones: bool
    games: int
    plies: int = 400

    def plan(self, most: int | None) -> list[Game]:
        """Return the games of the series, at most `most` games (None for all)."""
        ruleset = match_rules(self.size, pass_stones=self.pass_stones).name
        games = min(self.games, most or self.games)
        return [Game(one) for one in pairings(OURS, self.opponent, games, SEED, OPENINGS, ruleset, None, self.plies)]


AGAINST_GNUGO = [
    Series(GNUGO, size, pass_stones, games) for size, games in ((9, 200), (13, 60)) for pass_stones in (True, False)
]
AGAINST_SIMPLE = {
    opponent: [
        Series(opponent, size, pass_stones, games, plies)
        for size, games, plies in ((9, 200, 400), (13, 100, 400), (19, 100, 600))
        for pass_stones in (True, False)
    ]
    for opponent in ("random", "silly", "greedy", "aggressive")
}


class Game(NamedTuple):
    """A planned game, whose result is cached."""

    pairing: Pairing

    def key(self, code: str) -> str:
        """Return the key of the game's result in the cache. code: a digest of the code that plays the game."""
        return digest(code, *map(str, self.pairing))


class Test(NamedTuple):
    """A regression test of GNU Go, taken by a player; the result is cached."""

    player: str
    problem: Problem

    def key(self, code: str) -> str:
        """Return the key of the result in the cache. code: a digest of the code of the players."""
        return digest(code, self.player, self.problem.id)

    def __hash__(self) -> int:
        return hash((self.player, self.problem.id))


def passes(test: Test) -> bool:
    """Return whether the player passes the test."""
    return answer_to((test.player, test.problem)).is_right


def play(game: Game) -> dict[str, Any]:
    """Play a game, and return the result for our player.

    won: whether our player won. lead2: our player's lead in half points. fault: whether our player lost by a fault.
    moves: a digest of the game's moves.
    """
    record = play_game(game.pairing, player_without_reasons)
    colour = colour_of(game.pairing, True)
    lead2 = record.lead2 if colour == BLACK else -record.lead2
    moves = digest(*(str(move.move) for move in record.moves))
    return {"won": record.winner == colour, "lead2": lead2, "fault": record.fault == colour, "moves": moves}


class Measuring(NamedTuple):
    """Settings that all measurements share.

    most: the maximum number of games per series and the maximum number of tests, or None for all. code: see Game.key.
    experts, regression: the paths of the strong players' games and of GNU Go's tests, or None to skip these parts.
    """

    most: int | None
    jobs: int
    code: str
    experts: Path | None
    regression: Path | None

    def played(self, series: Series) -> list[dict[str, Any]]:
        """Return the results of a series; finished games come from the cache."""
        games = series.plan(self.most)
        return list(cached_results(play, games, self.code, self.jobs, Cache(CACHE), "game").values())

    def climbed(self, ruleset: str) -> list[Step]:
        """Return the games of the staircases against GNU Go; finished games come from the cache.

        For staircases, see littlego.arena.handicap.
        """
        done: list[Step] = []
        games = min(STAIRCASE_GAMES, self.most or STAIRCASE_GAMES)
        code = digest(self.code, OURS, GNUGO, ruleset, str(PLIES), str(SEED))
        play = partial(_step, ruleset=ruleset, code=code)
        for _ in with_progress(climb(games, FIRST_STONES, MOST, done, play, self.jobs), games, "game"):
            pass
        return done


def _step(item: tuple[int, int, int], ruleset: str, code: str) -> Step:
    """Return a game of a staircase, from the cache if possible. item: see play_step."""
    cache, key = Cache(CACHE), digest(code, *map(str, item))
    if found := cache.get(key):
        return Step(**found)
    step = play_step(item, OURS, GNUGO, ruleset, PLIES, SEED)
    cache.put(key, step._asdict())
    return step


Run = dict[str, Any]  # the content of a file in docs/results/: see littlego.dev.regenerate.figures


def against_gnugo(measuring: Measuring) -> Iterator[tuple[str, Run]]:
    """Yield the table of the games against GNU Go at level 0."""
    rows = []
    for series in AGAINST_GNUGO:
        found = measuring.played(series)
        won = sum(one["won"] for one in found)
        different = len({one["moves"] for one in found})
        lead = mean(one["lead2"] for one in found) / 2
        cells = f"{len(found)} ({different})", f"{won}, {rate_text(won, len(found))}", f"{lead:+.1f}"
        rows.append((f"{series.size}x{series.size}", "cost a stone" if series.pass_stones else "free", *cells))
    told = "GNU Go 3.8 played at level 0 with komi 6.5, after two random moves. *Free*: passes cost no stone."
    yield "large-gnugo", _run("gnugo", told, ("board", "passes", "games (distinct)", "won", "mean margin"), rows)


def against_simple(measuring: Measuring) -> Iterator[tuple[str, Run]]:
    """Yield the table of the games against simple players."""
    rows, faults = [], 0
    for opponent, several in AGAINST_SIMPLE.items():
        played = [measuring.played(series) for series in several]
        faults += sum(one["fault"] for found in played for one in found)
        rows.append((f"`{opponent}`", *(f"{sum(one['won'] for one in found)} of {len(found)}" for found in played)))
    boards = [f"{one.size}x{one.size}" + ("" if one.pass_stones else ", free pass") for one in AGAINST_SIMPLE["random"]]
    told = (
        "Each game began with two random moves. The cells count the games won; *free pass*: passes cost no stone. "
        f"Unfinished games were scored after 400 moves (600 on 19x19). Our player lost {faults} games by a fault."
    )
    yield "large-simple", _run("simple", told, ("opponent", *boards), rows)


def by_staircase(measuring: Measuring) -> Iterator[tuple[str, Run]]:
    """Yield the table of the handicap that balances our player and GNU Go."""
    steps = measuring.climbed(match_rules(19, KOMI2_OF_HANDICAP, pass_stones=False).name)
    found = estimate([(step.stones, step.won) for step in steps])
    ended = sum(step.fault for step in steps), sum(step.cut_off for step in steps)
    told = (
        f"Two staircases began with a handicap of {FIRST_STONES} stones, against GNU Go at level 0, with komi 0.5; "
        f"passes cost no stone. {ended[0]} games ended with a fault, {ended[1]} were cut off."
    )
    row = "19x19", f"{found.half:.1f} stones (95%: {found.low:.1f} to {found.high:.1f})", str(len(steps))
    yield "handicap", _run("handicap", told, ("board", "handicap for equal chances", "games"), [row])


def with_experts(measuring: Measuring) -> Iterator[tuple[str, Run]]:
    """Yield a table that shows how often our player chooses the moves of strong players.

    Yield nothing if `measuring.experts` is None.
    """
    if measuring.experts is None:
        return
    found = measure_agreement(measuring.experts, None, 4, measuring.jobs).found
    rows = [
        (phase, str(one.moves), rate_text(one.first, one.moves), rate_text(one.five, one.moves))
        for phase, one in found.items()
    ]
    told = "GAMES means games of strong players that the fit did not use."
    columns = "moves", "number", "played", f"among the first {FIVE}"
    yield "strong-moves", _run("experts --experts GAMES", told, columns, rows)


def with_regression(measuring: Measuring) -> Iterator[tuple[str, Run]]:
    """Yield the table of GNU Go's regression tests, or nothing if `measuring.regression` is None."""
    if measuring.regression is None:
        return
    problems = read_regression(measuring.regression)[: measuring.most]
    tests = [Test(player, problem) for player in TESTED for problem in problems]
    passed = cached_results(passes, tests, measuring.code, measuring.jobs, Cache(CACHE), "test")
    sizes = sorted({problem.position.ruleset.size for problem in problems})
    rows = [
        (f"`{player}`", *(_share(passed, player, [size]) for size in sizes), _share(passed, player, sizes))
        for player in TESTED
    ]
    told = "The cells count the passed tests of moves in the source package of GNU Go 3.8."
    columns = "player", *(f"{size}x{size}" for size in sizes), "all"
    yield "large-regression", _run("regression --regression gnugo-3.8/regression", told, columns, rows)


def _share(passed: Mapping[Test, bool], player: str, sizes: Sequence[int]) -> str:
    """Return the number and the rate of the tests that a player passes on boards of the given sizes."""
    found = [
        right for test, right in passed.items() if test.player == player and test.problem.position.ruleset.size in sizes
    ]
    return f"{sum(found)} of {len(found)}, {rate_text(sum(found), len(found))}"


PARTS: dict[str, Callable[[Measuring], Iterator[tuple[str, Run]]]] = {
    "experts": with_experts,
    "regression": with_regression,
    GNUGO: against_gnugo,
    "simple": against_simple,
    "handicap": by_staircase,
}


def _run(part: str, told: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Run:
    measured = f"{told} Revision {revision()[:8]}."
    return {"commands": [f"{COMMAND} --only {part}"], "measured": measured, "columns": columns, "rows": rows}


@command(
    "strength-large",
    example="littlego dev strength-large --experts games.xz\n"
    "littlego dev strength-large --only simple --most 2 -o trial",
    epilog="""Each finished game is cached; run the command again to resume after a stop. All parts together take many
hours. Without -o, the command also rebuilds the tables in docs/results.md.

Exit status: 0 for success; 1 if the tables cannot be rebuilt; 2 if the command could not run.""",
)
@click.option(
    "--experts",
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="File or folder of games by strong players, as for `dev agreement`; without this option, the command skips "
    "the part `experts`.",
)
@click.option(
    "--regression",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="The folder `regression` of GNU Go's source package; without this option, the command skips the part "
    "`regression`.",
)
@click.option("--only", multiple=True, type=click.Choice(list(PARTS)), help="Measure only this part; repeatable.")
@click.option("--most", type=POSITIVE, metavar="N", help="Use at most N games of each series and at most N tests.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder of the results.  [default: docs/results]",
)
@jobs_option
def strength_large(
    experts: Path | None,
    regression: Path | None,
    only: tuple[str, ...],
    most: int | None,
    output: Path | None,
    jobs: int,
) -> int:
    """Measure our player's strength on large boards, for the tables in docs/results.md.

    The parts are: experts (how often our player chooses the moves of strong players), regression (GNU Go's tests of
    moves), gnugo (games against GNU Go), simple (games against random, silly, greedy and aggressive) and handicap (the
    handicap for equal chances against GNU Go).
    """
    if INSTALLED and not output:
        raise ArgumentError("an installed package has no page of results: name a folder with -o, or run in a checkout")
    for part, given in (("experts", experts), ("regression", regression)):
        if part in only and given is None:
            raise ArgumentError(f"--only {part} needs --{part}")
    from littlego.dev.regenerate.cli import make
    from littlego.dev.regenerate.products import PRODUCTS

    lines = read_for(MATCH, default_patterns(ruleset=MATCH), "the games are matches").lines
    code = digest(meaning_of("littlego.players.registry"), engine_of(MATCH).signature(), *lines)
    measuring = Measuring(most, jobs, code, experts, regression)
    folder = output or RUNS
    with trying_to(f"write {short_name(folder)}"):
        folder.mkdir(parents=True, exist_ok=True)
    for part in only or PARTS:
        for name, run in PARTS[part](measuring):
            with trying_to(f"write {short_name(folder)}"):
                write_json(folder / f"{name}.json", run)
    return FINE if output else make(PRODUCTS["figures"], True)
