"""Results as tables for the terminal: one pairing in detail, or a whole field with ratings and a cross table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rules.position import BLACK
from tools.arena.elo import NOT_ENOUGH, estimate_text
from tools.arena.intervals import rate_text
from tools.arena.ratings import SAMPLES, Rating, ratings
from tools.arena.results import Result, pentanomial
from tools.arena.sprt import H0, H1, Hypothesis, verdict, verdict_text
from tools.arena.tallies import COLOURS, Tallies, Tally, added, met, pairings, tallies
from tools.knowledge.problems import counted

NAMES = {BLACK: "Black", BLACK + 1: "White"}
LIVE_SAMPLES = 50  # of the bootstrap while games are played: a table in a tenth of a second
MOST_CROSSED = 12  # players of a cross table that fits a terminal
NOTHING = "no games yet"


def summary(
    results: Sequence[Result], hypothesis: Hypothesis | None = None, *, live: bool = False, distinct: int | None = None
) -> RenderableType:
    """Return what the results say, to be printed in 80 columns or more.

    hypothesis: what a test of two players decides. live: be quick rather than smooth. distinct: how many of the games
    are different ones, if that is known.
    """
    who = pairings(results)
    if not who:
        return Text(NOTHING)
    if len({frozenset(pairing) for pairing in who}) == 1:
        return _pairing(results, hypothesis, distinct)
    return _field(results, live, distinct)


def _pairing(results: Sequence[Result], hypothesis: Hypothesis | None, distinct: int | None) -> RenderableType:
    first, second = pairings(results)[0]
    found, counts = tallies(results), pentanomial(results)
    shown = _plain("", "games", "won", "win rate, 95%", "lead", "CPU ms", "slowest", "faults")
    for colour in COLOURS:
        _add_row(shown, f"as {NAMES[colour]}", added(found, first, second, colour))
    _add_row(shown, "in all", added(found, first, second))
    if first != second:
        _add_row(shown, "its opponent", added(found, second, first))
    parts: list[RenderableType] = [
        _title(f"{first} against {second}", results, distinct), shown,
        Text(f"pairs of games with 0, 1/2, 1, 3/2, 2 points: {', '.join(map(str, counts))}"),
        Text(f"Elo: {estimate_text(counts)}"),
    ]  # fmt: skip
    if hypothesis:
        parts.append(test_text(counts, hypothesis))
    return Group(*parts, *_remarks(results))


def test_text(counts: Sequence[int], hypothesis: Hypothesis) -> Text:
    """Return where a test stands, in two lines."""
    found = verdict(counts, hypothesis)
    style = {H0: "bold red", H1: "bold green"}.get(found.accepted, "")
    asked = f"SPRT, {hypothesis}, alpha {hypothesis.alpha:g}, beta {hypothesis.beta:g}:\n"
    return Text.assemble(asked, f"  log likelihood ratio {found}: ", (verdict_text(counts, hypothesis), style))


def _field(results: Sequence[Result], live: bool, distinct: int | None) -> RenderableType:
    found = tallies(results)
    rated = ratings(results, samples=LIVE_SAMPLES if live else SAMPLES)
    heroes = [name for name in met_by_all(results) if len(rated) > 2]
    parts: list[RenderableType] = [_title(counted(len(rated), "player"), results, distinct)]
    if heroes:
        parts += [_gauntlet(found, heroes[0]), Text()]
    parts += [_rating_table(found, rated), *_disconnected(rated)]
    if not heroes and len(rated) <= MOST_CROSSED:
        parts += [Text(), _cross_table(found, [one.name for one in rated])]
    return Group(*parts, *_remarks(results))


def met_by_all(results: Sequence[Result]) -> list[str]:
    """Return the players that are in every game: the one of a gauntlet, none of a round robin, both of a pairing."""
    who = pairings(results)
    return [name for name in dict.fromkeys(name for pairing in who for name in pairing)
            if all(name in pairing for pairing in who)]  # fmt: skip


def _gauntlet(found: Tallies, hero: str) -> Table:
    shown = _plain(f"{hero} against", "games", "as Black, 95%", "as White, 95%", "lead")
    for other in met(found, hero):
        all_games = added(found, hero, other)
        rates = [_rate(added(found, hero, other, colour)) for colour in COLOURS]
        shown.add_row(other, str(all_games.games), *rates, _lead(all_games))
    return shown


def _rating_table(found: Tallies, rated: Sequence[Rating]) -> Table:
    shown = _plain("", "player", "Elo", "95%", "games", "Black", "White", "CPU ms", "slowest")
    shown.columns[1].justify = "left"
    for rank, one in enumerate(rated, 1):
        everything = added(found, one.name)
        shown.add_row(
            str(rank), one.name, f"{one.rating:+z.0f}", interval_text(one), str(one.games),
            *(_percent(added(found, one.name, colour=colour)) for colour in COLOURS),
            _milliseconds(everything.cpu_a_move), _milliseconds(everything.slowest),
        )  # fmt: skip
    return shown


def interval_text(rating: Rating) -> str:
    """Return `-20 to +45`, or the side that is known; nothing where the rating is fixed."""
    low, high = (None if limit is None else f"{limit:+z.0f}" for limit in (rating.low, rating.high))
    if low is None or high is None:
        return f"{low} or more" if low else f"{high} or less" if high else NOT_ENOUGH
    return f"{low} to {high}" if rating.low < rating.high else "fixed"


def _disconnected(rated: Sequence[Rating]) -> list[Text]:
    found = max(one.group for one in rated)
    if not found:
        return []
    names = [", ".join(one.name for one in rated if one.group == group) for group in range(found + 1)]
    return [Text("Ratings compare only inside a group, whose players met, or met common opponents:"),
            *(Text(f"  {line}") for line in names)]  # fmt: skip


def _cross_table(found: Tallies, names: Sequence[str]) -> Table:
    shown = _plain("", "points %, row against column", *map(str, range(1, len(names) + 1)))
    shown.columns[1].justify = "left"
    for rank, name in enumerate(names, 1):
        shown.add_row(str(rank), name, *(_percent(added(found, name, other)) for other in names))
    return shown


def _remarks(results: Sequence[Result]) -> list[Text]:
    """Say who lost how many games by a fault, with an example each."""
    faults: dict[str, list[Result]] = {}
    for result in results:
        if result.fault:
            faults.setdefault(result.black if result.fault == BLACK else result.white, []).append(result)
    return [
        Text(f"{name} lost {counted(len(found), 'game')} by a fault, the first, game {found[0].number}: {found[0].why}")
        for name, found in faults.items()
    ]


def _title(text: str, results: Sequence[Result], distinct: int | None) -> Text:
    different = "" if distinct is None else f", {distinct} of them different"
    return Text.assemble((text, "bold"), f": {counted(len(results), 'game')}{different}")


def _plain(*heads: str) -> Table:
    """Return a table without lines, the first column to the left, all others to the right."""
    found = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for number, head in enumerate(heads):
        found.add_column(head, justify="right" if number else "left", overflow="fold")
    return found


def _add_row(shown: Table, name: str, tally: Tally) -> None:
    cpu = [_milliseconds(tally.cpu_a_move), _milliseconds(tally.slowest)]
    faults = Text(str(tally.faults), style="bold red") if tally.faults else "-"
    shown.add_row(name, str(tally.games), str(tally.wins), _rate(tally), _lead(tally), *cpu, faults)


def _rate(tally: Tally) -> str:
    return rate_text(tally.wins, tally.games) if tally.games else "-"


def _percent(tally: Tally) -> str:
    return f"{100 * tally.points / tally.games:.1f}" if tally.games else "-"


def _lead(tally: Tally) -> str:
    return "-" if tally.lead is None else f"{tally.lead:+z.1f}"


def _milliseconds(seconds: float | None) -> str:
    if not seconds:
        return "-"
    return f"{1000 * seconds:.0f}" if seconds >= 0.1 else f"{1000 * seconds:.1f}"
