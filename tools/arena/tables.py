"""Results in words and as tables for the terminal: one pairing in detail, or a whole field with a cross table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tools.arena.elo import H0, H1, NOT_ENOUGH, Hypothesis, estimate_text, verdict, verdict_text
from tools.arena.ratings import SAMPLES, Rating, ratings
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
from tools.draw.terminal import new_table
from tools.knowledge.problems import plural
from tools.match.referee import COLOURS
from tools.shares import rate_text

NOTHING = "-"
LIVE_SAMPLES = 50  # of the bootstrap while games are played: a table in a tenth of a second
MOST_CROSSED = 9  # players of a cross table that fits 80 columns


def format_rate(tally: Tally) -> str:
    """Return games won in percent, with Wilson's interval."""
    return rate_text(tally.wins, tally.games) if tally.games else NOTHING


def format_percent(tally: Tally) -> str:
    """Return the share of the points in percent."""
    return f"{100 * tally.points / tally.games:.1f}" if tally.games else NOTHING


def format_lead(tally: Tally) -> str:
    """Return the mean lead after komi, in points."""
    return NOTHING if tally.lead is None else f"{tally.lead:+z.1f}"


def format_milliseconds(seconds: float | None) -> str:
    """Return a time in ms: `0.04`, `1.3` or `1,250`."""
    if not seconds:
        return NOTHING
    return f"{1000 * seconds:,.{0 if seconds >= 0.1 else 1 if seconds >= 0.001 else 2}f}"


def format_interval(rating: Rating) -> str:
    """Return `-20 to +45`, or the one limit that is known, or that it is fixed, as an anchor's."""
    if rating.low is not None and rating.high is not None:
        return f"{rating.low:+z.0f} to {rating.high:+z.0f}" if rating.low < rating.high else "fixed"
    if rating.low is not None:
        return f"{rating.low:+z.0f} or more"
    return NOT_ENOUGH if rating.high is None else f"{rating.high:+z.0f} or less"


def pair_lines(results: Sequence[Result]) -> list[str]:
    """Return how the pairs of a pairing ended, and the difference in Elo that they show."""
    counts = pentanomial(list(results))
    return [
        f"Pairs of games with 0, 1/2, 1, 3/2, 2 points: {', '.join(map(str, counts))}",
        f"Elo: {estimate_text(counts)}",
    ]


def group_lines(rated: Sequence[Rating]) -> list[str]:
    """Return which ratings do not compare; nothing where all do."""
    last = max((one.group for one in rated), default=0)
    if not last:
        return []
    groups = [", ".join(one.name for one in rated if one.group == group) for group in range(last + 1)]
    return ["Ratings compare only inside a group, whose players met, or met common opponents:", *groups]


def fault_lines(results: Sequence[Result]) -> list[str]:
    """Return who lost how many games by a fault, with an example each."""
    faults: dict[str, list[Result]] = {}
    for result in results:
        if result.fault:
            faults.setdefault(result.loser, []).append(result)
    return [
        f"{name} lost {plural(len(lost), 'game')} by a fault; game {lost[0].number}: {lost[0].why}"
        for name, lost in faults.items()
    ]


def summary(
    results: Sequence[Result],
    hypothesis: Hypothesis | None = None,
    *,
    live: bool = False,
    distinct: int | None = None,
    anchor: str | None = None,
) -> RenderableType:
    """Return what the results say, to be printed in 80 columns or more.

    hypothesis: what a test of two players decides. live: be quick rather than smooth. distinct: how many of the games
    are different ones, if that is known. anchor: who is 0 in the ratings.
    """
    who = pairings(results)
    if not who:
        return Text("no games yet")
    parts = _pairing(results, *who[0], hypothesis) if len(who) == 1 else _field(results, live, anchor)
    title = " against ".join(who[0]) if len(who) == 1 else plural(len({name for one in who for name in one}), "player")
    different = "" if distinct is None else f", {distinct} of them different"
    head = Text.assemble((title, "bold"), f": {plural(len(results), 'game')}{different}")
    return Group(head, *parts, *map(Text, fault_lines(results)))


def _pairing(results: Sequence[Result], first: str, second: str, hypothesis: Hypothesis | None) -> list[RenderableType]:
    totals = tallies(results)
    shown = new_table("", "games", "won", "win rate, 95%", "lead", "CPU ms", "slowest", "faults")
    for colour in COLOURS:
        _add_row(shown, f"as {COLOURS[colour]}", total_of(totals, first, second, colour))
    _add_row(shown, "in all", total_of(totals, first, second))
    _add_row(shown, "its opponent", total_of(totals, second, first))
    lines = [Text(line) for line in pair_lines(results)]
    return [shown, *lines, *([_test(pentanomial(list(results)), hypothesis)] if hypothesis else [])]


def _test(counts: Sequence[int], hypothesis: Hypothesis) -> Text:
    """Return where a test stands, in two lines."""
    answer = verdict(counts, hypothesis)
    style = {H0: "bold red", H1: "bold green"}.get(answer.accepted, "")
    asked = f"SPRT, {hypothesis}, alpha {hypothesis.alpha:g}, beta {hypothesis.beta:g}:\n"
    return Text.assemble(asked, f"  log likelihood ratio {answer}: ", (verdict_text(counts, hypothesis), style))


def _field(results: Sequence[Result], live: bool, anchor: str | None) -> list[RenderableType]:
    totals, hero = tallies(results), hero_of(results)
    rated = ratings(results, anchor, samples=LIVE_SAMPLES if live else SAMPLES)
    parts: list[RenderableType] = [_gauntlet(totals, hero), Text()] if hero else []
    parts += [_rating_table(totals, rated), *map(Text, group_lines(rated))]
    if not hero and len(rated) <= MOST_CROSSED:
        parts += [Text(), _cross_table(totals, [one.name for one in rated])]
    return parts


def _gauntlet(totals: Tallies, hero: str) -> Table:
    shown = new_table(f"{hero} against", "games", "as Black, 95%", "as White, 95%", "lead")
    for other in opponents_of(totals, hero):
        everything = total_of(totals, hero, other)
        rates = [format_rate(total_of(totals, hero, other, colour)) for colour in COLOURS]
        shown.add_row(other, str(everything.games), *rates, format_lead(everything))
    return shown


def _rating_table(totals: Tallies, rated: Sequence[Rating]) -> Table:
    shown = new_table("", "player", "Elo", "95%", "games", "Black", "White", "CPU ms", "slowest")
    shown.columns[1].justify = "left"
    for rank, one in enumerate(rated, 1):
        everything = total_of(totals, one.name)
        shares = [format_percent(total_of(totals, one.name, colour=colour)) for colour in COLOURS]
        times = [format_milliseconds(seconds) for seconds in (everything.cpu_a_move, everything.slowest)]
        shown.add_row(str(rank), one.name, f"{one.rating:+z.0f}", format_interval(one), str(one.games), *shares, *times)
    return shown


def _cross_table(totals: Tallies, names: Sequence[str]) -> Table:
    shown = new_table("", "points %, row against column", *map(str, range(1, len(names) + 1)))
    shown.columns[1].justify = "left"
    for rank, name in enumerate(names, 1):
        shown.add_row(str(rank), name, *(format_percent(total_of(totals, name, other)) for other in names))
    return shown


def _add_row(shown: Table, name: str, tally: Tally) -> None:
    times = [format_milliseconds(seconds) for seconds in (tally.cpu_a_move, tally.slowest)]
    faults = Text(str(tally.faults), style="bold red") if tally.faults else NOTHING
    shown.add_row(name, str(tally.games), str(tally.wins), format_rate(tally), format_lead(tally), *times, faults)
