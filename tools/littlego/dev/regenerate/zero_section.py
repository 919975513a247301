"""The part of docs/results.md about the learning player, from docs/results/zero.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from littlego.knowledge.reference import format_table
from littlego.learning.zero.doubts import FAR
from littlego.learning.zero.results import DOUBTS, FAR_KEY, MINED, ROLES, RULES, SIMULATIONS
from littlego.learning.zero.yardstick import REGRET_TO
from littlego.truth.grades.grades import COLOURS, MEAN_TO, Rate

WEIGHTS = "tools/littlego/players/zero/weights.npz"
FAR_PLAYERS = (RULES, "zero:64", "zero:256")
MISSING = "-"
Run = Mapping[str, Any]


def zero_section(run: Run) -> str:
    """Return the section's text: a run's figures and the commands that reproduce the figures.

    Raise KeyError or TypeError for an incomplete run.
    """
    measured = run["measured"]
    figures = [_means(run["plan"], measured), _provenance(run["about"]), _far(measured[FAR_KEY])]
    return "\n\n".join([*figures, _doubts(measured[DOUBTS]), _games(run["games"])])


def _means(plan: Run, measured: Run) -> str:
    rows = [_mean_row(name, graded) for name, graded in measured.items() if "given_away" in graded]
    most = f"at most {plan['most']:,} positions per number of moves left" if plan["most"] else "all positions"
    roles = ", ".join(map(_name_of, ROLES))
    few = f"; {roles}: at most {plan['role_most']:,}" if plan["role_most"] else ""
    settings = f"--part {plan['part']} --most {plan['most']} --regret {plan['regret']}"
    return _figure(
        f"{plan['part'].capitalize()} part ({most}{few}): wins [given away](#wins-given-away), wrongly predicted "
        f"winners (1 to {MEAN_TO} left), stones lost per move (1 to {REGRET_TO} left):",
        ("player", *map(str.capitalize, COLOURS), "wrong winner", "stones"),
        rows,
        f"littlego dev measure-zero {settings} --roles {plan['role_most']}",
        f"littlego zero grade {WEIGHTS} {settings} --simulations {','.join(map(str, SIMULATIONS))}",
    )


def _mean_row(name: str, graded: Run) -> tuple[str, ...]:
    means = (str(Rate(**graded["given_away"][colour])) for colour in COLOURS)
    wrong = [share["share"] for left, share in graded.get("wrong_value", {}).items() if int(left) <= MEAN_TO]
    lost = [*graded.get("regret", {}).values()]
    values = f"{100 * mean(wrong):.1f}%" if wrong else MISSING, f"{mean(lost):.2f}" if lost else MISSING
    return _name_of(name), *means, *values


def _name_of(player: str) -> str:
    return {RULES: "rules", MINED: "rules with mined patterns"}.get(player, f"`{player}`")


def _provenance(about: Run) -> str:
    return (
        f"Self-play: {about['games_played']:,} games, {about['cpu_seconds'] / 3600:.1f} CPU hours, revision "
        f"{about['revision'][:8]}, SHA-256 {about['sha256'][:8]}:\n\n    {about['command']}"
    )


def _far(far: Run) -> str:
    lefts = sorted(far[RULES], key=int, reverse=True)
    rows = [
        (left, str(far[RULES][left]["won"]), *(_percent(far[name][left]["share"]) for name in FAR_PLAYERS))
        for left in lefts
    ]
    heads = "moves left", "at stake", *map(_name_of, FAR_PLAYERS)
    return _figure(f"Far from the end, {far['parts']}:", heads, rows)


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f}%"


def _doubts(measured: Sequence[Run]) -> str:
    row = measured[-1]
    solves = (row[name] for name in ("solves_per_failure", "random_solves_per_failure"))
    by_doubts, at_random = (MISSING if number is None else f"{number:.1f}" for number in solves)
    return (
        f"Positions where `zero` doubts the patterns' move (working part, {row['left']} left): precision "
        f"{_percent(row['precision'])}, recall {_percent(row['recall'])}. Positions solved per failure: "
        f"{by_doubts}, at random {at_random}:\n\n"
        f"    littlego zero doubts {WEIGHTS} --measure --left {FAR.start} {FAR.stop - 1} --most 0"
    )


def _games(games: Sequence[Run]) -> str:
    if not games:
        return "Games are not measured yet; `littlego dev measure-zero --games FILE` adds them."
    rows = [
        (
            f"{game['opponent']}, {game['openings']} random moves first" if game["openings"] else game["opponent"],
            *(f"{game[side]['wins']}/{game[side]['games']}" for side in ("as_black", "as_white")),
            str(game["different_games"]),
        )
        for game in games
    ]
    players = " and ".join(dict.fromkeys(f"`{game['player']}`" for game in games))
    heads = "opponent", "as Black", "as White", "different games"
    return _figure(f"Games won by {players}:", heads, rows, *dict.fromkeys(game["command"] for game in games))


def _figure(about: str, heads: Sequence[str], rows: Sequence[tuple[str, ...]], *commands: str) -> str:
    """Return Markdown: the text `about`, a table, and the commands that reproduce the table's figures."""
    lines = "\n".join(f"    {command}" for command in commands)
    return "\n\n".join(filter(None, [about, format_table(tuple(heads), rows), lines]))
