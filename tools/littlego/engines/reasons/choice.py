"""The choice among moves, and a small set of patterns that decides the choice.

The choice and the set are computed from a table of numbers. Once the firings are known, the choice of `rules.engine`
depends only on this small table. Therefore the choice without some patterns can be computed in a few microseconds,
without matching any pattern again. The functions use only indexing and integer arithmetic. The same source therefore
runs uncompiled with lists for single decisions, and compiled with arrays for many positions
(littlego.engines.compiled.reasons). This module runs on Python 3.7, like all code that build.sh uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from littlego.rules.engine import RISKED
from littlego.rules.safety import LOST_END

if TYPE_CHECKING:
    from typing_extensions import Protocol  # typing has Protocol from Python 3.8 on

    Standing = tuple[int, int, int, int, int]

    class Ints(Protocol):
        """Ints that are read by index: a list, an array, or values computed on access."""

        def __getitem__(self, __index: int) -> int: ...

    class Marks(Ints, Protocol):
        """Ints that are read and written by index: a list or an array."""

        def __setitem__(self, __index: int, __value: int) -> None: ...


# Kinds of difference between two moves: the other move is vetoed; both moves are vetoed and this move loses less;
# priority, points or specificity differ; only the order of the points on the board differs.
VETO, LOSS, PRIORITY, POINTS, SPECIFICITY, ORDER = range(6)
LOWEST = -(1 << 30)  # below every priority
MOST_TRIED = 9  # most patterns for which all subsets are tried


class Table(NamedTuple):
    """The data that a choice depends on; moves, firings and patterns are rows, numbered from 0.

    For each move: place (its rank in the order that breaks ties), loss (in stones, see rules.safety.Verdict),
    bare_priority, bare_points and bare_barred (the move's score without any pattern), and first (the row of the move's
    first firing). `first` has an extra last element, the number of firings. For each firing: pattern (the pattern's
    row) and points. For each pattern: priority, specificity, and the flags forbids, sacrifice and risk (0 or 1).
    """

    place: Ints
    loss: Ints
    bare_priority: Ints
    bare_points: Ints
    bare_barred: Ints
    first: Ints
    pattern: Ints
    points: Ints
    priority: Ints
    specificity: Ints
    forbids: Ints
    sacrifice: Ints
    risk: Ints


def standing(table: Table, move: int, out: Ints) -> Standing:
    """Return a move's (priority, points, specificity, barred, spared).

    The function ignores the patterns marked in `out`. barred: 1 if a pattern forbids the move, or if no pattern except
    `risk` patterns fires and the engine bars the move. spared: 1 if the move is allowed to lose stones. A move is
    spared if its leading pattern, which determines the move's priority and specificity, is a `sacrifice` pattern. A
    move that no pattern forbids is also spared if it loses exactly RISKED stones, a `risk` pattern has at least the
    move's priority, and a pattern without `risk` also fires. If a `risk` pattern spares the move, the points include
    the points of the `risk` patterns. See rules.engine.Candidate.judge.
    """
    priority, points, specificity, barred, spared, speaks = 0, 0, 0, 0, 0, 0
    price, reach = 0, LOWEST
    for k in range(table.first[move], table.first[move + 1]):
        pattern = table.pattern[k]
        if out[pattern]:
            continue
        if table.risk[pattern]:
            price += table.points[k]
            reach = max(reach, table.priority[pattern])
            continue
        points += table.points[k]
        barred |= table.forbids[pattern]
        higher = table.priority[pattern] - priority
        if not speaks or higher > 0 or (higher == 0 and table.specificity[pattern] > specificity):
            priority, specificity = table.priority[pattern], table.specificity[pattern]
            spared = table.sacrifice[pattern]
        speaks = 1
    if not speaks:
        return table.bare_priority[move], table.bare_points[move], 0, table.bare_barred[move], 0
    if reach > LOWEST and reach >= priority and not barred and not spared and table.loss[move] == RISKED:
        points, spared = points + price, 1
    return priority, points, specificity, barred, spared


def outranks(table: Table, move: int, other: int, out: Ints) -> bool:
    """Return whether a move outranks another move, ignoring the patterns marked in `out`.

    For the order of moves, see rules.engine.rank.
    """
    return _is_before(standing(table, move, out), table.place[move], standing(table, other, out), table.place[other])


def _is_before(mine: Standing, place: int, theirs: Standing, other_place: int) -> bool:
    for k in range(3):
        if mine[k] != theirs[k]:
            return mine[k] > theirs[k]
    return place < other_place


def _is_vetoed(standing: Standing, loss: int) -> bool:
    """Return whether a move is vetoed: see rules.engine.is_vetoed.

    standing: a result of the function `standing`. loss: the move's loss in stones.
    """
    return standing[3] != 0 or (loss > 0 and (loss >= LOST_END or not standing[4]))


def choose(table: Table, moves: int, out: Ints) -> int:
    """Return the row chosen from the rows in the mask `moves`, ignoring the patterns marked in `out`.

    As in rules.engine.best, the choice is the best-ranked move that is not vetoed, else the move with the smallest
    loss.
    """
    least, least_loss, least_barred = -1, 0, 0
    while moves:
        best, top = -1, (0, 0, 0, 0, 0)
        move, rest = 0, moves
        while rest:
            if rest & 1:
                mine = standing(table, move, out)
                if best < 0 or _is_before(mine, table.place[move], top, table.place[best]):
                    best, top = move, mine
            move, rest = move + 1, rest >> 1
        moves &= ~(1 << best)
        barred, loss = top[3], table.loss[best]
        if not _is_vetoed(top, loss):
            return best
        if least < 0 or loss < least_loss or (loss == least_loss and barred < least_barred):
            least, least_loss, least_barred = best, loss, barred
    return least


class Work(NamedTuple):
    """The arrays of a search for deciding patterns; each has one element for each pattern, initially 0.

    decides: 1 if leaving out only this pattern changes the choice. found: 1 if the pattern belongs to the smallest
    known set whose omission changes the choice. out: 1 if the pattern is currently left out. gains: the points that the
    pattern adds to the chosen move, minus the points that it adds to a rival.
    """

    decides: Marks
    found: Marks
    out: Marks
    gains: Marks


def find_patterns(table: Table, moves: int, chosen: int, patterns: int, work: Work) -> tuple[int, int]:
    """Find the patterns that each decide alone, else a small set of patterns that decide together.

    For each rival, the search leaves out the patterns that help the chosen move most against this rival. From the
    smallest of the resulting sets, the search removes each pattern that the change of the choice does not require. If
    at most MOST_TRIED patterns remain, the search tries all subsets and keeps the smallest subset whose omission
    changes the choice. A smaller set of other patterns may exist if points are negative, if patterns allow sacrifices,
    or if priorities differ.

    moves: the mask of the candidate rows. chosen: the chosen row. patterns: the number of patterns. Return (number of
    patterns marked in `work.found`, the row chosen without these patterns), or (0, -1) if the search finds no such
    patterns.
    """
    rest = moves & ~(1 << chosen)
    if not rest:
        return 0, -1
    runner = choose(table, rest, work.out)
    pattern, instead = _find_deciding(table, moves, chosen, runner, patterns, work)
    if pattern < 0:
        number, instead = _find_fewest(table, moves, chosen, runner, patterns, work)
        if not number:
            number, instead = _find_all(table, moves, chosen, patterns, work)
        return _reduced(table, moves, chosen, instead, number, patterns, work)
    work.found[pattern] = 1
    return 1, instead


def _find_deciding(table: Table, moves: int, chosen: int, runner: int, patterns: int, work: Work) -> tuple[int, int]:
    """Mark the patterns that decide alone, and return the best of these patterns.

    The marks are in `work.decides`. Return (best pattern, choice without this pattern), or (-1, -1) if no pattern
    decides alone. The best pattern is the pattern whose omission leads to the best-ranked move; on a tie, the pattern
    that helps the chosen move most. runner: the row of the choice among all other moves.
    """
    behind, place = standing(table, runner, work.out), table.place[runner]
    pick, instead, most = -1, -1, 0
    for pattern in range(patterns):
        work.out[pattern] = 1
        stays = _stays(table, moves, chosen, pattern, behind, place, work.out)
        other = chosen if stays else choose(table, moves, work.out)
        work.out[pattern] = 0
        work.decides[pattern] = int(other != chosen)
        if other == chosen:
            continue
        gain = points_of(table, chosen, pattern) - points_of(table, other, pattern)
        if pick < 0 or (gain > most if other == instead else outranks(table, other, instead, work.out)):
            pick, instead, most = pattern, other, gain
    return pick, instead


def _stays(table: Table, moves: int, chosen: int, pattern: int, behind: Standing, place: int, out: Ints) -> bool:
    """Return True if `chosen` certainly remains the choice without `pattern`, which is marked in `out`.

    Without the pattern, the chosen move must not be vetoed. The chosen move must also rank above every other move for
    which the pattern fires, and above the runner-up's standing with the pattern, given by `behind` and `place`.
    """
    mine = standing(table, chosen, out)
    if _is_vetoed(mine, table.loss[chosen]) or not _is_before(mine, table.place[chosen], behind, place):
        return False
    move, rest = 0, moves
    while rest:
        if rest & 1 and move != chosen:
            for k in range(table.first[move], table.first[move + 1]):
                if table.pattern[k] == pattern:
                    if not _is_before(mine, table.place[chosen], standing(table, move, out), table.place[move]):
                        return False
                    break
        move, rest = move + 1, rest >> 1
    return True


def points_of(table: Table, move: int, pattern: int) -> int:
    """Return the points that a pattern adds to a move, or 0 if the pattern does not fire for the move."""
    for k in range(table.first[move], table.first[move + 1]):
        if table.pattern[k] == pattern:
            return _counted(table, move, k)
    return 0


def _counted(table: Table, move: int, firing: int) -> int:
    """Return the points of a firing for a move.

    A firing of a `risk` pattern counts only if the move loses exactly RISKED stones.
    """
    return 0 if table.risk[table.pattern[firing]] and table.loss[move] != RISKED else table.points[firing]


def _find_fewest(table: Table, moves: int, chosen: int, runner: int, patterns: int, work: Work) -> tuple[int, int]:
    """Mark in `work.found` the smallest tried set of patterns whose omission changes the choice.

    For each rival, beginning with the runner-up, the function leaves out the patterns that help the chosen move most.
    Among sets of equal size, it prefers the set for the best-ranked rival. Return (size of the set, new choice), or
    (0, -1) if no set changes the choice.
    """
    fewest, against, instead = patterns + 1, -1, -1
    rival, rest = runner, moves & ~(1 << chosen)
    while rest:
        while not rest >> rival & 1:
            rival = rival + 1 if rest >> rival else 0
        rest &= ~(1 << rival)
        _clear(patterns, work.out)
        ranks_better = against >= 0 and outranks(table, rival, against, work.out)
        limit = fewest if ranks_better else fewest - 1
        _weigh(table, chosen, rival, patterns, work.gains)
        level = _next_level(table, chosen, -LOWEST)
        while True:
            number, other = _leave_out(table, moves, chosen, rival, level, patterns, limit, work)
            if number:
                fewest, against, instead, limit = number, rival, other, number - 1
                for pattern in range(patterns):
                    work.found[pattern] = work.out[pattern]
            if level == LOWEST:
                break
            level = _next_level(table, chosen, level)
    _clear(patterns, work.out)
    return (fewest, instead) if instead >= 0 else (0, -1)


def _find_all(table: Table, moves: int, chosen: int, patterns: int, work: Work) -> tuple[int, int]:
    """Mark all patterns in `work.found` if the choice without patterns differs from `chosen`.

    Return (number of patterns, choice without patterns), or (0, -1) if the choice is the same. Unlike _find_fewest,
    the function also leaves out patterns that cost points but allow a risk.
    """
    for pattern in range(patterns):
        work.out[pattern] = 1
    other = choose(table, moves, work.out)
    for pattern in range(patterns):
        work.out[pattern], work.found[pattern] = 0, int(other != chosen)
    return (patterns, other) if other != chosen else (0, -1)


def _reduced(
    table: Table, moves: int, chosen: int, instead: int, number: int, patterns: int, work: Work
) -> tuple[int, int]:
    """Reduce the set in `work.found`, if possible, to a smaller set whose omission changes the choice.

    Return the same values as find_patterns.

    A smaller set exists only in rare cases, for example if a pattern hides a sacrifice or lowers another move's score.
    """
    number, instead = _without_the_needless(table, moves, chosen, instead, number, patterns, work)
    at = 0
    for pattern in range(patterns):
        if work.found[pattern]:
            work.gains[at] = pattern
            at += 1
    for size in range(2, number if number <= MOST_TRIED else 0):
        for some in range(1 << number):
            left_out = 0
            for k in range(number):
                left_out += some >> k & 1
            if left_out != size:
                continue
            for k in range(number):
                work.out[work.gains[k]] = some >> k & 1
            other = choose(table, moves, work.out)
            if other != chosen:
                for pattern in range(patterns):
                    work.found[pattern] = work.out[pattern]
                return size, other
    return number, instead


def _without_the_needless(
    table: Table, moves: int, chosen: int, instead: int, number: int, patterns: int, work: Work
) -> tuple[int, int]:
    """Unmark each pattern in `work.found` if omitting the other marked patterns changes the choice.

    The patterns are tried one by one. Return (number of patterns still marked, new choice).
    """
    for pattern in range(patterns):
        work.out[pattern] = work.found[pattern]
    for pattern in range(patterns):
        if work.found[pattern]:
            work.out[pattern] = 0
            other = choose(table, moves, work.out)
            if other != chosen:
                work.found[pattern], number, instead = 0, number - 1, other
            work.out[pattern] = work.found[pattern]
    _clear(patterns, work.out)
    return number, instead


def _clear(patterns: int, marks: Marks) -> None:
    for pattern in range(patterns):
        marks[pattern] = 0


def _weigh(table: Table, chosen: int, rival: int, patterns: int, gains: Marks) -> None:
    """Store in `gains` how many more points each pattern adds to the chosen move than to a rival."""
    _clear(patterns, gains)
    for k in range(table.first[chosen], table.first[chosen + 1]):
        gains[table.pattern[k]] += _counted(table, chosen, k)
    for k in range(table.first[rival], table.first[rival + 1]):
        gains[table.pattern[k]] -= _counted(table, rival, k)


def _next_level(table: Table, move: int, level: int) -> int:
    """Return the highest priority below `level` among a move's firings, or LOWEST if there is none."""
    best = LOWEST
    for k in range(table.first[move], table.first[move + 1]):
        priority = table.priority[table.pattern[k]]
        if best < priority < level:
            best = priority
    return best


def _leave_out(
    table: Table, moves: int, chosen: int, rival: int, level: int, patterns: int, limit: int, work: Work
) -> tuple[int, int]:
    """Mark patterns in `work.out` until another move is chosen; return (number of marks, new move).

    The result is (0, -1) if the limit is exceeded or no helpful pattern remains. First, the function marks the chosen
    move's patterns with a priority above `level`, and all patterns that forbid the rival. Then the function marks, one
    by one, the patterns that help the chosen move most.
    """
    _clear(patterns, work.out)
    for k in range(table.first[chosen], table.first[chosen + 1]):
        if table.priority[table.pattern[k]] > level:
            work.out[table.pattern[k]] = 1
    for k in range(table.first[rival], table.first[rival + 1]):
        if table.forbids[table.pattern[k]]:
            work.out[table.pattern[k]] = 1
    number = 0
    for pattern in range(patterns):
        number += work.out[pattern]
    while number <= limit:
        if not _holds_off(table, chosen, rival, work.out):
            other = choose(table, moves, work.out)
            if other != chosen:
                return number, other
        most = _most_helpful(table, patterns, work.out, work.gains)
        if most < 0:
            return 0, -1
        work.out[most] = 1
        number += 1
    return 0, -1


def _holds_off(table: Table, chosen: int, rival: int, out: Ints) -> bool:
    """Return whether the chosen move is not vetoed and outranks the rival.

    The function ignores the patterns marked in `out`.
    """
    mine = standing(table, chosen, out)
    theirs = standing(table, rival, out)
    return not _is_vetoed(mine, table.loss[chosen]) and _is_before(
        mine, table.place[chosen], theirs, table.place[rival]
    )


def _most_helpful(table: Table, patterns: int, out: Ints, gains: Ints) -> int:
    """Return the pattern with the largest positive gain, or -1 if no gain is positive.

    The function ignores the patterns marked in `out`. Ties go to the most specific pattern.
    """
    best = -1
    for pattern in range(patterns):
        if out[pattern] or gains[pattern] <= 0:
            continue
        more = gains[pattern] - gains[best] if best >= 0 else 1
        if more > 0 or (more == 0 and table.specificity[pattern] > table.specificity[best]):
            best = pattern
    return best


def kind_between(table: Table, chosen: int, rival: int, out: Ints) -> int:
    """Return the kind of difference between a chosen move and another move: a number from VETO to ORDER."""
    mine, theirs = standing(table, chosen, out), standing(table, rival, out)
    losses = table.loss[chosen], table.loss[rival]
    if _is_vetoed(theirs, losses[1]):
        if not _is_vetoed(mine, losses[0]):
            return VETO
        if losses[0] != losses[1] or mine[3] != theirs[3]:
            return LOSS
    for k in range(3):
        if mine[k] != theirs[k]:
            return PRIORITY + k
    return ORDER
