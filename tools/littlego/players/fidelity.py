"""Comparison of our roles with the course's own players in the positions of recorded games.

Each distinct position is included once, because deterministic players may play the same game several times. The score
in a position is the probability that the role plays the recorded move. Moves that are equivalent by a symmetry of the
position are treated as the same move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import click

from littlego.cli.arguments import ArgumentError, trying_to, write_results
from littlego.cli.commandline import command, jobs_option, json_option
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.parallel import each, with_progress
from littlego.paths import REAL_GAMES
from littlego.players.roles.replies import fixing_symmetries, format_replies, key_of, turn_move
from littlego.players.roles.table import ROLES, choose
from littlego.records.recorded_games import GamesError, RecordedGame, read_games
from littlego.rules.position import BLACK, WHITE, Position
from littlego.shares import wilson

REAL = [role.name for role in ROLES.values() if role.real]  # roles for which the course has a player, too
FIT, HELD_OUT, ALL = "fit", "held-out", "all"
LOTS = 40  # seeds used to estimate the chances of a role that does not list its choices
EVERY = 3  # one game in EVERY is held out
HEADER = f"{'role':12}  positions  agreement  95% interval    possible  by chance"
ABOUT = """What the course's championship player replied in recorded games, and how often; see replies.py.
Made from tools/littlego/records/real_games.jsonl by `littlego dev regenerate`."""


class Decision(NamedTuple):
    """A position in which the course's player moved, and how often the player chose each move.

    game: the number of the first game with the position.
    """

    position: Position
    chosen: Counter[int]
    game: int


Decisions = dict[tuple[int, int, int, bool, int], Decision]  # by position
Numbers = dict[tuple[int | None, ...], int]  # a game's moves -> its number; identical games share a number


class Fidelity(NamedTuple):
    """Agreement of a role with the course's player of the same name.

    decisions: the number of distinct positions. agreement: the mean probability that the role plays the recorded move.
    low, high: the 95% Wilson interval of the agreement. possible: the share of positions in which the role can play the
    recorded move. chance: the agreement of a player that plays a random legal point.
    """

    role: str
    decisions: int
    agreement: float
    low: float
    high: float
    possible: float
    chance: float


def recorded_decisions(path: Path, role: str, part: str = ALL) -> list[Decision]:
    """Return the distinct positions in which the course's player moved, in the order of the games.

    part: ALL, FIT or HELD_OUT. FIT and HELD_OUT have no game in common. A position that occurs in both parts belongs to
    FIT only. Raise OSError if the file cannot be read, and GamesError if the file is invalid or a game names no course
    player.
    """
    parts: dict[str, Decisions] = {FIT: {}, HELD_OUT: {}, ALL: {}}
    numbers: Numbers = {}
    for number, game in enumerate(read_games(path), 1):
        if not game.player or game.colour not in (BLACK, WHITE):
            raise GamesError(f"{path}: game {number}: expected a game of a course player, with `ta` and `ta_colour`")
        if game.player == role:
            _add_decisions(game, number, parts, numbers)
    wanted = [item for key, item in parts[part].items() if part != HELD_OUT or key not in parts[FIT]]
    return sorted(wanted, key=lambda decision: (decision.game, -decision.position.left))


def _add_decisions(game: RecordedGame, number: int, parts: dict[str, Decisions], numbers: Numbers) -> None:
    same = numbers.setdefault(tuple(game.moves), len(numbers))
    part = HELD_OUT if same % EVERY == EVERY - 1 else FIT
    for position, move in zip(game.positions, game.moves, strict=True):
        if position.colour == game.colour and move is not None:
            key = position.black, position.white, position.ko, position.passed, position.left
            for decisions in (parts[part], parts[ALL]):
                decisions.setdefault(key, Decision(position, Counter(), number)).chosen[move] += 1


def chances_of(role: str, position: Position) -> dict[int, float]:
    """Return {move: probability} for a role in a position.

    The probabilities are estimated with LOTS seeds if the role does not list its choices.
    """
    choices = ROLES[role].choices
    moves = choices(position) if choices else [choose(role, seed, position) for seed in range(LOTS)]
    return {move: count / len(moves) for move, count in Counter(moves).items()}


def agreement(decision: Decision, chances: dict[int, float]) -> float:
    """Return the probability of the recorded move. chances: a player's {move: probability} in the position.

    If several moves were recorded, return the mean over these moves, weighted by their frequencies.
    """
    tables = fixing_symmetries(decision.position)
    total = 0.0
    for move, times in decision.chosen.items():
        images = {turn_move(move, table) for table in tables}
        total += times * sum(chances.get(image, 0.0) for image in images)
    return total / sum(decision.chosen.values())


def measure(role: str, decisions: list[tuple[Decision, dict[int, float]]]) -> Fidelity:
    """Return the Fidelity of a role.

    decisions: pairs (decision, the role's {move: probability} in the decision's position).
    """
    shares = [agreement(decision, chances) for decision, chances in decisions]
    chance = mean(agreement(decision, chances_of("random", decision.position)) for decision, _ in decisions)
    low, high = wilson(mean(shares), len(shares))
    return Fidelity(role, len(decisions), mean(shares), low, high, mean(share > 0 for share in shares), chance)


@command("fidelity", example="littlego dev fidelity aggressive --part held-out")
@click.argument("roles", metavar="[ROLE]...", nargs=-1, type=click.Choice(REAL))
@click.option(
    "--games-from",
    "games",
    type=click.Path(path_type=Path),
    default=REAL_GAMES,
    metavar="FILE",
    help="File of recorded games.  [default: tools/littlego/records/real_games.jsonl]",
)
@click.option(
    "--part",
    type=click.Choice((FIT, HELD_OUT, ALL)),
    default=ALL,
    show_default=True,
    help="Games to use: the games to which roles were fitted (fit), the other games (held-out), or all.",
)
@jobs_option
@json_option
def fidelity(roles: tuple[str, ...], games: Path, part: str, jobs: int, json: str | None) -> int:
    """Compare our roles with the course's players in the positions of recorded games.

    Without ROLE, the command compares all roles for which the course has a player. Each distinct position counts once.
    In the table, `agreement` is the mean probability that the role plays the recorded move, and `possible` is the share
    of positions in which the role can play the recorded move. `by chance` is the agreement of a player that
    chooses random legal points.
    """
    results: list[Fidelity] = []
    for role in roles or REAL:
        with trying_to(f"read {short_name(games)}"):
            decisions = recorded_decisions(games, role, part)
        if not decisions:
            raise ArgumentError(
                f"{short_name(games)}: no position of --part {part} has a move of the course's {role} player"
            )
        results.append(_ask_role(role, decisions, jobs))
        if json != STANDARD_OUTPUT:
            line = format_line(results[-1])
            print(line if len(results) > 1 else f"{HEADER}\n{line}", flush=True)
    write_results(json, lambda: {"part": part, "roles": [result._asdict() for result in results]})
    return 0


def _ask_role(role: str, decisions: list[Decision], jobs: int) -> Fidelity:
    answers = each(partial(chances_of, role), [decision.position for decision in decisions], jobs)
    chances = dict(with_progress(answers, len(decisions), "position"))
    return measure(role, [(decision, chances[decision.position]) for decision in decisions])


def format_line(fidelity: Fidelity) -> str:
    """Return the table row of one role."""
    interval = f"{100 * fidelity.low:.1f} to {100 * fidelity.high:.1f}%"
    return (
        f"{fidelity.role:12}  {fidelity.decisions:9}  {100 * fidelity.agreement:8.1f}%  {interval:14}  "
        f"{100 * fidelity.possible:7.1f}%  {100 * fidelity.chance:8.1f}%"
    )


def recorded_replies_text() -> str:
    """Return the text of recorded_replies.txt: the replies of the course's championship player."""
    replies: dict[str, dict[int, int]] = defaultdict(Counter)
    for decision in recorded_decisions(REAL_GAMES, "championship"):
        key, table = key_of(decision.position)
        for move, times in decision.chosen.items():
            replies[key][turn_move(move, table)] += times
    return format_replies(replies, ABOUT)
