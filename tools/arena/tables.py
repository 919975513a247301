"""Results as tables for the terminal: one pairing in detail, or a whole field with ratings and a cross table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tools.arena import wording
from tools.arena.ratings import SAMPLES, Rating, ratings
from tools.arena.results import Result, pentanomial
from tools.arena.sprt import H0, H1, Hypothesis, verdict, verdict_text
from tools.arena.tallies import COLOURS, Tallies, Tally, added, hero_of, met, pairings, tallies
from tools.arena.wording import NAMES
from tools.draw.terminal import new_table
from tools.knowledge.problems import counted

LIVE_SAMPLES = 50  # of the bootstrap while games are played: a table in a tenth of a second
MOST_CROSSED = 9  # players of a cross table that fits 80 columns


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
    title = " against ".join(who[0]) if len(who) == 1 else counted(len({name for one in who for name in one}), "player")
    different = "" if distinct is None else f", {distinct} of them different"
    head = Text.assemble((title, "bold"), f": {counted(len(results), 'game')}{different}")
    return Group(head, *parts, *map(Text, wording.fault_lines(results)))


def _pairing(results: Sequence[Result], first: str, second: str, hypothesis: Hypothesis | None) -> list[RenderableType]:
    found = tallies(results)
    shown = new_table("", "games", "won", "win rate, 95%", "lead", "CPU ms", "slowest", "faults")
    for colour in COLOURS:
        _add_row(shown, f"as {NAMES[colour]}", added(found, first, second, colour))
    _add_row(shown, "in all", added(found, first, second))
    _add_row(shown, "its opponent", added(found, second, first))
    lines = [Text(line) for line in wording.pair_lines(results)]
    return [shown, *lines, *([_test(pentanomial(list(results)), hypothesis)] if hypothesis else [])]


def _test(counts: Sequence[int], hypothesis: Hypothesis) -> Text:
    """Return where a test stands, in two lines."""
    found = verdict(counts, hypothesis)
    style = {H0: "bold red", H1: "bold green"}.get(found.accepted, "")
    asked = f"SPRT, {hypothesis}, alpha {hypothesis.alpha:g}, beta {hypothesis.beta:g}:\n"
    return Text.assemble(asked, f"  log likelihood ratio {found}: ", (verdict_text(counts, hypothesis), style))


def _field(results: Sequence[Result], live: bool, anchor: str | None) -> list[RenderableType]:
    found, hero = tallies(results), hero_of(results)
    rated = ratings(results, anchor, samples=LIVE_SAMPLES if live else SAMPLES)
    parts: list[RenderableType] = [_gauntlet(found, hero), Text()] if hero else []
    parts += [_rating_table(found, rated), *map(Text, wording.group_lines(rated))]
    if not hero and len(rated) <= MOST_CROSSED:
        parts += [Text(), _cross_table(found, [one.name for one in rated])]
    return parts


def _gauntlet(found: Tallies, hero: str) -> Table:
    shown = new_table(f"{hero} against", "games", "as Black, 95%", "as White, 95%", "lead")
    for other in met(found, hero):
        everything = added(found, hero, other)
        rates = [wording.rate(added(found, hero, other, colour)) for colour in COLOURS]
        shown.add_row(other, str(everything.games), *rates, wording.lead(everything))
    return shown


def _rating_table(found: Tallies, rated: Sequence[Rating]) -> Table:
    shown = new_table("", "player", "Elo", "95%", "games", "Black", "White", "CPU ms", "slowest")
    shown.columns[1].justify = "left"
    for rank, one in enumerate(rated, 1):
        everything = added(found, one.name)
        shares = [wording.percent(added(found, one.name, colour=colour)) for colour in COLOURS]
        times = [wording.milliseconds(seconds) for seconds in (everything.cpu_a_move, everything.slowest)]
        shown.add_row(
            str(rank), one.name, f"{one.rating:+z.0f}", wording.interval(one), str(one.games), *shares, *times
        )
    return shown


def _cross_table(found: Tallies, names: Sequence[str]) -> Table:
    shown = new_table("", "points %, row against column", *map(str, range(1, len(names) + 1)))
    shown.columns[1].justify = "left"
    for rank, name in enumerate(names, 1):
        shown.add_row(str(rank), name, *(wording.percent(added(found, name, other)) for other in names))
    return shown


def _add_row(shown: Table, name: str, tally: Tally) -> None:
    times = [wording.milliseconds(seconds) for seconds in (tally.cpu_a_move, tally.slowest)]
    faults = Text(str(tally.faults), style="bold red") if tally.faults else wording.NOTHING
    shown.add_row(name, str(tally.games), str(tally.wins), wording.rate(tally), wording.lead(tally), *times, faults)
