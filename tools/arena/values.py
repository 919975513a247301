"""A tournament's table as plain values, for a program that reads JSON."""

from __future__ import annotations

from rules.position import BLACK, WHITE
from tools.arena.elo import estimate
from tools.arena.intervals import wilson
from tools.arena.ratings import ratings
from tools.arena.results import Result, pentanomial
from tools.arena.sprt import verdict
from tools.arena.store import Store
from tools.arena.tallies import Tallies, added, pairings, tallies


def as_json(store: Store, anchor: str | None = None) -> dict:
    """Return the plan, how far it is, and what the games say; what they are too few to say is null.

    anchor: who is 0 in the ratings.
    """
    plan, results, decision = store.plan(), store.results(), store.decision()
    found = tallies(results)
    value = {
        **plan.as_json(),
        "file": str(store.path),
        "players": [{"name": player.name, "plays_as": player.spec, "digest": player.digest} for player in plan.players],
        "planned": plan.total,
        "played": len(results) // 2,
        "different_games": store.distinct(),
        "checked": store.checked(),
        "faults": sum(1 for result in results if result.fault),
        "pairings": [_pairing(found, results, *who) for who in pairings(results)],
        "ratings": [rating._asdict() for rating in ratings(results, anchor)],
        "test": None,
    }
    if plan.hypothesis:
        value["test"] = {**verdict(pentanomial(results), plan.hypothesis)._asdict(), "decided": bool(decision)}
    return value


def _pairing(found: Tallies, results: list[Result], first: str, second: str) -> dict:
    counts = pentanomial([result for result in results if (result.first, result.second) == (first, second)])
    elo = estimate(counts)
    return {
        "first": first,
        "second": second,
        "pentanomial": list(counts),
        "elo": elo and elo._asdict(),
        "as_black": _part(found, first, second, BLACK),
        "as_white": _part(found, first, second, WHITE),
    }


def _part(found: Tallies, first: str, second: str, colour: int) -> dict:
    tally = added(found, first, second, colour)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "ties": tally.ties,
        "faults": tally.faults,
        "lead": tally.lead,
        "win_rate_95": wilson(tally.wins, tally.games),
        "cpu_a_move": tally.cpu_a_move,
        "slowest": tally.slowest,
    }


def result_json(result: Result) -> dict:
    """Return a game's row as plain values."""
    black, white = (side._asdict() for side in result.sides)
    value = {**result._asdict(), "black": result.black, "white": result.white, "lead": result.lead2 / 2}
    value.update(black_spent=black, white_spent=white)
    return {key: found for key, found in value.items() if key not in ("sides", "lead2")}
