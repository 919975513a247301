"""Text and tables of results for the terminal and for pages: one pairing in detail, or many players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table as TerminalTable
from rich.text import Text

from littlego.arena.elo import H0, H1, NOT_ENOUGH, Hypothesis, estimate_text, verdict, verdict_text
from littlego.arena.ratings import SAMPLES, Rating, ratings
from littlego.arena.results import (
    Result,
    Tallies,
    hero_of,
    pairings,
    pentanomial,
    tallies,
    total_of,
)
from littlego.cli.terminal import new_table
from littlego.knowledge.problems import plural
from littlego.match.referee import COLOURS
from littlego.match.series import Tally
from littlego.shares import rate_text

NOTHING = "-"
LIVE_SAMPLES = 50  # number of bootstrap samples during play, with which a table takes a tenth of a second
MOST_CROSSED = 9  # maximum players in a cross table that fits 80 columns


class Cell(NamedTuple):
    """A cell of a table: its text and its tint."""

    text: str
    share: float | None = None  # strength of the cell's tint on a page, 0 to 1, None for no tint
    good: bool = False  # whether the tint marks a share of at least one half
    alarm: bool = False  # whether the terminal shows the cell in red


class Row(NamedTuple):
    """A row of a table: its name, its cells and, in a ranking, its rank."""

    name: str
    cells: list[Cell]
    rank: str = ""


class Head(NamedTuple):
    """The header of a column.

    short: the text on a terminal, '' if only pages show the column. long: the text on a page.
    """

    short: str
    long: str


class Table(NamedTuple):
    """A table with its title. about: a note on the table, or ''. names: the header of the column of row names."""

    title: str
    about: str
    names: Head
    heads: list[Head]
    rows: list[Row]


GAMES, LEAD, FAULTS = Head("games", "games"), Head("lead", "lead"), Head("faults", "faults")
TIMES = [Head("CPU ms", "CPU ms a move"), Head("slowest", "slowest")]


def format_rate(tally: Tally) -> str:
    """Return the percentage of games won and the Wilson interval, as text; `-` if there are no games."""
    return rate_text(tally.wins, tally.games) if tally.games else NOTHING


def format_lead(tally: Tally) -> str:
    """Return the mean lead after komi, in points, as text such as `+2.5`; `-` if unknown.

    Games that a fault ended are excluded.
    """
    return NOTHING if tally.lead is None else f"{tally.lead:+z.1f}"


def format_milliseconds(seconds: float | None) -> str:
    """Return a time as text, in ms, such as `0.04`, `1.3` or `1,250`; `-` if unknown or 0."""
    if not seconds:
        return NOTHING
    return f"{1000 * seconds:,.{0 if seconds >= 0.1 else 1 if seconds >= 0.001 else 2}f}"


def format_interval(rating: Rating) -> str:
    """Return a rating's interval as text, such as `-20 to +45` or `+45 or less`.

    The text is `fixed` for an anchor, and `not enough games` if the interval has no limits.
    """
    if rating.low is not None and rating.high is not None:
        return f"{rating.low:+z.0f} to {rating.high:+z.0f}" if rating.low < rating.high else "fixed"
    if rating.low is not None:
        return f"{rating.low:+z.0f} or more"
    return NOT_ENOUGH if rating.high is None else f"{rating.high:+z.0f} or less"


def pair_lines(results: Sequence[Result]) -> list[str]:
    """Return two lines about a pairing: the number of pairs with each score, and the Elo estimate."""
    counts = pentanomial(results)
    return [
        f"Pairs of games with 0, 1/2, 1, 3/2, 2 points: {', '.join(map(str, counts))}",
        f"Elo: {estimate_text(counts)}",
    ]


def group_lines(rated: Sequence[Rating]) -> list[str]:
    """Return lines that list the groups of players with comparable ratings; [] for a single group."""
    last = max((rating.group for rating in rated), default=0)
    if not last:
        return []
    groups = [", ".join(rating.name for rating in rated if rating.group == group) for group in range(last + 1)]
    return ["Ratings are comparable only within a group, whose players are connected by chains of games:", *groups]


def fault_lines(results: Sequence[Result]) -> list[str]:
    """Return a line for each player that lost games by faults: their number, and the first fault."""
    faults: dict[str, list[Result]] = {}
    for result in results:
        if result.fault:
            faults.setdefault(result.loser, []).append(result)
    return [
        f"faults cost {name} {plural(len(lost), 'game')}; the first is game {lost[0].number}: {lost[0].why}"
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
    """Return the results for a terminal of at least 80 columns.

    hypothesis: the two hypotheses of a test between two players, None without a test. live: whether to draw fewer
    bootstrap samples, for speed. distinct: the number of distinct games, if known. anchor: the player whose rating is
    0.
    """
    who = pairings(results)
    if not who:
        return Text("no games yet")
    parts = _describe_pairing(results, hypothesis) if len(who) == 1 else _describe_field(results, live, anchor)
    title = " against ".join(who[0]) if len(who) == 1 else plural(len({name for one in who for name in one}), "player")
    different = "" if distinct is None else f", {distinct} distinct"
    head = Text.assemble((title, "bold"), f": {plural(len(results), 'game')}{different}")
    return Group(head, *parts, *map(Text, fault_lines(results)))


def _describe_pairing(results: Sequence[Result], hypothesis: Hypothesis | None) -> list[RenderableType]:
    test = [_describe_test(pentanomial(results), hypothesis)] if hypothesis else []
    return [*map(_draw, tables_of(results, [])), *map(Text, pair_lines(results)), *test]


def _describe_test(counts: Sequence[int], hypothesis: Hypothesis) -> Text:
    """Return the state of a test as two lines of text."""
    answer = verdict(counts, hypothesis)
    style = {H0: "bold red", H1: "bold green"}.get(answer.accepted, "")
    description = f"SPRT, {hypothesis}, alpha {hypothesis.alpha:g}, beta {hypothesis.beta:g}:\n"
    return Text.assemble(description, f"  log likelihood ratio {answer}: ", (verdict_text(counts, hypothesis), style))


def _describe_field(results: Sequence[Result], live: bool, anchor: str | None) -> list[RenderableType]:
    rated = ratings(results, anchor, samples=LIVE_SAMPLES if live else SAMPLES)
    first, rating_table = tables_of(results, rated)
    parts: list[RenderableType] = [_draw(rating_table), *map(Text, group_lines(rated))]
    if hero_of(results):
        return [_draw(first), Text(), *parts]
    return [*parts, Text(), _draw(first)] if len(rated) <= MOST_CROSSED else parts


def _draw(table: Table) -> TerminalTable:
    """Return `table` as a table for the terminal, without the columns that only pages show."""
    ranked = any(row.rank for row in table.rows)
    kept = [place for place, head in enumerate(table.heads) if head.short]
    left = ["", table.names.short] if ranked else [table.names.short]
    drawn = new_table(*left, *(table.heads[place].short for place in kept))
    drawn.columns[len(left) - 1].justify = "left"
    for row in table.rows:
        cells = [row.cells[place] for place in kept]
        texts = [Text(cell.text, style="bold red" if cell.alarm else "") for cell in cells]
        drawn.add_row(*([row.rank, row.name] if ranked else [row.name]), *texts)
    return drawn


def tables_of(results: Sequence[Result], rated: Sequence[Rating]) -> list[Table]:
    """Return a tournament's tables.

    A single pairing has one table. Several pairings have two tables: the results and the ratings.
    """
    who, hero, totals = pairings(results), hero_of(results), tallies(results)
    if len(who) == 1:
        return [_pairing_table(totals, *who[0])]
    first = _gauntlet_table(totals, hero) if hero else _cross_table(totals, [rating.name for rating in rated])
    return [first, _rating_table(totals, rated)]


def _pairing_table(totals: Tallies, first: str, second: str) -> Table:
    heads = [GAMES, Head("won", "won"), Head("win rate, 95%", "win rate, 95% interval"), LEAD, *TIMES, FAULTS]
    parts = {
        **{f"as {COLOURS[colour]}": total_of(totals, first, second, colour) for colour in COLOURS},
        "in all": total_of(totals, first, second),
        "its opponent": total_of(totals, second, first),
    }
    rows = []
    for name, tally in parts.items():
        figures = [Cell(str(tally.games)), Cell(str(tally.wins)), _tinted_cell(tally, format_rate(tally))]
        rows.append(Row(name, [*figures, Cell(format_lead(tally)), *_times(tally), _faults(tally)]))
    return Table(f"{first} against {second}", "", Head("", ""), heads, rows)


def _gauntlet_table(totals: Tallies, hero: str) -> Table:
    heads = [
        GAMES,
        Head("as Black, 95%", "as Black"),
        Head("as White, 95%", "as White"),
        LEAD,
        Head("", "faults"),
        Head("", "opponent's faults"),
    ]
    rows = []
    for other in dict.fromkeys(other for one, other, _ in totals if one == hero):
        everything, theirs = total_of(totals, hero, other), total_of(totals, other, hero)
        rates = [_tinted_cell(one, format_rate(one)) for one in _by_colour(totals, hero, other)]
        figures = [Cell(str(everything.games)), *rates, Cell(format_lead(everything))]
        rows.append(Row(other, [*figures, _faults(everything), _faults(theirs)]))
    names = Head(f"{hero} against", "opponent")
    about = "Percentage of games won, with 95% confidence intervals."
    return Table(f"{hero} against all", about, names, heads, rows)


def _cross_table(totals: Tallies, names: Sequence[str]) -> Table:
    rows = [
        Row(name, [_percent_cell(total_of(totals, name, other)) for other in names], str(rank))
        for rank, name in enumerate(names, 1)
    ]
    return Table(
        "Everybody against everybody",
        "Points in percent, row against column.",
        Head("points %, row against column", ""),
        [Head(str(rank), str(rank)) for rank in range(1, len(names) + 1)],
        rows,
    )


def _rating_table(totals: Tallies, rated: Sequence[Rating]) -> Table:
    heads = [
        Head("Elo", "Elo"),
        Head("95%", "95% interval"),
        GAMES,
        Head("", "points %"),
        Head("Black", "as Black"),
        Head("White", "as White"),
        *TIMES,
        Head("", "faults"),
    ]
    rows = []
    for rank, rating in enumerate(rated, 1):
        everything = total_of(totals, rating.name)
        parts = map(_percent_cell, (everything, *_by_colour(totals, rating.name)))
        figures = [Cell(f"{rating.rating:+z.0f}"), Cell(format_interval(rating)), Cell(str(rating.games))]
        rows.append(Row(rating.name, [*figures, *parts, *_times(everything), _faults(everything)], str(rank)))
    return Table(
        "Ratings",
        "The Bradley-Terry model on the Elo scale, with intervals from a bootstrap over pairs of games.",
        Head("player", "player"),
        heads,
        rows,
    )


def _by_colour(totals: Tallies, player: str, opponent: str | None = None) -> list[Tally]:
    return [total_of(totals, player, opponent, colour) for colour in COLOURS]


def _tinted_cell(tally: Tally, text: str) -> Cell:
    if not tally.games:
        return Cell(text)
    off = 2 * tally.points / tally.games - 1
    return Cell(text, abs(off), off >= 0)


def _percent_cell(tally: Tally) -> Cell:
    """Return a tinted cell with the percentage of points won."""
    return _tinted_cell(tally, f"{100 * tally.points / tally.games:.1f}" if tally.games else NOTHING)


def _times(tally: Tally) -> list[Cell]:
    return [Cell(format_milliseconds(seconds)) for seconds in (tally.cpu_a_move, tally.slowest)]


def _faults(tally: Tally) -> Cell:
    return Cell(str(tally.faults) if tally.faults else NOTHING, alarm=bool(tally.faults))
