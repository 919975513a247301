"""The file of a tournament, found or made: the same plan goes on in it, another's is left alone."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote

from tools.arena.plan import Plan
from tools.arena.sources import changed
from tools.arena.store import Store
from tools.arguments import ArgumentError, check_target, trying_to
from tools.cache import digest
from tools.match.series import SEEDS

FOLDER = Path("arena")  # where files go that nobody named, below the current folder
LONGEST = 40  # characters of the players' names in such a file's name


def place_of(plan: Plan, file: str | None = None) -> Path:
    """Return where a tournament is kept; raise ArgumentError where that cannot be, before players are checked.

    A folder that somebody named must exist.
    """
    _refuse_too_many(plan)
    path = Path(file) if file else default_file(plan)
    if file is None:
        with trying_to(f"make the folder {FOLDER}"):
            FOLDER.mkdir(exist_ok=True)
    if not path.exists():
        check_target(path)
    return path


def begun(plan: Plan, path: Path) -> Store:
    """Return the file of a tournament, made if there is none; raise ArgumentError where it holds another one."""
    try:
        return Store.make(path, plan)
    except FileExistsError:
        store = Store(path)
    try:
        _refuse_other(store, plan)
        return continued(store, plan.pairs)
    except BaseException:
        store.close()
        raise


def continued(store: Store, pairs: int | None = None) -> Store:
    """Return the store ready to go on, with so many pairs for each pairing; raise ArgumentError if it cannot."""
    refuse(store, pairs)
    if pairs is not None:
        store.extend(pairs)
    return store


def refuse(store: Store, pairs: int | None = None) -> None:
    """Raise ArgumentError where `continued` would; plan nothing."""
    plan = store.plan()
    if names := changed(plan.players):
        raise ArgumentError(
            f"{store.name}: {' and '.join(names)} changed since the tournament began; games of two different players "
            "are not one player's. Undo the change, or begin another tournament with another --file"
        )
    if pairs is not None and pairs < plan.pairs:
        raise ArgumentError(f"{store.name}: {plan.pairs} pairs are planned for each pairing; --pairs {pairs} is less")
    if pairs is not None:
        _refuse_too_many(plan._replace(pairs=pairs))


def default_file(plan: Plan) -> Path:
    """Return where a tournament is kept if nobody says: the same plan with the same players gives the same name."""
    names = re.sub(r"[^\w.-]+", "-", "-".join(plan.names), flags=re.ASCII)[:LONGEST].strip("-.")
    key = digest(repr(_settings(plan)), *(player.digest for player in plan.players))[:8]
    return FOLDER / f"{plan.format}-{names}-{key}.sqlite"


def _refuse_too_many(plan: Plan) -> None:
    """Raise ArgumentError where a tournament would take its seeds from the next one's."""
    if plan.total > SEEDS:
        raise ArgumentError(f"{plan.total:,} pairs in all: {SEEDS:,} are the most")


def _refuse_other(store: Store, plan: Plan) -> None:
    there, wanted = _settings(store.plan()), _settings(plan)
    differ = [
        f"{name} {_shown(there[name])} (asked for: {_shown(wanted[name])})"
        for name in there
        if there[name] != wanted[name]
    ]
    if differ:
        raise ArgumentError(f"{store.name} holds another tournament: {'; '.join(differ)}. Give another --file")
    before = {player.name: player.digest for player in store.players()}
    if names := [player.name for player in plan.players if player.digest != before[player.name]]:
        raise ArgumentError(
            f"{store.name}: {' and '.join(names)} changed since the tournament began. Give another --file; `littlego "
            f"arena continue {quote(store.name)}` goes on with patterns files as they were"
        )


def _settings(plan: Plan) -> dict:
    """Return what makes it this tournament, but for the number of pairs, which may grow."""
    return {
        "format": plan.format,
        "players": plan.names,
        "seed": plan.seed,
        "openings": plan.openings,
        "CPU limit": plan.cpu_limit,
        "hypothesis": plan.hypothesis,
    }


def _shown(value) -> str:
    return ", ".join(value) if isinstance(value, tuple) and all(isinstance(one, str) for one in value) else str(value)
