"""Figures and sentences about results, the same on the terminal and on pages; `-` where there is nothing to say."""

from __future__ import annotations

from collections.abc import Sequence

from rules.position import BLACK, WHITE
from tools.arena.elo import NOT_ENOUGH, estimate_text
from tools.arena.intervals import rate_text
from tools.arena.ratings import Rating
from tools.arena.results import Result, pentanomial
from tools.arena.tallies import Tally
from tools.knowledge.problems import counted

NAMES = {BLACK: "Black", WHITE: "White"}
NOTHING = "-"


def rate(tally: Tally) -> str:
    """Return games won in percent, with Wilson's interval."""
    return rate_text(tally.wins, tally.games) if tally.games else NOTHING


def percent(tally: Tally) -> str:
    """Return the share of the points in percent."""
    return f"{100 * tally.points / tally.games:.1f}" if tally.games else NOTHING


def lead(tally: Tally) -> str:
    """Return the mean lead after komi, in points."""
    return NOTHING if tally.lead is None else f"{tally.lead:+z.1f}"


def milliseconds(seconds: float | None) -> str:
    """Return a time in ms: `0.04`, `1.3` or `1,250`."""
    if not seconds:
        return NOTHING
    return f"{1000 * seconds:,.{0 if seconds >= 0.1 else 1 if seconds >= 0.001 else 2}f}"


def interval(rating: Rating) -> str:
    """Return `-20 to +45`, or the one limit that is known, or that it is fixed, as an anchor's."""
    low, high = (None if limit is None else f"{limit:+z.0f}" for limit in (rating.low, rating.high))
    if low is None or high is None:
        return f"{low} or more" if low else f"{high} or less" if high else NOT_ENOUGH
    return f"{low} to {high}" if rating.low < rating.high else "fixed"


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
        f"{name} lost {counted(len(found), 'game')} by a fault; game {found[0].number}: {found[0].why}"
        for name, found in faults.items()
    ]
