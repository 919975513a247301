"""A tournament begun, gone on with and played to its end, by several processes or a cluster.

Results come in any order. What they are depends on the plan alone, and so does where a test stops: it is decided
after the first pair, in the order of their numbers, at which the pairs up to there decide it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, suppress
from functools import partial
from pathlib import Path
from shlex import quote

from littlego.arena.elo import Hypothesis, verdict
from littlego.arena.plan import Pair, Plan
from littlego.arena.play import play_pair, play_pair_far
from littlego.arena.players import find_changed, one_at_a_time
from littlego.arena.results import Result, pentanomial
from littlego.arena.store import MOST, Store
from littlego.cache import digest
from littlego.cli.arguments import ArgumentError, check_target, require_posix, trying_to
from littlego.files import short_name
from littlego.match.series import SEEDS
from littlego.parallel import each
from littlego.sandbox import sandbox

FOLDER = Path("arena")  # where files go that nobody named, below the current folder
LONGEST = 40  # characters of the players' names in such a file's name
WAIT = 0.5  # seconds between two looks at what others still play
PIECE = 256  # pairs read at once


def choose_file(plan: Plan, file: str | None = None) -> Path:
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


def begin(plan: Plan, path: Path) -> Store:
    """Return the file of a tournament, made if there is none; raise ArgumentError where it holds another one."""
    try:
        return Store.make(path, plan)
    except FileExistsError:
        store = Store(path)
    try:
        _refuse_other(store, plan)
        return prepare(store, plan.pairs)
    except BaseException:
        store.close()
        raise


def prepare(store: Store, pairs: int | None = None) -> Store:
    """Return the store ready to go on, with so many pairs for each pairing; raise ArgumentError if it cannot."""
    refuse_unready(store, pairs)
    if pairs is not None:
        store.extend(pairs)
    return store


def refuse_unready(store: Store, pairs: int | None = None) -> None:
    """Raise ArgumentError where `prepare` would, without planning anything."""
    plan = store.plan()
    if names := find_changed(plan.players):
        raise ArgumentError(
            f"{store.name}: {' and '.join(names)} changed since the tournament began; games of two different players "
            "are not one player's. Undo the change, or begin another tournament with another --keep"
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
        f"{name} {_format_setting(there[name])} (asked for: {_format_setting(wanted[name])})"
        for name in there
        if there[name] != wanted[name]
    ]
    if differ:
        raise ArgumentError(f"{store.name} holds another tournament: {'; '.join(differ)}. Give another --keep")
    before = {player.name: player.digest for player in store.players()}
    if names := [player.name for player in plan.players if player.digest != before[player.name]]:
        raise ArgumentError(
            f"{store.name}: {' and '.join(names)} changed since the tournament began. Give another --keep; `littlego "
            f"arena continue {quote(store.name)}` goes on with patterns files as they were"
        )


def _settings(plan: Plan) -> dict[str, object]:
    """Return what makes it this tournament, but for the number of pairs, which may grow."""
    return {
        "format": plan.format,
        "players": plan.names,
        "seed": plan.seed,
        "openings": plan.openings,
        "CPU limit": plan.cpu_limit,
        "hypothesis": plan.hypothesis,
        "ruleset": plan.ruleset,
        "minutes": plan.minutes,
        "plies": plan.plies,
    }


def _format_setting(value: object) -> str:
    if value is None:
        return "none"
    return ", ".join(value) if isinstance(value, tuple) and all(isinstance(one, str) for one in value) else str(value)


class Claims(AbstractContextManager["Claims"]):
    """The claims of this process on the pairs of a tournament; a context that gives them all back.

    file: the tournament's.
    """

    def __init__(self, file: Path):
        self.path = f"{file}-claims"
        require_posix("a tournament")
        with trying_to(f"write {short_name(self.path)}"):
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def take(self, pair: int) -> bool:
        """Claim a pair; return False where another process has it."""
        import fcntl  # missing on Windows

        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, pair)
        except (BlockingIOError, PermissionError):  # both are in use
            return False
        return True

    def leave(self, pair: int) -> None:
        """Give a claim back."""
        import fcntl

        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, pair)

    def remove(self) -> None:
        """Remove the side file: nothing is left to claim."""
        with suppress(OSError):
            os.unlink(self.path)


def play_on(store: Store, jobs: int, scheduler: str | None = None, show: Callable[[], None] = lambda: None) -> int:
    """Play what is missing until the tournament is complete or its test decided; return how many pairs that took.

    `show` is called after each pair. Pairs that other processes play are waited for, and played here should their
    process end; pairs that others plan meanwhile are played too. Raise ArgumentError where a player changes meanwhile:
    what was played with it is not kept; and where another process already plays one that has a single folder.
    """
    plan = store.plan()
    alone = any(map(one_at_a_time, plan.players))
    if alone and scheduler:
        raise ArgumentError("a player with cwd= has only one folder: leave out --scheduler")
    jobs, play = 1 if alone else jobs, partial(play_pair_far, mode=sandbox.mode()) if scheduler else play_pair
    test = SequentialTest(store, plan.hypothesis) if plan.hypothesis else None
    played = 0
    with Claims(store.path) as claims:
        if alone and not claims.take(MOST):  # beyond all pairs
            raise ArgumentError(
                f"another process plays {store.name}; a player with cwd= has only one folder: wait for it to end"
            )
        while not (test and test.decide()) and len(store.done()) < (plan := store.plan()).total:
            before = played
            with closing(each(play, _claim_missing(store, plan, claims), jobs, scheduler)) as pairs:
                for pair, result in pairs:
                    _refuse_changed(store, plan)
                    store.add(result)
                    claims.leave(pair.number)
                    played += 1
                    show()
                    if test and test.decide():
                        break
            if played == before:
                time.sleep(WAIT)
                show()
        claims.remove()
    return played


def _claim_missing(store: Store, plan: Plan, claims: Claims) -> Iterator[Pair]:
    """Yield the pairs that are missing and that nobody else plays, each once it is ours to play."""
    done = store.done()
    for pair in plan.all_pairs():
        if pair.number in done or not claims.take(pair.number):
            continue
        if store.has(pair.number):  # somebody else has just played it
            claims.leave(pair.number)
        else:
            yield pair


def _refuse_changed(store: Store, plan: Plan) -> None:
    if names := find_changed(plan.players):
        raise ArgumentError(
            f"{' and '.join(names)} changed while the tournament ran; what was played before is kept in {store.name}. "
            "Undo the change to go on, or begin another tournament"
        )


class SequentialTest:
    """The sequential test of a tournament, over its pairs in order as far as there is no gap."""

    def __init__(self, store: Store, hypothesis: Hypothesis):
        self.store = store
        self.hypothesis = hypothesis
        self.counts = [0] * 5
        self.length = 0  # pairs counted

    def decide(self) -> bool:
        """Count the pairs up to the first gap; return whether they decide the test, and keep the decision if so."""
        if self.store.decision():
            return True
        while pairs := self._next():
            for pair in pairs:
                self.counts = [old + new for old, new in zip(self.counts, pentanomial(pair), strict=True)]
                self.length += 1
                if accepted := verdict(self.counts, self.hypothesis).accepted:
                    self.store.decide(self.length, accepted)
                    return True
        return False

    def _next(self) -> list[list[Result]]:
        """Return the games of the next pairs, up to PIECE of them and to the first gap."""
        games = self.store.results(self.length, self.length + PIECE)
        pairs = [games[start : start + 2] for start in range(0, len(games), 2)]
        return [pair for place, pair in enumerate(pairs, self.length) if pair[0].pair == place]
