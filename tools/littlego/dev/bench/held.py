"""The cost of the sandbox, measured on turns of our player, which runs as an external program."""

from __future__ import annotations

import statistics
import time
from typing import Any, NamedTuple

from littlego.match.host import OUR_PLAYER
from littlego.match.protocol import Turn
from littlego.match.student_programs import player_of, program_at
from littlego.parallel import with_progress
from littlego.sandbox import sandbox
from littlego.submission.turns import Given

MODES = sandbox.NONE, sandbox.BWRAP


class Held(NamedTuple):
    """Median elapsed time and CPU time of a turn in ms, each as (without sandbox, with sandbox)."""

    turns: int
    wall: tuple[float, float]
    cpu: tuple[float, float]


def measure_held(turns: list[Given]) -> Held:
    """Return the median times of the turns with and without the sandbox.

    An unmeasured turn runs first and caches the bytecode.
    """
    before = sandbox.asked()
    wall: dict[str, list[float]] = {mode: [] for mode in MODES}
    cpu: dict[str, list[float]] = {mode: [] for mode in MODES}
    player = player_of(program_at(OUR_PLAYER))
    try:
        for number, given in enumerate(with_progress([turns[0], *turns], len(turns) + 1, "turn")):
            for mode in MODES:
                sandbox.use(mode)
                started = time.perf_counter()
                reply = player.choose(Turn(given.position(), given.previous))
                if number:
                    wall[mode].append(time.perf_counter() - started)
                    cpu[mode].append(reply.cpu)
    finally:
        sandbox.use(before)
        player.close()
    of_wall, of_cpu = ([1000 * statistics.median(times[mode]) for mode in MODES] for times in (wall, cpu))
    return Held(len(turns), (of_wall[0], of_wall[1]), (of_cpu[0], of_cpu[1]))


def held_line(held: Held) -> str:
    """Return a line of text that compares a turn's elapsed time and CPU time with and without the sandbox."""
    (bare, boxed), (bare_cpu, boxed_cpu) = held.wall, held.cpu
    return (
        f"A turn in the sandbox, medians of {held.turns} turns: {boxed / bare:.2f}x the elapsed time ({boxed:.1f} "
        f"against {bare:.1f} ms), {boxed_cpu / bare_cpu:.2f}x the counted CPU time ({boxed_cpu:.1f} against "
        f"{bare_cpu:.1f} ms)"
    )


def held_json(held: Held) -> dict[str, Any]:
    """Return the measurements as a JSON object, with times in ms."""
    return {
        "turns": held.turns,
        "wall": dict(zip(MODES, held.wall, strict=True)),
        "cpu": dict(zip(MODES, held.cpu, strict=True)),
    }
