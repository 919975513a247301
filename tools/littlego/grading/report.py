"""Reports of a grading: text for an 80-column terminal, and JSON."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from littlego.cli.terminal import wrap_text
from littlego.grading.games import GAMES, Outcome
from littlego.grading.marks import Mark, RoleMark, StageMark, best
from littlego.match.referee import COLOURS, CPU_LIMIT
from littlego.match.series import count_kinds
from littlego.match.student_programs import LEFT_OUT, Program
from littlego.rules.position import BLACK, WHITE

MOST_TEXTS = 5  # maximum number of distinct faults, warnings or notes shown
HEAD = f"{'':21}{'won as Black':>13}{'as White':>10}{'rate':>9}{'points':>12}{'CPU s':>15}"
SHOWN = ("path", "name", "runs", "python", "modules", "left_out", "remarks")  # fields of a Program in JSON
LINE = "-" * len(HEAD)  # 80


class Grading(NamedTuple):
    """The results of grading a program, as input for the reports.

    name: the program's name in `littlego play`. factor: see games.Task. games: the number of games against each role.
    """

    program: Program
    name: str
    factor: float
    games: int
    marks: list[Mark]
    outcomes: list[Outcome]


def format_grading(grading: Grading) -> str:
    """Return the report of a grading as text."""
    counted = best(grading.marks)
    parts = (
        _format_head(grading),
        _format_table(counted, len(grading.marks)),
        _format_others(grading.marks, counted),
        _format_submit(counted),
        _format_time(grading),
        _format_troubles(grading.outcomes),
        _format_stalled(grading.outcomes),
        _format_lost_games(grading),
    )
    return "\n\n".join(filter(None, parts))


def format_number(points: Fraction) -> str:
    """Return points in short decimal form, such as 53.75 or 90."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def format_percent(rate: Fraction | None) -> str:
    """Return a rate as a percentage, such as 95%; `-` for None."""
    return "-" if rate is None else f"{float(100 * rate):.4g}%"


def _format_head(grading: Grading) -> str:
    program = grading.program
    lines = [f"{os.path.normpath(os.path.join(_folder(program), program.name))}, run by {program.runs}"]
    if grading.games != GAMES:
        lines.append(f"{grading.games} games against each role; the course plays {GAMES}")
    lines += [f"third-party modules: {describe_modules(program)}"] * bool(program.modules)
    lines += program.remarks
    if program.left_out:
        lines.append(f"{LEFT_OUT}: " + ", ".join(program.left_out))
    lines += [f"isolation: {how} ({games} games)" for how, games in _count_held(grading.outcomes).items()]
    return "\n".join([lines[0], *(wrap_text("  ", line, 2) for line in lines[1:])])


def describe_modules(program: Program) -> str:
    """Return a text that lists a program's third-party modules, each with its version or `(missing)`."""
    return ", ".join(
        f"{name} (missing)" if version is None else f"{name} {version}".strip() for name, version in program.modules
    )


def _count_held(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Return {description of the program's sandbox: number of games}.

    Games in which the program had no turn are omitted. Games without a description have the key `not recorded`.
    """
    held = Counter(outcome.held for outcome in outcomes if outcome.seconds)
    return {how or "not recorded": games for how, games in held.items()}


def _folder(program: Program) -> str:
    return os.path.dirname(program.path) if os.path.isfile(program.path) else program.path


def _format_table(mark: Mark, repetitions: int) -> str:
    which = f"Repetition {mark.repetition}, the best of {repetitions}" if repetitions > 1 else "One repetition"
    lines = [which + ("" if mark.complete else " (so far: games are missing)"), "", HEAD, LINE]
    for stage in mark.stages:
        roles = (_format_role(0 if place else stage.stage, role) for place, role in enumerate(stage.roles))
        lines += [*roles, *_format_stage(stage), LINE]
    return "\n".join([*lines, f"{'total':53}{_format_points(mark):>12}"])


def _format_role(stage: int, mark: RoleMark) -> str:
    black, white = (f"{mark.wins[colour]} of {mark.games[colour]}" for colour in (BLACK, WHITE))
    ties = f"  ties: {mark.ties}" if mark.ties else ""
    head = f"stage {stage}" if stage else ""
    won = f"{black:>13}{white:>10}{format_percent(mark.rate):>9}"
    return f"{head:8}{mark.role:13}{won}{_format_points(mark):>12}{mark.seconds:15,.1f}{ties}"


def _format_points(mark: RoleMark | StageMark | Mark) -> str:
    return f"{format_number(mark.points)} of {mark.most}"


def _format_stage(stage: StageMark) -> Iterator[str]:
    yield f"{'':8}{'together':45}{_format_points(stage):>12} {_format_clock(stage):>14}"
    if stage.late:
        without = sum((mark.points for mark in stage.roles), Fraction(0))
        yield f"{'':8}out of time: all points of the stage are lost ({format_number(without)} without the limit)"


def _format_clock(stage: StageMark) -> str:
    return f"{stage.seconds:,.0f} of {stage.limit:,}"


def _format_others(marks: Sequence[Mark], counted: Mark) -> str:
    others = [_format_other(mark) for mark in marks if mark is not counted and mark.played]
    if not others:
        return ""
    lines = wrap_text("", "The other repetitions: " + "; ".join(others) + ".")
    stages = zip(*(mark.stages for mark in marks), strict=True)
    each_best = sum((max(stage.points for stage in same) for same in stages), Fraction(0))
    if each_best > counted.points:
        lines += f"\nWith the best result of each stage: {format_number(each_best)}."
    return lines


def _format_other(mark: Mark) -> str:
    lost = [f"stage {stage.stage} out of time" for stage in mark.stages if stage.late]
    asides = lost if mark.complete else [*lost, "games are missing"]
    aside = f" ({', '.join(asides)})" if asides else ""
    return f"{mark.repetition}: {format_number(mark.points)} of {mark.most}{aside}"


def _format_submit(mark: Mark) -> str:
    """Return a text with the result of the course's `submit`.

    `submit` plays fewer games and has its own time limits.
    """
    lines = [f"Result of `submit`, which plays fewer games (repetition {mark.repetition}):"]
    for stage in mark.submit:
        games = sum(role.planned for role in stage.roles)
        rates = ", ".join(f"{role.role} {format_percent(role.rate)}" for role in stage.roles)
        late = ": out of time" if stage.late else ""
        lines += [
            f"  stage {stage.stage}, {games} games: {_format_points(stage)} points, {_format_clock(stage)} CPU s{late}",
            f"    {rates}",
        ]
    return "\n".join(lines)


def _format_time(grading: Grading) -> str:
    seconds = [second for outcome in grading.outcomes for second in outcome.seconds]
    if not seconds:
        return ""
    here = f", {grading.factor:g} times the measured seconds" if grading.factor != 1 else ""
    slowest, mean = _format_seconds(max(seconds)), _format_seconds(sum(seconds) / len(seconds))
    return wrap_text(
        "",
        f"CPU time of a move: slowest {slowest}, mean {mean}, limit {CPU_LIMIT:g} s. "
        f"All seconds are CPU seconds of the program{here}.",
    )


def _format_seconds(value: float) -> str:
    return f"{value:.3f} s" if value < 1 else f"{value:.1f} s"


def _format_troubles(outcomes: Sequence[Outcome]) -> str:
    """Return a text with lists of faults, warnings, error messages and created files.

    Each list starts with the most frequent entry.
    """
    parts = [
        _format_counts("Games lost through a fault", (format_fault(o) for o in outcomes if o.fault)),
        _format_counts("Games won through a fault of the role", (format_fault(o) for o in outcomes if o.failed)),
        _format_counts("Moves that a stricter host could reject", chain(*(o.warnings for o in outcomes))),
        _format_counts("Turns with an error message or a nonzero exit status", chain(*(o.notes for o in outcomes))),
        _format_counts("Files that the program created in its folder", chain(*(o.left for o in outcomes))),
    ]
    return "\n".join(filter(None, parts))


def _format_stalled(outcomes: Sequence[Outcome]) -> str:
    """Return a text about replayed turns and void games, which do not count against the program."""
    replayed, void = sum(outcome.replayed for outcome in outcomes), [o.void for o in outcomes if o.void]
    if not replayed:
        return ""
    lines = [wrap_text("", f"Turns replayed because of other work on the machine or a full disk: {replayed}.")]
    if void:
        lines.append(wrap_text("", f"Games not judged and not counted: {len(void)}; {void[0]}."))
    return "\n".join(lines)


def _format_counts(what: str, texts: Iterable[str]) -> str:
    counts = sorted(count_kinds(texts), key=lambda kind: -kind[1])
    if not counts:
        return ""
    lines = [f"{what}:", *(wrap_text(f"{count:6}  ", shown) for shown, count in counts[:MOST_TEXTS])]
    if len(counts) > MOST_TEXTS:
        lines.append(f"        and {len(counts) - MOST_TEXTS} other texts")
    return "\n".join(lines)


def format_fault(outcome: Outcome) -> str:
    """Return the description of the fault that lost a game, without the loser's colour."""
    return re.sub(f"^({'|'.join(COLOURS.values())}) lost: ", "", outcome.record["why"])


def _format_lost_games(grading: Grading) -> str:
    """Return a text that lists the games that were not won, with the commands that replay them."""
    lost = [outcome for outcome in grading.outcomes if not outcome.won and not outcome.void]
    if not lost:
        return "No game was lost." if grading.outcomes else ""
    groups: dict[tuple[str, int], list[Outcome]] = {}
    for outcome in sorted(lost, key=lambda outcome: outcome.game.seed):
        groups.setdefault((outcome.game.role, outcome.game.colour), []).append(outcome)
    lines = [f"Games not won: {len(lost)}. To replay a game, run the command with its seed:"]
    for (role, colour), outcomes in groups.items():
        lines += [
            "",
            f"  littlego play {players(grading.name, role, colour)} --seed SEED",
            *(wrap_text(f"    SEED {outcome.game.seed:<8}  ", _format_end(outcome)) for outcome in outcomes),
        ]
    return "\n".join(lines)


def players(name: str, role: str, colour: int) -> str:
    """Return the options of `littlego play` for a game of the program against a role."""
    black, white = (name, role) if colour == BLACK else (role, name)
    return f"--black {shlex.quote(black)} --white {shlex.quote(white)}"


def _format_end(outcome: Outcome) -> str:
    if outcome.fault:
        return format_fault(outcome)
    return "a tie" if outcome.tie else f"by {abs(outcome.record['lead']):g} ({outcome.record['why']})"


def grading_value(grading: Grading) -> dict[str, Any]:
    """Return the grading as a JSON value."""
    counted = best(grading.marks)
    return {
        "program": {key: getattr(grading.program, key) for key in SHOWN},
        "factor": grading.factor,
        "games": grading.games,
        "held": _count_held(grading.outcomes),
        "points": float(counted.points),
        "most": counted.most,
        "complete": all(mark.complete for mark in grading.marks),
        "best": counted.repetition,
        "repetitions": [
            {
                "repetition": mark.repetition,
                "points": float(mark.points),
                "complete": mark.complete,
                "grading": [_stage_value(stage) for stage in mark.stages],
                "submit": [_stage_value(stage) for stage in mark.submit],
            }
            for mark in grading.marks
        ],
        "outcomes": [{**outcome._asdict(), "game": outcome.game._asdict()} for outcome in grading.outcomes],
    }


def _stage_value(stage: StageMark) -> dict[str, Any]:
    return {
        "stage": stage.stage,
        "points": float(stage.points),
        "most": stage.most,
        "seconds": round(stage.seconds, 3),
        "limit": stage.limit,
        "late": stage.late,
        "roles": [
            {
                "role": mark.role,
                "black": {"wins": mark.wins[BLACK], "games": mark.games[BLACK]},
                "white": {"wins": mark.wins[WHITE], "games": mark.games[WHITE]},
                "ties": mark.ties,
                "rate": None if mark.rate is None else float(mark.rate),
                "points": float(mark.points),
                "most": mark.most,
                "seconds": round(mark.seconds, 3),
                "slowest": mark.slowest,
            }
            for mark in stage.roles
        ],
    }
