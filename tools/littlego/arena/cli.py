"""The commands `arena ...`, which start, resume and read tournaments, and check players.

COMMANDS also lists the commands `handicap` and `cost`, which other modules define.
"""

from __future__ import annotations

import signal
import sys
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from shlex import quote
from typing import TypedDict, Unpack

import click

from littlego.arena.compliance import NOTE, UNSEEN, check_player, finding_lines, keep_findings, refuse_unfit
from littlego.arena.elo import H1, Hypothesis, find_fault
from littlego.arena.plan import GAUNTLET, ROUND_ROBIN, SPRT, Entrant, Plan
from littlego.arena.play import play_half
from littlego.arena.players import entrants, find_changed, is_unknown
from littlego.arena.results import Result
from littlego.arena.run import begin, choose_file, play_on, prepare, refuse_unready
from littlego.arena.store import Store
from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, show_results, trying_to
from littlego.cli.commandline import (
    NATURAL,
    OPENING,
    POSITIVE,
    Entry,
    Function,
    LazyGroup,
    PositiveNumber,
    command,
    jobs_option,
    json_option,
    scheduler_option,
)
from littlego.files import STANDARD_OUTPUT, short_name, write_text
from littlego.games.boards import move_text
from littlego.knowledge.problems import plural
from littlego.match.referee import CPU_LIMIT, GameRecord
from littlego.match.ruleset_options import minutes_option, plies_for, plies_option, ruleset_options
from littlego.parallel import with_progress
from littlego.players.registry import PlayerType, name_own_book, refuse_ruleset
from littlego.rules.ruleset import Ruleset
from littlego.sandbox.confinement import sandbox_option, warn_unconfined

HERE = "littlego.arena.cli"
PLAY, READ, MORE = "Play a tournament", "Read a tournament", "Check players"
COMMANDS = (
    Entry("sprt", PLAY, f"{HERE}:sprt", "Test whether NEW is stronger than OLD."),
    Entry("gauntlet", PLAY, f"{HERE}:gauntlet", "Play one player against all others."),
    Entry("round-robin", PLAY, f"{HERE}:round_robin", "Play every player against every other player."),
    Entry("continue", PLAY, f"{HERE}:resume", "Resume a tournament, or play more pairs."),
    Entry("handicap", PLAY, "littlego.arena.handicap:handicap", "Find the handicap that balances two players."),
    Entry("table", READ, f"{HERE}:table", "Print the table of a tournament."),
    Entry("games", READ, f"{HERE}:games", "List the games."),
    Entry("sgf", READ, f"{HERE}:sgf", "Export games as SGF."),
    Entry("replay", READ, f"{HERE}:replay", "Replay a game from its seed."),
    Entry("verify", READ, f"{HERE}:verify", "Verify the digests and games of a file."),
    Entry("report", READ, f"{HERE}:report", "Write a web page about a tournament."),
    Entry("check", MORE, f"{HERE}:check", "Check whether players follow the course's handout."),
    Entry("cost", MORE, "littlego.arena.cost:cost", "Measure the time that a game takes."),
)
RESUMING = """Each pair of games is saved when it ends. To resume after Ctrl-C or a crash, run the same command again or
`littlego arena continue FILE`."""
STATUS, SPRT_STATUS, RESUMED_STATUS = (
    f"""{RESUMING}

Exit status: 0 if no game was lost through a fault (crash, timeout, illegal move){also}; 1 otherwise; 2 if the command
could not run."""
    for also in ("", " and the test accepted H1", " and, in an sprt tournament, the test accepted H1")
)
PLAYERS = """A player is a name that `littlego play --help` lists, or a patterns file such as patterns.yaml or
HEAD:patterns.yaml. With a patterns file, the current engine plays by the patterns in the file, without overrides;
ours:FILE also uses the overrides.txt beside FILE."""
SWAPPED = "the second game of a pair swaps the colours"
PAIRS = f"Number of pairs of games for each pairing; {SWAPPED}."
MOST_LOST = 60  # default maximum of lost games shown in a report
MOST_LEFT, FARTHEST = 16, 20  # moves left: solving takes about a second per game at the default, minutes at the maximum
NUMBER = click.IntRange(0, 10**18)  # a game's number in its tournament
complete_player = PlayerType().shell_complete


class Options(TypedDict):
    """The options shared by all commands that start a tournament."""

    file: str | None
    pairs: int
    seed: int
    openings: int
    cpu_limit: float
    ruleset: Ruleset
    minutes: float | None
    plies: int | None
    jobs: int
    scheduler: str | None
    replayed: float
    json: str | None


@click.group("arena", cls=LazyGroup, entries=COMMANDS, no_args_is_help=False)
def arena() -> None:
    """Run tournaments on one or more machines, and report the results."""


file_option = click.option(
    "--keep",
    "file",
    metavar="FILE",
    help="File of the tournament; if the file exists, the command resumes the tournament in this file.  [default: "
    "arena/..., named after the tournament]",
)
cpu_limit_option = click.option(
    "--cpu-limit",
    type=PositiveNumber(),
    default=CPU_LIMIT,
    metavar="SECONDS",
    show_default=True,
    help="Maximum CPU seconds per move.",
)


replayed_option = click.option(
    "--replay",
    "replayed",
    type=click.FloatRange(0, 100),
    default=2.0,
    metavar="PERCENT",
    show_default=True,
    help="With --scheduler: percentage of pairs that a second worker replays. If the games differ, this process plays "
    "the pair to identify the faulty worker, and other workers replay all pairs of the faulty worker.",
)


def tournament_options(pairs: int, openings: int, what: str = PAIRS) -> Callable[[Function], Function]:
    """Return a decorator that adds the options for starting a tournament. pairs, openings: the default values of
    --pairs and --openings. what: the help text of --pairs.
    """
    options = (
        file_option,
        click.option(
            "--pairs",
            type=POSITIVE,
            default=pairs,
            metavar="N",
            show_default=True,
            help=what,
        ),
        click.option("--seed", type=int, default=0, metavar="S", show_default=True, help="Seed of all random choices."),
        click.option(
            "--openings",
            type=OPENING,
            default=openings,
            metavar="K",
            show_default=True,
            help="Number of random moves at the start; both games of a pair start with the same moves.",
        ),
        cpu_limit_option,
        ruleset_options,
        minutes_option,
        plies_option,
        sandbox_option,
        jobs_option,
        scheduler_option,
        replayed_option,
        json_option,
    )

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@command("round-robin", example="littlego arena round-robin ours greedy random", epilog=f"{PLAYERS}\n\n{STATUS}")
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True, shell_complete=complete_player)
@tournament_options(pairs=50, openings=4)
def round_robin(players: tuple[str, ...], **options: Unpack[Options]) -> int:
    """Play a tournament in which every player meets every other player."""
    return _begin(ROUND_ROBIN, players, options)


@command(
    "gauntlet",
    example="littlego arena gauntlet ours random greedy aggressive alphabeta\n"
    "littlego arena gauntlet ours random gnugo --ruleset match --size 9 --pairs 10",
    epilog=f"{PLAYERS}\n\n{STATUS}",
)
@click.argument("player", metavar="PLAYER", shell_complete=complete_player)
@click.argument("opponents", metavar="OPPONENT...", nargs=-1, required=True, shell_complete=complete_player)
@tournament_options(pairs=100, openings=0)
def gauntlet(player: str, opponents: tuple[str, ...], **options: Unpack[Options]) -> int:
    """Play a tournament in which PLAYER meets every OPPONENT."""
    return _begin(GAUNTLET, [player, *opponents], options)


@command("sprt", example="littlego arena sprt patterns.yaml HEAD:patterns.yaml", epilog=f"{PLAYERS}\n\n{SPRT_STATUS}")
@click.argument("new", metavar="NEW", shell_complete=complete_player)
@click.argument("old", metavar="OLD", shell_complete=complete_player)
@click.option("--elo0", default=0.0, metavar="X", show_default=True, help="H0: NEW is stronger by at most X Elo.")
@click.option("--elo1", default=10.0, metavar="X", show_default=True, help="H1: NEW is stronger by at least X Elo.")
@click.option(
    "--alpha", default=0.05, metavar="X", show_default=True, help="Probability of accepting H1 if H0 is true."
)
@click.option("--beta", default=0.05, metavar="X", show_default=True, help="Probability of accepting H0 if H1 is true.")
@tournament_options(pairs=10_000, openings=4, what=f"Maximum number of pairs of games; {SWAPPED}.")
def sprt(new: str, old: str, elo0: float, elo1: float, alpha: float, beta: float, **options: Unpack[Options]) -> int:
    """Test whether NEW is stronger than OLD, and stop once the test accepts H0 or H1."""
    hypothesis = Hypothesis(elo0, elo1, alpha, beta)
    if wrong := find_fault(hypothesis):
        raise ArgumentError(wrong)
    return _begin(SPRT, [new, old], options, hypothesis)


@command("continue", example="littlego arena continue roles.sqlite --pairs 200", epilog=RESUMED_STATUS)
@click.argument("file", metavar="FILE")
@click.option(
    "--pairs",
    type=POSITIVE,
    metavar="N",
    help="New total number of pairs of games for each pairing; for `sprt`, the new maximum number.",
)
@sandbox_option
@jobs_option
@scheduler_option
@replayed_option
@json_option
def resume(file: str, pairs: int | None, jobs: int, scheduler: str | None, replayed: float, json: str | None) -> int:
    """Resume an interrupted tournament, or add pairs to a completed tournament."""
    with Store(file) as store:
        refuse_unready(store, pairs)  # fails early, before the slow check of the players
        _warn_of_strangers(store.plan().players)
        keep_findings(store, refuse_unfit(store.plan()))
        return _play(prepare(store, pairs), jobs, scheduler, replayed, json)


def _begin(form: str, names: Sequence[str], options: Options, hypothesis: Hypothesis | None = None) -> int:
    if len(names) < 2:
        raise ArgumentError(f"only one player, {names[0]}; expected two or more")
    ruleset = options["ruleset"]
    refuse_ruleset(names, ruleset)
    plan = Plan(
        form,
        entrants([name_own_book(name, ruleset) for name in names]),
        options["pairs"],
        options["seed"],
        options["openings"],
        options["cpu_limit"],
        hypothesis,
        ruleset.name,
        options["minutes"],
        plies_for(ruleset, options["plies"]),
    )
    _warn_of_strangers(plan.players)
    path, findings = choose_file(plan, options["file"]), refuse_unfit(plan)
    with begin(plan, path) as store:
        keep_findings(store, findings)
        return _play(store, options["jobs"], options["scheduler"], options["replayed"], options["json"])


def _warn_of_strangers(players: Iterable[Entrant]) -> None:
    """Print a warning if any of the players is a program that will run without a sandbox."""
    if any(map(is_unknown, players)):
        warn_unconfined()


def _play(store: Store, jobs: int, scheduler: str | None, replayed: float, json: str | None) -> int:
    """Play the missing pairs, show the table, and return the exit status.

    After Ctrl-C, show the results so far.
    """
    from littlego.arena.live import display
    from littlego.arena.show import show_table

    plan, there = store.plan(), len(store.done())
    print(f"{store.name}: {there} of {plan.total} pairs are stored", file=sys.stderr)
    try:
        with display(store) as show:
            played = play_on(store, jobs, scheduler, show, replayed / 100)
    except KeyboardInterrupt:
        show_table(store, json)
        print(f"\ninterrupted; to resume: littlego arena continue {quote(store.name)}", file=sys.stderr)
        return 128 + signal.SIGINT
    print(f"{plural(played, 'pair')} played here", file=sys.stderr)
    show_table(store, json)
    decision = store.decision()
    not_better = plan.hypothesis is not None and (decision is None or decision[1] != H1)
    return FINDINGS if not_better or any(result.fault for result in store.results()) else FINE


anchor_option = click.option(
    "--anchor",
    metavar="PLAYER",
    help="Give this player the rating 0.  [default: the ratings of all players that won some but not all points "
    "average 0]",
)


def _check_anchor(anchor: str | None, store: Store) -> None:
    """Raise ArgumentError unless the anchor is None or a player of the tournament."""
    names = store.plan().names
    if anchor is not None and anchor not in names:
        raise ArgumentError(f"--anchor {anchor}: not a player in {store.name}; expected one of {', '.join(names)}")


@command("table", example="littlego arena table roles.sqlite")
@click.argument("file", metavar="FILE")
@anchor_option
@json_option
def table(file: str, anchor: str | None, json: str | None) -> int:
    """Print the table of a finished or running tournament."""
    from littlego.arena.show import header, show_table

    with Store(file) as store:
        _check_anchor(anchor, store)
        if json != STANDARD_OUTPUT:
            print(header(store))
        show_table(store, json, anchor)
    return FINE


lost_by_option = click.option("--lost-by", metavar="PLAYER", help="Include only games that PLAYER lost.")


@command("games", example="littlego arena games roles.sqlite --lost-by ours")
@click.argument("file", metavar="FILE")
@lost_by_option
@json_option
def games(file: str, lost_by: str | None, json: str | None) -> int:
    """List the games of a tournament, one per line."""
    from littlego.arena.show import game_lines, result_json

    with Store(file) as store:
        chosen = _choose_games(store, lost_by)
    show_results("\n".join(game_lines(chosen)), json, lambda: [result_json(result) for result in chosen])
    return FINE


def _choose_games(store: Store, loser: str | None) -> list[Result]:
    """Return the games of a tournament that `loser` lost, or all games if `loser` is None.

    Raise ArgumentError if the tournament has no player with the name `loser`.
    """
    names = store.plan().names
    if loser is not None and loser not in names:
        raise ArgumentError(f"no player {loser} in {store.name}; expected one of {', '.join(names)}")
    return [result for result in store.results() if loser is None or result.loser == loser]


@command("sgf", example="littlego arena sgf roles.sqlite 7 --output lost")
@click.argument("file", metavar="FILE")
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1, type=NUMBER)
@lost_by_option
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write each game to FOLDER/game-NUMBER.sgf.  [default: standard output]",
)
def sgf(file: str, numbers: tuple[int, ...], lost_by: str | None, output: Path | None) -> int:
    """Export games of a tournament as SGF, with the players' reasons as comments.

    With NUMBERs, the command exports only the games with these numbers.
    """
    from littlego.arena.show import game_sgf

    with Store(file) as store:
        chosen = {result.number: result for result in _choose_games(store, lost_by)}
        if missing := [number for number in numbers if number not in chosen]:
            raise _no_game(store, missing[0], f" that {lost_by} lost" if lost_by else "")
        for number in numbers or chosen:
            text = game_sgf(store, chosen[number])
            if output is None:
                sys.stdout.write(text)
            else:
                path = output / f"game-{number}.sgf"
                with trying_to(f"write {path}"):
                    output.mkdir(parents=True, exist_ok=True)
                    write_text(path, text)
    return FINE


@command("verify", example="littlego arena verify roles.sqlite")
@click.argument("file", metavar="FILE")
def verify(file: str) -> int:
    """Verify the digests and the games in a file, and print the file's digest.

    Two files with the same digest contain the same tournament. To detect later changes to the file, store the digest
    elsewhere and compare it with the digest that a later run prints.
    """
    with Store(file) as store:
        digest = store.seal()
        number = sum(1 for _ in with_progress(store.records(), 2 * len(store.done()), "game"))
    print(f"{store.name}: {plural(number, 'game')} replayed and verified; digest {digest}")
    return FINE


@command("replay", example="littlego arena replay roles.sqlite 7")
@click.argument("file", metavar="FILE")
@click.argument("number", metavar="NUMBER", type=NUMBER)
@sandbox_option
def replay(file: str, number: int) -> int:
    """Replay a game from its seed, and report whether the replay has the same moves, winner and fault."""
    with Store(file) as store:
        try:
            old, plan = store.record(number), store.plan()
        except KeyError:
            raise _no_game(store, number) from None
    _warn_of_strangers(plan.players)
    pair, half = divmod(number, 2)
    new = play_half(plan.pair(pair), half).record
    if old.key == new.key and (old.winner, old.fault) == (new.winner, new.fault):
        print(f"game {number}: replayed with the same moves; end: {old.why}")
        return FINE
    moves = enumerate(zip_longest(old.key, new.key), 1)
    first = next((place for place, (then, now) in moves if then != now), len(old.key) + 1)
    was, plays = _describe_move(old, first), _describe_move(new, first)
    print(f"game {number}: the replay differs from move {first} on: recorded {was}, replayed {plays}")
    if names := find_changed(plan.players):
        print(f"{' and '.join(names)} changed since the tournament began")
    return FINDINGS


def _no_game(store: Store, number: int, which: str = "") -> ArgumentError:
    lists = f"`littlego arena games {quote(store.name)}` lists its games"
    return ArgumentError(f"{store.name} has no game {number}{which}; {lists}")


def _describe_move(record: GameRecord, number: int) -> str:
    moves = record.moves
    return move_text(moves[number - 1].move, record.ruleset.size) if number <= len(moves) else f"the end ({record.why})"


@command(
    "report",
    example="littlego arena report roles.sqlite --output page --open",
)
@click.argument("file", metavar="FILE")
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Folder for the page.  [default: FILE without its extension, plus -report]",
)
@click.option(
    "--most",
    type=NATURAL,
    default=MOST_LOST,
    metavar="N",
    show_default=True,
    help="Show at most N lost games, 0 for all.",
)
@click.option(
    "--exact",
    "left",
    type=click.IntRange(0, FARTHEST),
    default=MOST_LEFT,
    metavar="N",
    show_default=True,
    help="Search for losing moves in positions with at most N moves left; each increase of N by 1 triples the time.",
)
@anchor_option
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@jobs_option
@json_option
def report(
    file: str,
    output: Path | None,
    most: int,
    left: int,
    anchor: str | None,
    show: bool,
    jobs: int,
    json: str | None,
) -> int:
    """Write a web page about a tournament: tables, charts, and the losing moves of lost games."""
    from littlego.arena.report import write_report

    with Store(file) as store:
        _check_anchor(anchor, store)
        folder = output or Path(file).with_name(Path(file).stem + "-report")
        path, lost = write_report(store, folder, most=most, most_left=left, jobs=jobs, anchor=anchor)
    show_results(f"{short_name(path)}: {path.stat().st_size:,} bytes", json, lambda: [game.as_json() for game in lost])
    if show:
        webbrowser.open(path.resolve().as_uri())
    return FINE


@command(
    "check",
    example='littlego arena check "file:python3 theirs.py"',
    epilog="Exit status: 0 if all findings are notes; 1 otherwise; 2 if the command could not run.",
)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True, shell_complete=complete_player)
@sandbox_option
@json_option
def check(players: tuple[str, ...], json: str | None) -> int:
    """Check whether players follow the course's handout.

    The command checks the output format, legal moves, time, compatibility with Python 3.7, and side effects.
    """
    entered = entrants(players)
    _warn_of_strangers(entered)
    findings = {player.name: check_player(player) for player in entered}
    show_results(
        "\n".join([*finding_lines(findings), UNSEEN]),
        json,
        lambda: {name: [finding._asdict() for finding in ones] for name, ones in findings.items()},
    )
    return FINDINGS if any(finding.severity != NOTE for ones in findings.values() for finding in ones) else FINE
