"""The web page of a tournament, and the SGF files of the lost games on the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from markupsafe import Markup

from littlego.arena import charts
from littlego.arena.elo import Hypothesis, verdict, verdict_text
from littlego.arena.losses import LostGame, why_lost
from littlego.arena.plan import GAUNTLET, Plan
from littlego.arena.ratings import Rating, ratings
from littlego.arena.results import (
    Result,
    hero_of,
    pairings,
    pentanomial,
    tallies,
)
from littlego.arena.show import game_sgf
from littlego.arena.store import Store
from littlego.arena.tables import (
    fault_lines,
    group_lines,
    pair_lines,
    tables_of,
)
from littlego.cli.arguments import ArgumentError, trying_to
from littlego.cli.page import render_page, render_template
from littlego.files import write_text
from littlego.knowledge.problems import plural
from littlego.match.series import SEEDS

PAGE, GAMES = "index.html", "games"


def write_report(
    store: Store, folder: Path, *, most: int, most_left: int, jobs: int, anchor: str | None = None
) -> tuple[Path, list[LostGame]]:
    """Write a tournament's page and the linked SGF files.

    Return (path of the page, lost games on the page). Raise ArgumentError if the tournament has no games or a file
    cannot be written.

    most: the maximum number of lost games on the page, 0 for no limit. The solver runs only in positions with at most
    `most_left` moves left, in `jobs` processes. anchor: the player whose rating is 0.
    """
    text, games = report_page(store, most=most, most_left=most_left, jobs=jobs, anchor=anchor)
    with trying_to(f"write {folder}"):
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        for game in games:
            write_text(folder / GAMES / f"game-{game.result.number}.sgf", game_sgf(store, game.result))
        write_text(folder / PAGE, text)
    return folder / PAGE, games


def report_page(
    store: Store, *, most: int, most_left: int, jobs: int, anchor: str | None = None
) -> tuple[str, list[LostGame]]:
    """Return (the page as HTML, the lost games that the page shows). See write_report for the parameters.

    The page links to each of these lost games as `games/game-NUMBER.sgf`.
    """
    results = store.results()
    if not results:
        raise ArgumentError(f"{store.name} contains no games yet: run `littlego arena continue` with this file first")
    losers = _choose_losers(results)
    lost = [result for result in results if result.loser in losers]
    shown = lost[: most or None]
    games = list(map(LostGame, shown, why_lost([store.record(result.number) for result in shown], most_left, jobs)))
    return _render(store, results, ratings(results, anchor), losers, games, len(lost) - len(shown), most_left), games


def _render(
    store: Store,
    results: list[Result],
    rated: list[Rating],
    losers: list[str],
    games: list[LostGame],
    more: int,
    most_left: int,
) -> str:
    plan = store.plan()
    title = _format_title(plan)
    body = render_template(
        "littlego.arena",
        "report.html",
        title=title,
        said=_describe_progress(store, plan, results),
        tables=tables_of(results, rated),
        lines=_format_lines(results, plan.hypothesis, rated),
        charts=_draw_charts(results, rated, losers),
        losers=losers,
        lost=games,
        more=more,
        most_left=most_left,
        settings=_list_settings(store, plan),
        players=plan.players,
        file=quote(store.name),
    )
    return render_page(title, body, style=render_template("littlego.arena", "report.css"))


def _choose_losers(results: Sequence[Result]) -> list[str]:
    """Return the players whose losses the page shows.

    In a gauntlet or a single pairing, return only the first player; otherwise, return all players.
    """
    who, hero = pairings(results), hero_of(results)
    if hero or len(who) == 1:
        return [hero or who[0][0]]
    return list(dict.fromkeys(name for pairing in who for name in pairing))


def _format_title(plan: Plan) -> str:
    if len(plan.players) == 2:
        return " against ".join(plan.names)
    if plan.format == GAUNTLET:
        return f"{plan.names[0]} against {plural(len(plan.names) - 1, 'opponent')}"
    return f"A round robin of {plural(len(plan.names), 'player')}"


def _describe_progress(store: Store, plan: Plan, results: Sequence[Result]) -> str:
    games = f"{plural(len(results), 'game')}, {store.distinct()} distinct"
    if decision := store.decision():
        return f"{games}; decided after {plural(decision[0], 'pair')} of at most {plan.total}."
    missing = plan.total - len(results) // 2
    return f"{games}; {missing} of {plan.total} pairs are missing." if missing else f"{games}; all pairs are played."


def _format_lines(results: Sequence[Result], hypothesis: Hypothesis | None, rated: Sequence[Rating]) -> list[str]:
    lines = [*group_lines(rated), *fault_lines(results)]
    if len(pairings(results)) == 1:
        lines += pair_lines(results)
    if hypothesis:
        counts = pentanomial(results)
        lines.append(
            f"SPRT, {hypothesis}: log likelihood ratio {verdict(counts, hypothesis)}, "
            f"{verdict_text(counts, hypothesis)}"
        )
    return lines


def _draw_charts(results: Sequence[Result], rated: Sequence[Rating], losers: Sequence[str]) -> list[tuple[str, Markup]]:
    """Return (caption, chart) for each chart that has data."""
    hero = losers[0] if len(losers) == 1 else ""
    if hero:
        leads = {
            "as Black": charts.leads_of([row for row in results if row.black == hero], hero),
            "as White": charts.leads_of([row for row in results if row.white == hero], hero),
        }
        parts = {
            "not lost": [row.plies for row in results if row.loser != hero],
            "lost": [row.plies for row in results if row.loser == hero],
        }
    else:
        leads = {"Black's lead": [row.lead2 / 2 for row in results if not row.fault]}
        parts = {"all": [row.plies for row in results]}
    drawn = [
        (
            "Ratings with their intervals; an arrow marks an unbounded end.",
            charts.rating_chart(rated) if len(rated) > 2 else "",
        ),
        (
            f"{hero or 'Black'}'s leads after komi, in games without a fault.",
            charts.margin_chart(leads) if any(leads.values()) else "",
        ),
        ("Game lengths.", charts.length_chart({name: lengths for name, lengths in parts.items() if lengths})),
        ("CPU time of a move: mean and slowest.", charts.cpu_chart(tallies(results), [row.name for row in rated])),
    ]
    return [(caption, Markup(chart)) for caption, chart in drawn if chart]


def _list_settings(store: Store, plan: Plan) -> list[tuple[str, str]]:
    """Return (name, value) for a tournament's file, settings and sandboxes.

    The settings exclude the players.
    """
    test = plan.hypothesis
    return [
        ("file", store.name),
        ("format", plan.format),
        ("pairs for each pairing", f"{plan.pairs:,}" + (" at most" if test else "")),
        ("seed", f"{plan.seed}: pair k of the tournament (zero-based) has the seed {SEEDS * plan.seed:,} + k"),
        ("random opening", plural(plan.openings, "move")),
        ("CPU limit", f"{plan.cpu_limit:g} s per move"),
        ("ruleset", plan.ruleset),
        *([("clock", f"{plan.minutes:g} minutes for each player")] if plan.minutes is not None else []),
        *([("move limit", f"{plan.plies} moves; the game is then scored")] if plan.plies is not None else []),
        *((f"sandbox of {name}", f"{how} ({plural(games, 'game')})") for name, how, games in store.held()),
        *([("test", f"{test}; alpha {test.alpha:g}, beta {test.beta:g}")] if test else []),
    ]
