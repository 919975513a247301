"""A tournament as a web page in a folder, beside the SGF files of the lost games that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from markupsafe import Markup

from rules.position import BLACK, WHITE
from tools.arena import charts
from tools.arena.elo import Hypothesis, verdict, verdict_text
from tools.arena.losses import LostGame, why_lost
from tools.arena.plan import GAUNTLET, Plan
from tools.arena.ratings import Rating, ratings
from tools.arena.results import (
    Result,
    Tallies,
    Tally,
    hero_of,
    opponents_of,
    pairings,
    pentanomial,
    tallies,
    total_of,
)
from tools.arena.show import game_sgf
from tools.arena.store import Store
from tools.arena.tables import (
    fault_lines,
    format_interval,
    format_lead,
    format_milliseconds,
    format_percent,
    format_rate,
    group_lines,
    pair_lines,
)
from tools.arguments import ArgumentError, trying_to
from tools.draw.page import render_page, render_template
from tools.files import write_text
from tools.knowledge.problems import plural
from tools.match.referee import COLOURS
from tools.match.series import SEEDS

PAGE, GAMES = "index.html", "games"


class Cell(NamedTuple):
    """A figure; share: how strongly it is tinted, 0 to 1, or None for not at all; good: for more than a half."""

    text: str
    share: float | None = None
    good: bool = False


class Row(NamedTuple):
    """A line of a table, with its name."""

    name: str
    cells: list[Cell]


class Table(NamedTuple):
    """A table with its title and what there is to say about it; the first head is that of the rows' names."""

    title: str
    about: str
    heads: list[str]
    rows: list[Row]


def tables_of(results: Sequence[Result], totals: Tallies, rated: Sequence[Rating]) -> list[Table]:
    """Return the tables that such a tournament needs."""
    who, hero = pairings(results), hero_of(results)
    if len(who) == 1:
        return [_pairing(totals, *who[0])]
    return [
        _gauntlet(totals, hero) if hero else _cross_table(totals, [one.name for one in rated]),
        _ratings(totals, rated),
    ]


def _pairing(totals: Tallies, first: str, second: str) -> Table:
    heads = ["", "games", "won", "win rate, 95% interval", "lead", "CPU ms a move", "slowest", "faults"]
    parts = {f"{first} as {COLOURS[colour]}": total_of(totals, first, second, colour) for colour in COLOURS}
    parts[f"{first} in all"] = total_of(totals, first, second)
    parts[f"{second} in all"] = total_of(totals, second, first)
    rows = [
        Row(
            name,
            [
                Cell(str(tally.games)),
                Cell(str(tally.wins)),
                _tinted_cell(tally, format_rate(tally)),
                Cell(format_lead(tally)),
                *_times(tally),
                Cell(str(tally.faults)),
            ],
        )
        for name, tally in parts.items()
    ]
    return Table(f"{first} against {second}", "", heads, rows)


def _gauntlet(totals: Tallies, hero: str) -> Table:
    heads = ["opponent", "games", "as Black", "as White", "lead", "faults", "opponent's faults"]
    rows = []
    for other in opponents_of(totals, hero):
        everything, theirs = total_of(totals, hero, other), total_of(totals, other, hero)
        rates = [total_of(totals, hero, other, colour) for colour in COLOURS]
        cells = [
            Cell(str(everything.games)),
            *(_tinted_cell(tally, format_rate(tally)) for tally in rates),
            Cell(format_lead(everything)),
            Cell(str(everything.faults)),
            Cell(str(theirs.faults)),
        ]
        rows.append(Row(other, cells))
    return Table(f"{hero} against all", "Games won in percent, with 95% intervals.", heads, rows)


def _cross_table(totals: Tallies, names: Sequence[str]) -> Table:
    rows = []
    for rank, name in enumerate(names, 1):
        played = [total_of(totals, name, other) for other in names]
        rows.append(Row(f"{rank} {name}", [_tinted_cell(tally, format_percent(tally)) for tally in played]))
    heads = ["", *map(str, range(1, len(names) + 1))]
    return Table("Everybody against everybody", "Points in percent, row against column.", heads, rows)


def _ratings(totals: Tallies, rated: Sequence[Rating]) -> Table:
    heads = [
        "player",
        "Elo",
        "95% interval",
        "games",
        "points %",
        "as Black",
        "as White",
        "CPU ms a move",
        "slowest",
        "faults",
    ]
    rows = []
    for rank, one in enumerate(rated, 1):
        everything = total_of(totals, one.name)
        parts = [everything, *(total_of(totals, one.name, colour=colour) for colour in COLOURS)]
        cells = [
            Cell(f"{one.rating:+z.0f}"),
            Cell(format_interval(one)),
            Cell(str(one.games)),
            *(_tinted_cell(tally, format_percent(tally)) for tally in parts),
            *_times(everything),
            Cell(str(everything.faults)),
        ]
        rows.append(Row(f"{rank} {one.name}", cells))
    about = "Bradley and Terry's model on the Elo scale, with intervals from a bootstrap over pairs of games."
    return Table("Ratings", about, heads, rows)


def _tinted_cell(tally: Tally, text: str) -> Cell:
    if not tally.games:
        return Cell(text)
    off = 2 * tally.points / tally.games - 1
    return Cell(text, abs(off), off >= 0)


def _times(tally: Tally) -> list[Cell]:
    return [Cell(format_milliseconds(seconds)) for seconds in (tally.cpu_a_move, tally.slowest)]


def write_report(
    store: Store, folder: Path, *, most: int, most_left: int, jobs: int, anchor: str | None = None
) -> tuple[Path, list[LostGame]]:
    """Write the page and the games that it links to; return the page's path and the lost games. Raise ArgumentError.

    most: lost games shown, 0 for all. most_left: moves left up to which the solver is asked what lost them. jobs:
    processes that ask it. anchor: who is 0 in the ratings.
    """
    results = store.results()
    if not results:
        raise ArgumentError(f"{store.name} holds no games yet; expected at least one pair, to report on")
    losers = _losers(results)
    lost = [result for result in results if result.loser in losers]
    shown = lost[: most or None]
    known = why_lost([store.record(result.number) for result in shown], most_left, jobs)
    games = [LostGame(result, why) for result, why in zip(shown, known, strict=True)]
    text = _page(store, results, ratings(results, anchor), losers, games, len(lost) - len(shown), most_left)
    with trying_to(f"write {folder}"):
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        for game in games:
            write_text(folder / GAMES / f"game-{game.result.number}.sgf", game_sgf(store, game.result))
        write_text(folder / PAGE, text)
    return folder / PAGE, games


def _page(
    store: Store,
    results: list[Result],
    rated: list[Rating],
    losers: list[str],
    games: list[LostGame],
    more: int,
    most_left: int,
) -> str:
    plan, totals = store.plan(), tallies(results)
    title = _title(plan)
    body = render_template(
        "tools.arena",
        "report.html",
        title=title,
        said=_describe_progress(store, plan, results),
        tables=tables_of(results, totals, rated),
        lines=_lines(results, plan.hypothesis, rated),
        charts=_charts(results, rated, losers),
        losers=losers,
        lost=games,
        more=more,
        most_left=most_left,
        settings=_settings(store, plan),
        players=plan.players,
        file=quote(store.name),
    )
    style = render_template("tools.arena", "report.css")
    return render_page(title, body, style=style)


def _losers(results: Sequence[Result]) -> list[str]:
    """Return whose losses are shown: those of a gauntlet's player, of the first of two, or everybody's."""
    who, hero = pairings(results), hero_of(results)
    if hero or len(who) == 1:
        return [hero or who[0][0]]
    return list(dict.fromkeys(name for pairing in who for name in pairing))


def _title(plan: Plan) -> str:
    if len(plan.players) == 2:
        return " against ".join(plan.names)
    if plan.format == GAUNTLET:
        return f"{plan.names[0]} against {plural(len(plan.names) - 1, 'opponent')}"
    return f"A round robin of {plural(len(plan.names), 'player')}"


def _describe_progress(store: Store, plan: Plan, results: Sequence[Result]) -> str:
    games = f"{plural(len(results), 'game')}, {store.distinct()} of them different"
    decision = store.decision()
    if decision:
        return f"{games}; decided after {plural(decision[0], 'pair')} of at most {plan.total}."
    missing = plan.total - len(results) // 2
    return f"{games}; {missing} of {plan.total} pairs are not played." if missing else f"{games}; all are played."


def _lines(results: Sequence[Result], hypothesis: Hypothesis | None, rated: Sequence[Rating]) -> list[str]:
    lines = [*group_lines(rated), *fault_lines(results)]
    if len(pairings(results)) > 1:
        return lines
    lines += pair_lines(results)
    if hypothesis:
        counts = pentanomial(list(results))
        lines.append(
            f"SPRT, {hypothesis}: log likelihood ratio {verdict(counts, hypothesis)}, "
            f"{verdict_text(counts, hypothesis)}"
        )
    return lines


def _charts(results: Sequence[Result], rated: Sequence[Rating], losers: Sequence[str]) -> list[tuple[str, Markup]]:
    """Return the charts with their captions; those that would be empty are left out."""
    hero = losers[0] if len(losers) == 1 else ""
    if hero:
        leads = {
            f"as {COLOURS[colour]}": charts.leads_of([one for one in results if _colour(one, hero) == colour], hero)
            for colour in COLOURS
        }
        parts = {
            "not lost": [one.plies for one in results if one.loser != hero],
            "lost": [one.plies for one in results if one.loser == hero],
        }
    else:
        leads = {"Black's lead": [one.lead2 / 2 for one in results if not one.fault]}
        parts = {"all": [one.plies for one in results]}
    whose = f"{hero}'s leads" if hero else "Black's leads"
    ratings_drawn = charts.rating_chart(rated) if len(rated) > 2 else ""
    margins_drawn = charts.margin_chart(leads) if any(leads.values()) else ""
    names = [one.name for one in rated]
    drawn = [
        ("Ratings and their intervals; an arrow where one has no end.", ratings_drawn),
        (f"{whose} after komi, in games that no fault ended.", margins_drawn),
        ("How long games were.", charts.length_chart({name: lengths for name, lengths in parts.items() if lengths})),
        ("CPU time of a move: mean and slowest.", charts.cpu_chart(tallies(results), names)),
    ]
    return [(caption, Markup(chart)) for caption, chart in drawn if chart]


def _colour(result: Result, name: str) -> int:
    return BLACK if result.black == name else WHITE


def _settings(store: Store, plan: Plan) -> list[tuple[str, str]]:
    """Return all that decides the games, but for the players."""
    rows = [
        ("file", store.name),
        ("format", plan.format),
        ("pairs for each pairing", f"{plan.pairs:,}" + (" at most" if plan.hypothesis else "")),
        ("seed", f"{plan.seed}: pair k of each pairing, from 0, has the seed {SEEDS * plan.seed:,} + k"),
        ("random opening", plural(plan.openings, "move")),
        ("CPU limit", f"{plan.cpu_limit:g} s a move"),
    ]
    if plan.hypothesis:
        alpha, beta = plan.hypothesis.alpha, plan.hypothesis.beta
        rows.append(("test", f"{plan.hypothesis}; alpha {alpha:g}, beta {beta:g}"))
    return rows
