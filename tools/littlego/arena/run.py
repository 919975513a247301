"""Tournament runs: starting, resuming and finishing a tournament with several processes or a cluster.

Pairs finish in any order. With deterministic players, the results depend only on the plan. A sequential test then stops
at the same pair in every run: the first pair N for which pairs 0 to N decide the test.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, suppress
from functools import partial
from pathlib import Path
from shlex import quote

from littlego.arena.elo import Hypothesis, verdict
from littlego.arena.plan import Pair, Plan
from littlego.arena.play import PlayedPair, are_same, is_repeatable, play_pair, play_pair_far
from littlego.arena.players import find_changed, one_at_a_time
from littlego.arena.results import Result, pentanomial
from littlego.arena.store import MOST, Store
from littlego.cache import digest
from littlego.cli.arguments import ArgumentError, check_target, require_posix, trying_to
from littlego.files import short_name
from littlego.knowledge.problems import plural
from littlego.match.series import SEEDS
from littlego.parallel import each
from littlego.sandbox import sandbox
from littlego.spot_checks import Check, Difference

FOLDER = Path("arena")  # the default folder for files, below the current folder
LONGEST = 40  # maximum characters of the players' names in a default file name
WAIT = 0.5  # seconds between two checks whether other processes have finished pairs
PIECE = 256  # maximum number of pairs read at once


def choose_file(plan: Plan, file: str | None = None) -> Path:
    """Return the path of a tournament's file; raise ArgumentError for an unusable path or too many pairs.

    Call this function before the slow check of the players. The folder of `file` must exist. If `file` is None, the
    function creates the default folder.
    """
    _refuse_too_many(plan)
    path = Path(file) if file else default_file(plan)
    if file is None:
        with trying_to(f"create the folder {FOLDER}"):
            FOLDER.mkdir(exist_ok=True)
    if not path.exists():
        check_target(path)
    return path


def begin(plan: Plan, path: Path) -> Store:
    """Return the store of a new tournament or, if the file exists, of the tournament in this file.

    Extend an existing tournament to the number of pairs in `plan`. Raise ArgumentError if the file contains another
    tournament, or under the conditions of refuse_unready.
    """
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
    """Extend the plan to `pairs` pairs for each pairing, and return the store.

    If `pairs` is None, the plan stays unchanged. Raise ArgumentError under the conditions of refuse_unready.
    """
    refuse_unready(store, pairs)
    if pairs is not None:
        store.extend(pairs)
    return store


def refuse_unready(store: Store, pairs: int | None = None) -> None:
    """Raise ArgumentError if a player changed or `pairs` is too small or too large."""
    plan = store.plan()
    if names := find_changed(plan.players):
        raise ArgumentError(
            f"{store.name}: {' and '.join(names)} changed since the tournament began; results of different versions "
            "cannot be combined. Undo the change, or start another tournament with another --keep file"
        )
    if pairs is not None and pairs < plan.pairs:
        raise ArgumentError(
            f"{store.name}: found --pairs {pairs}; expected at least {plan.pairs}, the planned number for each pairing"
        )
    if pairs is not None:
        _refuse_too_many(plan._replace(pairs=pairs))


def default_file(plan: Plan) -> Path:
    """Return the default path of a tournament's file. The same plan with the same players gives the same path."""
    names = re.sub(r"[^\w.-]+", "-", "-".join(plan.names), flags=re.ASCII)[:LONGEST].strip("-.")
    key = digest(repr(_settings(plan)), *(player.digest for player in plan.players))[:8]
    return FOLDER / f"{plan.format}-{names}-{key}.sqlite"


def _refuse_too_many(plan: Plan) -> None:
    """Raise ArgumentError if the plan needs more seeds than one value of --seed provides."""
    if plan.total > SEEDS:
        raise ArgumentError(f"{plan.total:,} pairs in all; expected at most {SEEDS:,}: choose a smaller --pairs")


def _refuse_other(store: Store, plan: Plan) -> None:
    there, wanted = _settings(store.plan()), _settings(plan)
    differ = [
        f"{name} {_format_setting(there[name])} (requested: {_format_setting(wanted[name])})"
        for name in there
        if there[name] != wanted[name]
    ]
    if differ:
        raise ArgumentError(
            f"{store.name} contains another tournament: {'; '.join(differ)}. Choose another --keep file"
        )
    before = {player.name: player.digest for player in store.players()}
    if names := [player.name for player in plan.players if player.digest != before[player.name]]:
        raise ArgumentError(
            f"{store.name}: {' and '.join(names)} changed since the tournament began. Choose another --keep file, or "
            f"run `littlego arena continue {quote(store.name)}` to resume with the original patterns files"
        )


def _settings(plan: Plan) -> dict[str, object]:
    """Return the settings that identify the tournament, as {name: value}.

    The result omits only the number of pairs, because this number can increase. It represents the players by their
    names.
    """
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
    return ", ".join(value) if isinstance(value, tuple) and all(isinstance(item, str) for item in value) else str(value)


class Claims(AbstractContextManager["Claims"]):
    """The claims of this process on pairs of a tournament. Leaving the context releases all claims.

    file: the tournament's file.
    """

    def __init__(self, file: Path):
        self.path = f"{file}-claims"
        require_posix("a tournament")
        with trying_to(f"write {short_name(self.path)}"):
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def take(self, pair: int) -> bool:
        """Claim a pair and return True; return False if another process has claimed it."""
        import fcntl  # missing on Windows

        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, pair)
        except (BlockingIOError, PermissionError):  # both errors mean that another process holds the lock
            return False
        return True

    def take_all(self, tournament: str) -> None:
        """Claim a whole tournament; raise ArgumentError if another process is playing it."""
        if not self.take(MOST):  # a number above all pairs
            raise ArgumentError(
                f"another process is playing {tournament}, and a player with cwd= can play only one game at a time: "
                "wait until that process ends"
            )

    def leave(self, pair: int) -> None:
        """Release a claim."""
        import fcntl

        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, pair)

    def remove(self) -> None:
        """Remove the claims file. Call this method when no pair is claimed."""
        with suppress(OSError):
            os.unlink(self.path)


def play_on(
    store: Store,
    jobs: int,
    scheduler: str | None = None,
    show: Callable[[], None] = lambda: None,
    share: float = 0.0,
) -> int:
    """Play pairs until no pair is missing or the test is decided. Return the number of pairs that this call played. If
    another process has claimed a pair, this call plays the pair only if that process ends without playing it. Pairs
    added during the run are also played. scheduler: the address of a cluster's scheduler, None for this machine. show:
    a function to call after each pair and while waiting for other processes. share: the probability, 0 to 1, that a
    second worker replays a repeatable pair; if above 0, a second worker always replays each worker's first such pair.
    If a replay shows that a worker is faulty, all its pairs are replayed. Raise ArgumentError if a player changes
    during the run, or has a work folder (cwd=) while `scheduler` is given or another process plays the tournament.
    """
    plan = store.plan()
    alone = any(map(one_at_a_time, plan.players))
    if alone and scheduler:
        raise ArgumentError("a player with cwd= needs its folder on this machine: omit --scheduler")
    jobs, play = 1 if alone else jobs, partial(play_pair_far, mode=sandbox.mode()) if scheduler else play_pair
    test = SequentialTest(store, plan.hypothesis) if plan.hypothesis else None
    check = Check(share, are_same, is_repeatable, partial(_set_apart, store))
    played = 0
    with Claims(store.path) as claims:
        if alone:
            claims.take_all(store.name)
        while not (test and test.decide()) and len(store.done()) < (plan := store.plan()).total:
            before = played
            with closing(each(play, _claim_missing(store, plan, claims), jobs, scheduler, check)) as pairs:
                for _, result in pairs:
                    _keep(store, plan, claims, result)
                    played += 1
                    show()
                    if test and test.decide():
                        break
            if played == before:
                time.sleep(WAIT)
                show()
        claims.remove()
    return played


def _keep(store: Store, plan: Plan, claims: Claims, result: PlayedPair) -> None:
    _refuse_changed(store, plan)
    store.add(result)
    claims.leave(result.number)


def _set_apart(store: Store, difference: Difference) -> None:
    """Exclude all pairs of each worker that played the compared pair wrongly.

    Print a message for each of these workers. If the games of the compared pair are not repeatable, exclude no pairs
    and only print a message.
    """
    pair = f"pair {difference.item.number}"
    if not difference.repeatable:
        print(
            f"{pair}: three runs gave different games, so the players are not deterministic",
            file=sys.stderr,
            flush=True,
        )
        return
    for worker in difference.wrong:
        number = store.set_apart(worker)
        print(
            f"the worker at {worker} played {pair} differently from this process: {plural(number, 'pair')} of this "
            f"worker {'is' if number == 1 else 'are'} excluded and replayed elsewhere; restart the worker, see "
            "docs/cluster.md",
            file=sys.stderr,
            flush=True,
        )


def _claim_missing(store: Store, plan: Plan, claims: Claims) -> Iterator[Pair]:
    """Claim and yield the missing pairs that no other process is playing."""
    done = store.done()
    for pair in plan.all_pairs():
        if pair.number in done or not claims.take(pair.number):
            continue
        if store.has(pair.number):  # another process has just played the pair
            claims.leave(pair.number)
        else:
            yield pair


def _refuse_changed(store: Store, plan: Plan) -> None:
    if names := find_changed(plan.players):
        raise ArgumentError(
            f"{' and '.join(names)} changed while the tournament ran; earlier games are saved in {store.name}. "
            "Undo the change to resume, or start another tournament"
        )


class SequentialTest:
    """A sequential test that evaluates a tournament's pairs in order, up to the first missing pair."""

    def __init__(self, store: Store, hypothesis: Hypothesis):
        self.store = store
        self.hypothesis = hypothesis
        self.counts = [0] * 5
        self.length = 0  # pairs counted
        self.apart: list[tuple[str, int]] = []

    def decide(self) -> bool:
        """Return whether the pairs before the first missing pair decide the test, and store a new decision."""
        if self.store.decision():
            return True
        if self.apart != (apart := self.store.apart()):  # counted pairs may have been excluded in the meantime
            self.counts, self.length, self.apart = [0] * 5, 0, apart
        while pairs := self._next():
            for pair in pairs:
                self.counts = [old + new for old, new in zip(self.counts, pentanomial(pair), strict=True)]
                self.length += 1
                if accepted := verdict(self.counts, self.hypothesis).accepted:
                    self.store.decide(self.length, accepted)
                    return True
        return False

    def _next(self) -> list[list[Result]]:
        """Return the games of at most PIECE further pairs, one list per pair, up to the first missing pair."""
        games = self.store.results(self.length, self.length + PIECE)
        pairs = [games[start : start + 2] for start in range(0, len(games), 2)]
        return [pair for place, pair in enumerate(pairs, self.length) if pair[0].pair == place]
