"""The tables of a report: cells with figures, tinted by how far a share of points is from a half."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tools.arena import wording
from tools.arena.ratings import Rating
from tools.arena.results import Result
from tools.arena.tallies import COLOURS, Tallies, Tally, added, hero_of, met, pairings


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


def tables_of(results: Sequence[Result], found: Tallies, rated: Sequence[Rating]) -> list[Table]:
    """Return the tables that such a tournament needs."""
    who, hero = pairings(results), hero_of(results)
    if len(who) == 1:
        return [_pairing(found, *who[0])]
    return [_gauntlet(found, hero) if hero else _crossed(found, [one.name for one in rated]), _ratings(found, rated)]


def _pairing(found: Tallies, first: str, second: str) -> Table:
    heads = ["", "games", "won", "win rate, 95% interval", "lead", "CPU ms a move", "slowest", "faults"]
    parts = {f"{first} as {wording.NAMES[colour]}": added(found, first, second, colour) for colour in COLOURS}
    parts[f"{first} in all"] = added(found, first, second)
    parts[f"{second} in all"] = added(found, second, first)
    rows = [
        Row(
            name,
            [
                Cell(str(tally.games)),
                Cell(str(tally.wins)),
                _tinted(tally, wording.rate(tally)),
                Cell(wording.lead(tally)),
                *_times(tally),
                Cell(str(tally.faults)),
            ],
        )
        for name, tally in parts.items()
    ]
    return Table(f"{first} against {second}", "", heads, rows)


def _gauntlet(found: Tallies, hero: str) -> Table:
    heads = ["opponent", "games", "as Black", "as White", "lead", "faults", "opponent's faults"]
    rows = []
    for other in met(found, hero):
        everything, theirs = added(found, hero, other), added(found, other, hero)
        rates = [added(found, hero, other, colour) for colour in COLOURS]
        cells = [
            Cell(str(everything.games)),
            *(_tinted(tally, wording.rate(tally)) for tally in rates),
            Cell(wording.lead(everything)),
            Cell(str(everything.faults)),
            Cell(str(theirs.faults)),
        ]
        rows.append(Row(other, cells))
    return Table(f"{hero} against all", "Games won in percent, with 95% intervals.", heads, rows)


def _crossed(found: Tallies, names: Sequence[str]) -> Table:
    rows = []
    for rank, name in enumerate(names, 1):
        played = [added(found, name, other) for other in names]
        rows.append(Row(f"{rank} {name}", [_tinted(tally, wording.percent(tally)) for tally in played]))
    heads = ["", *map(str, range(1, len(names) + 1))]
    return Table("Everybody against everybody", "Points in percent, row against column.", heads, rows)


def _ratings(found: Tallies, rated: Sequence[Rating]) -> Table:
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
        everything = added(found, one.name)
        parts = [everything, *(added(found, one.name, colour=colour) for colour in COLOURS)]
        cells = [
            Cell(f"{one.rating:+z.0f}"),
            Cell(wording.interval(one)),
            Cell(str(one.games)),
            *(_tinted(tally, wording.percent(tally)) for tally in parts),
            *_times(everything),
            Cell(str(everything.faults)),
        ]
        rows.append(Row(f"{rank} {one.name}", cells))
    about = "Bradley and Terry's model on the Elo scale, with intervals from a bootstrap over pairs of games."
    return Table("Ratings", about, heads, rows)


def _tinted(tally: Tally, text: str) -> Cell:
    if not tally.games:
        return Cell(text)
    off = 2 * tally.points / tally.games - 1
    return Cell(text, abs(off), off >= 0)


def _times(tally: Tally) -> list[Cell]:
    return [Cell(wording.milliseconds(seconds)) for seconds in (tally.cpu_a_move, tally.slowest)]
