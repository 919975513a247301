"""The command `dev problems`, which counts by theme how many Go problems each player solves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import click

from littlego.cli.arguments import FINE, ArgumentError, write_results
from littlego.cli.commandline import command, jobs_option, json_option
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT
from littlego.games.boards import move_text
from littlego.knowledge.problems import no_such
from littlego.match.protocol import Turn
from littlego.parallel import each, with_progress
from littlego.paths import PROBLEMS
from littlego.players.ours import OURS
from littlego.players.registry import PlayerType, make_player, refuse_ruleset
from littlego.records.problems import THEMES, Problem, read_problems
from littlego.records.regression import read_regression
from littlego.shares import wilson_of_wins

EPILOG = f"""Themes of our problems: {", ".join(THEMES)}. A problem counts as unsolved if the player resigns, fails or
makes an illegal move. The percentages are the limits of a rate's 95% confidence interval. The time limit of a turn
applies, so a slow machine may change a rate."""


class Answer(NamedTuple):
    """A player's move in a problem. move: a point, PASS, RESIGN, or None for no move."""

    player: str
    problem: Problem
    move: int | None

    @property
    def is_right(self) -> bool:
        return self.problem.is_solved_by(self.move)

    def __str__(self) -> str:
        problem, size = self.problem, self.problem.position.ruleset.size
        expected = "not " * bool(problem.wrong) + ", ".join(
            move_text(move, size) for move in sorted(problem.right | problem.wrong)
        )
        got = "no move" if self.move is None else move_text(self.move, size)
        return f"{self.player}: {problem.id}: {got}, expected {expected}"


def answer_to(asked: tuple[str, Problem]) -> Answer:
    """Create a player and return its Answer to a problem. asked: (the player's name, the problem)."""
    name, problem = asked
    position = problem.position
    player = make_player(name, seed=0)
    try:
        player.prepare(position.ruleset)
        reply = player.choose(Turn(position, (position.black, position.white)))
    finally:
        player.close()
    return Answer(name, problem, None if reply.fault else reply.move)


def rates(answers: Sequence[Answer], players: Sequence[str]) -> dict[str, dict[str, tuple[int, int]]]:
    """Return {theme: {player: (number of solved problems, number of problems)}}.

    The last theme, `all`, has the totals.
    """
    themes = [*dict.fromkeys(one.problem.theme for one in answers), "all"]
    return {theme: {player: _count(answers, theme, player) for player in players} for theme in themes}


def _count(answers: Sequence[Answer], theme: str, player: str) -> tuple[int, int]:
    counted = [one.is_right for one in answers if one.player == player and theme in (one.problem.theme, "all")]
    return sum(counted), len(counted)


def _cell(solved: int, number: int) -> str:
    """Return a table cell: `SOLVED of NUMBER` with the rate's confidence limits in per cent.

    solved: the number of solved problems. number: the number of all problems.
    """
    low, high = wilson_of_wins(solved, number) or (0.0, 1.0)
    return f"{solved} of {number} ({100 * low:.0f} to {100 * high:.0f}%)"


def _chosen(problems: Sequence[Problem], themes: Sequence[str]) -> list[Problem]:
    """Return the problems of the given themes, or all problems if no themes are given.

    Raise ArgumentError for a theme without problems.
    """
    known = dict.fromkeys(problem.theme for problem in problems)
    for theme in themes:
        if theme not in known:
            raise ArgumentError(no_such("theme", theme, known))
    return [problem for problem in problems if not themes or problem.theme in themes]


@command(
    "problems",
    example="littlego dev problems\nlittlego dev problems ours gnugo:0 gnugo:10 --theme life --misses\n"
    "littlego dev problems ours gnugo:0 --regression gnugo-3.8/regression",
    epilog=EPILOG,
)
@click.argument("players", metavar="[PLAYER]...", nargs=-1, type=PlayerType())
@click.option("--theme", "themes", multiple=True, metavar="THEME", help="Use only problems of this theme; repeatable.")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    default=PROBLEMS,
    metavar="FILE",
    help="File of problems.  [default: tools/littlego/records/problems.yaml]",
)
@click.option(
    "--regression",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Instead of problems, use the tests of moves in FOLDER, the folder `regression` of GNU Go's source package; "
    "each suite counts as a theme.",
)
@click.option("--misses", is_flag=True, help="List each problem that a player does not solve, with the player's move.")
@jobs_option
@json_option
def problems(
    players: tuple[str, ...],
    themes: tuple[str, ...],
    file: Path,
    regression: Path | None,
    misses: bool,
    jobs: int,
    json: str | None,
) -> int:
    """Count by theme how many Go problems on large boards each player solves.

    Each problem is a diagram of a match position with either the right or the wrong moves. PLAYER defaults to our
    player.
    """
    names = list(dict.fromkeys(players)) or [OURS]
    asked = _chosen(read_regression(regression) if regression else read_problems(file), themes)
    for ruleset in {problem.position.ruleset.name: problem.position.ruleset for problem in asked}.values():
        refuse_ruleset(names, ruleset)
    turns = list(product(names, asked))
    found = dict(with_progress(each(answer_to, turns, jobs), len(turns), "problem"))
    answers = [found[turn] for turn in turns]
    table = rates(answers, names)
    write_results(json, lambda: {"rates": table, "misses": [str(one) for one in answers if not one.is_right]})
    if json != STANDARD_OUTPUT:
        rows = ([theme, *(_cell(*counted) for counted in row.values())] for theme, row in table.items())
        console().print(new_table("theme", *names, rows=rows))
        print(*(one for one in answers if misses and not one.is_right), sep="\n", end="\n" if misses else "")
    return FINE
