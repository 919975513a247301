"""A tournament and its games as text: the table, a line a game, SGF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shlex import quote

from tools.arena.results import Result
from tools.arena.store import Store
from tools.arena.tables import summary
from tools.arguments import trying_to
from tools.draw.terminal import console
from tools.files import STANDARD_OUTPUT, write_json
from tools.match.sgf import record_sgf


def header(store: Store) -> str:
    """Return what a tournament is and how far, in a line or two."""
    plan, there, decision = store.plan(), len(store.done()), store.decision()
    how = f"seed {plan.seed}, random openings of {plan.openings} moves" if plan.openings else f"seed {plan.seed}"
    if decision:
        far = f"decided after {decision[0]} pairs of at most {plan.total}"
    else:
        far = f"{there} of {plan.total} pairs" + (" at most" if plan.hypothesis else "")
    return f"{store.name}: {plan.format}, {how}\n{far}"


def show_table(store: Store, json: str | None, anchor: str | None = None) -> None:
    """Print the table, or write it as JSON to `-`, or both to a file. anchor: who is 0 in the ratings."""
    if json != STANDARD_OUTPUT:
        shown = summary(store.results(), store.plan().hypothesis, distinct=store.distinct(), anchor=anchor)
        console(markup=False).print(shown)
    if json:
        from tools.arena.values import as_json

        with trying_to(f"write {json}"):
            write_json(json, as_json(store, anchor))


def game_lines(results: Iterable[Result]) -> Iterator[str]:
    """Yield a head and a line for each game."""
    yield f"{'game':>6} {'seed':>9}  result  moves  Black - White"
    for result in results:
        fault = f"; {result.why}" if result.fault else ""
        yield (
            f"{result.number:6} {result.seed:9}  {result.text:7} {result.plies:4}   "
            f"{result.black} - {result.white}{fault}"
        )


def game_sgf(store: Store, result: Result) -> str:
    """Return a game as SGF text; it says itself how to play it again."""
    chance = f"seed {result.seed}, random opening of {result.opening} moves"
    about = (
        f"Game {result.number} of a {store.plan().format}, {chance}. "
        f"Once more: littlego arena replay {quote(store.name)} {result.number}"
    )
    return record_sgf(store.record(result.number), about)
