"""A tournament and its games as text and as JSON values: the table, game lines, and SGF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shlex import quote
from typing import Any

from littlego.arena.elo import estimate, verdict
from littlego.arena.ratings import ratings
from littlego.arena.results import Result, Tallies, pairings, pentanomial, tallies, total_of
from littlego.arena.store import Store
from littlego.arena.tables import summary
from littlego.cli.arguments import write_results
from littlego.cli.terminal import console
from littlego.files import STANDARD_OUTPUT
from littlego.knowledge.problems import plural
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import BLACK, WHITE
from littlego.shares import wilson_of_wins


def header(store: Store) -> str:
    """Return a tournament's description and progress, in two lines."""
    plan, there, decision = store.plan(), len(store.done()), store.decision()
    how = f"seed {plan.seed}, random openings of {plan.openings} moves" if plan.openings else f"seed {plan.seed}"
    how += f", {plan.ruleset}"
    how += "" if plan.minutes is None else f", {plan.minutes:g} minutes for each player"
    far = (
        f"decided after {decision[0]} pairs of at most {plan.total}"
        if decision
        else f"{there} of {'at most ' if plan.hypothesis else ''}{plan.total} pairs"
    )
    return f"{store.name}: {plan.format}, {how}\n{far}"


def show_table(store: Store, json: str | None, anchor: str | None = None) -> None:
    """Print the table of a tournament.

    json: `-` to print JSON instead of the table, a file name to write JSON in addition to the table, or None for no
    JSON. anchor: the player whose rating is defined as 0, or None.
    """
    if json != STANDARD_OUTPUT:
        shown = summary(store.results(), store.plan().hypothesis, distinct=store.distinct(), anchor=anchor)
        console().print(shown)
        for worker, number in store.apart():
            print(f"not counted: {plural(number, 'pair')} of the worker at {worker}, whose games differ from a replay")
    write_results(json, lambda: as_json(store, anchor))


def game_lines(results: Iterable[Result]) -> Iterator[str]:
    """Yield a header, then one line for each game."""
    yield f"{'game':>6} {'seed':>9}  result  moves  Black - White"
    for result in results:
        fault = f"; {result.why}" if result.fault else ""
        yield (
            f"{result.number:6} {result.seed:9}  {result.text:7} {result.plies:4}   "
            f"{result.black} - {result.white}{fault}"
        )


def game_sgf(store: Store, result: Result) -> str:
    """Return a game as SGF text; a comment contains the command that replays the game."""
    about = (
        f"Game {result.number} of a tournament ({store.plan().format}), "
        f"seed {result.seed}, random opening of {result.opening} moves. "
        f"Replay: littlego arena replay {quote(store.name)} {result.number}"
    )
    return record_sgf(store.record(result.number), about)


def as_json(store: Store, anchor: str | None = None) -> dict[str, Any]:
    """Return the plan, the progress and the results as a JSON value.

    A statistic is null if there are not enough games to compute it.

    anchor: the player whose rating is defined as 0, or None.
    """
    plan, results, decision = store.plan(), store.results(), store.decision()
    totals, distinct = tallies(results), store.distinct_by_pairing()
    test = plan.hypothesis and {**verdict(pentanomial(results), plan.hypothesis)._asdict(), "decided": bool(decision)}
    return {
        **plan.as_json(),
        "file": str(store.path),
        "players": [{"name": player.name, "plays_as": player.spec, "digest": player.digest} for player in plan.players],
        "planned": plan.total,
        "played": len(results) // 2,
        "different_games": store.distinct(),
        "checked": store.checked(),
        "apart": [{"worker": worker, "pairs": number} for worker, number in store.apart()],
        "held": [{"player": name, "by": how, "games": games} for name, how, games in store.held()],
        "faults": sum(1 for result in results if result.fault),
        "pairings": [
            {**_pairing_json(totals, results, *who), "different_games": distinct[who]} for who in pairings(results)
        ],
        "ratings": [rating._asdict() for rating in ratings(results, anchor)],
        "test": test,
    }


def _pairing_json(totals: Tallies, results: list[Result], first: str, second: str) -> dict[str, Any]:
    counts = pentanomial([result for result in results if (result.first, result.second) == (first, second)])
    elo = estimate(counts)
    return {
        "first": first,
        "second": second,
        "pentanomial": list(counts),
        "elo": elo and elo._asdict(),
        "as_black": _tally_json(totals, first, second, BLACK),
        "as_white": _tally_json(totals, first, second, WHITE),
    }


def _tally_json(totals: Tallies, first: str, second: str, colour: int) -> dict[str, Any]:
    tally = total_of(totals, first, second, colour)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "ties": tally.ties,
        "faults": tally.faults,
        "lead": tally.lead,
        "win_rate_95": wilson_of_wins(tally.wins, tally.games),
        "cpu_a_move": tally.cpu_a_move,
        "slowest": tally.slowest,
    }


def result_json(result: Result) -> dict[str, Any]:
    """Return a game's result as a JSON value."""
    black, white = (side._asdict() for side in result.sides)
    return {
        **{key: value for key, value in result._asdict().items() if key not in ("sides", "lead2")},
        "black": result.black,
        "white": result.white,
        "lead": result.lead2 / 2,
        "black_spent": black,
        "white_spent": white,
    }
