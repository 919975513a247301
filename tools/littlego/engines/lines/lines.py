"""The lines of play that justify the answers of a firing pattern's facts.

A line consists of the moves that justify the answer of a look-ahead fact. The decorator `line_of_fact` declares the
line function of a fact, which returns the line. A line function has the same arguments as its fact, and is called only
if the fact's answer is not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.choosing import engine_for
from littlego.engines.lines.readers import Captures, Fights, Ladders, Walk, play_to_end
from littlego.rules.captures import capturable, indefensible
from littlego.rules.facts import OWN, THEIRS, after, ladder, other_side, taken_by
from littlego.rules.geometry import Point, around, count, flood, inverse, points_of
from littlego.rules.life import atari_chains
from littlego.rules.position import BLACK, PASS, WHITE, chains, played
from littlego.rules.programs import CALL, ask, mask_of_label, parse_program

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.engine import Candidate, Decision, Firing
    from littlego.rules.facts import State
    from littlego.rules.geometry import Mask
    from littlego.rules.programs import Call, Reading

FALLS, STANDS, ENDS = "falls", "stands", "ends"  # kinds of line: see Line


class ViewLine(NamedTuple):
    """A line in the orientation of the engine's view.

    kind: as in Line. stones, moves: as in Line, but as masks; the mask 0 is a pass. point: the move that the fact is
    about, or 0. by_mover: whether the mover of the position plays the first move of the line.
    """

    kind: str
    stones: Mask
    moves: tuple[Mask, ...]
    point: Mask = 0
    by_mover: bool = True


class Line(NamedTuple):
    """A line of play that justifies a fact's answer, with moves and stones as points of the position.

    kind: FALLS: the last move of the line captures the stones. STANDS: the move `point` saves the stones; the line
    begins with a pass instead of this move and shows how the stones are then captured. ENDS: the line ends the game.
    patterns: the ids of the firing patterns that use the fact. answer: the fact's answer. first: the colour that plays
    the first move, BLACK or WHITE. moves: points or PASS. point: the move that the fact is about, or None if there is
    no such move. captured: the number of stones that the last move captures.
    """

    kind: str
    patterns: tuple[str, ...]
    fact: str
    answer: int
    stones: tuple[Point, ...]
    first: int
    moves: tuple[Point, ...]
    point: Point | None
    captured: int


LINES: dict[str, Callable[..., ViewLine]] = {}  # name of a fact -> the function that returns its line


def line_of_fact(name: str) -> Callable[[Callable[..., ViewLine]], Callable[..., ViewLine]]:
    """Return a decorator that registers a function as the line function of the fact `name`."""

    def declared(function: Callable[..., ViewLine]) -> Callable[..., ViewLine]:
        LINES[name] = function
        return function

    return declared


def lines_of(candidate: Candidate, decision: Decision) -> list[Line]:
    """Return the lines of a candidate's firing patterns.

    The lines are sorted by the absolute value of the patterns' points, largest first. Patterns that use the same fact
    for the same stones or the same point share a line.
    """
    position = decision.position
    view = engine_for(position.ruleset).view(position)
    undo = inverse(view.turn)
    found: dict[tuple[str, tuple[Mask, ...]], tuple[Call, int, list[str]]] = {}
    for firing in sorted(candidate.firings, key=lambda firing: -abs(firing.points)):
        for call in _calls_with_lines(firing, view.reading):
            masks = _masks(call, view.reading, firing.cells)
            patterns = found.setdefault((call[0].__name__, masks), (call, firing.cells, []))[2]
            if firing.pattern.id not in patterns:
                patterns.append(firing.pattern.id)
    lines = []
    for (name, masks), (call, cells, patterns) in found.items():
        answer = ask(call, view.reading, cells)
        if answer:
            line = LINES[name](view.reading.state, *masks)
            lines.append(_on_board(line, tuple(patterns), name, answer, view.reading.state, undo))
    return lines


def _calls_with_lines(firing: Firing, reading: Reading) -> Iterator[Call]:
    """Yield the calls of facts with a line function, from the conditions and points of a firing's pattern."""
    letters = "".join(firing.pattern.label_rows).replace(".", "")
    for program in [*firing.pattern.when, firing.pattern.points]:
        if not LINES.keys().isdisjoint(program.split()):
            steps = parse_program(program, letters, reading.nowhere.bit_length())
            yield from (value for kind, value in steps if kind == CALL and value[0].__name__ in LINES)


def _masks(call: Call, reading: Reading, cells: int) -> tuple[Mask, ...]:
    """Return the masks that `ask` passes to a fact: the move, then the arguments.

    The mask of the move is 0 if the fact ignores moves.
    """
    _, after_the_move, arguments, _, _ = call
    move = reading.point_at[cells >> reading.move_shift & reading.nowhere] if after_the_move else 0
    return (move, *(mask_of_label(is_chain, shifts, reading, cells) for is_chain, shifts in arguments))


def _on_board(
    line: ViewLine, patterns: tuple[str, ...], name: str, answer: int, state: State, undo: tuple[Point, ...]
) -> Line:
    """Convert a ViewLine to a Line. undo: the table that maps points of the view to points of the board."""
    colour = state.colour if line.by_mover else BLACK + WHITE - state.colour
    moves = tuple(undo[move.bit_length() - 1] if move else PASS for move in line.moves)
    stones = tuple(sorted(undo[point] for point in points_of(line.stones)))
    point = undo[line.point.bit_length() - 1] if line.point else None
    return Line(line.kind, patterns, name, answer, stones, colour, moves, point, _captured(line, state))


def _captured(line: ViewLine, state: State) -> int:
    """Return the number of stones that the last move of a line captures."""
    own, theirs = (state.own, state.theirs) if line.by_mover else (state.theirs, state.own)
    taken = 0
    for move in line.moves:
        own, theirs, taken, _ = played(move, own, theirs, state.grid) if move else (own, theirs, 0, 0)
        own, theirs = theirs, own
    return count(taken)


def _largest(stones: Mask, state: State) -> Mask:
    """Return the largest connected part of a mask."""
    return max(chains(stones, state.grid), key=count)


# -- captures in a few moves -----------------------------------------------------------------------------------


def _line_of_fall(side: int, moves: int) -> Callable[[State, Mask, Mask], ViewLine]:
    """Return the line function of a fact that compares `fallen` after a move with `fallen` after a pass."""

    def line_of_fall(state: State, move: Mask, point: Mask) -> ViewLine:
        then, passed = after(state, point), after(state, 0)
        falling, would_fall = _falling(then, side, moves), _falling(passed, side, moves)
        taken = taken_by(state, point) if side == THEIRS else 0
        falling |= taken
        if count(falling) < count(would_fall):
            chain = _largest(would_fall & ~falling, passed)
            return ViewLine(STANDS, chain, (0, *_fall(chain, passed, side, moves)), point)
        chain = _largest(falling & ~would_fall, state)
        if chain & taken:
            return ViewLine(FALLS, chain, (point,), point)
        chain = flood(chain, then.own if side == OWN else then.theirs, state.grid)  # the move may join stones that fall
        return ViewLine(FALLS, chain, (point, *_fall(chain, then, side, moves)), point)

    return line_of_fall


def _falling(state: State, side: int, moves: int) -> Mask:
    """Return a mask of the stones that rules.facts.fallen counts.

    The mask contains the stones of `side` that can be captured if the mover's opponent moves next. side: OWN or THEIRS.
    moves: the maximum number of moves by the capturing side.
    """
    reading = capturable if side == OWN else indefensible
    return reading(state.theirs, state.own, state.ko, moves, state.grid, {})


def _fall(chain: Mask, state: State, side: int, moves: int) -> tuple[Mask, ...]:
    """Return the line in which a chain is captured if the mover's opponent moves next."""
    walk = Walk(Captures(state.grid), state.grid)
    play = walk.attack if side == OWN else walk.defence
    return play(chain, state.theirs, state.own, state.ko, moves)


LINES["takes_in_3"] = _line_of_fall(THEIRS, 3)
LINES["guards_in_3"] = _line_of_fall(OWN, 3)


@line_of_fact("snapback")
def _snapback(state: State, move: Mask, point: Mask) -> ViewLine:
    own, theirs, _, _ = played(point, state.own, state.theirs, state.grid)
    last = around(flood(point, own, state.grid), state.grid) & ~(own | theirs)
    theirs, own, _, _ = played(last, theirs, own, state.grid)
    chain = flood(last, theirs, state.grid)
    free = around(chain, state.grid) & ~(own | theirs)
    return ViewLine(FALLS, chain & state.theirs, (point, last, free), point)


@line_of_fact("played_out")
def _played_out(state: State, move: Mask, point: Mask) -> ViewLine:
    return ViewLine(ENDS, 0, play_to_end(state, (point,)), point)


# -- ladders ---------------------------------------------------------------------------------------------------


@line_of_fact("ladder")
def _ladder(state: State, move: Mask, chain: Mask) -> ViewLine:
    single, then = _largest(chain, state), after(state, move)
    if single & state.theirs & ~then.theirs:
        return ViewLine(FALLS, single, (move,), move)
    if single & state.theirs:
        line = _lost_in_ladder(single, then.theirs, then.own, then.ko, then)
    else:
        line = _caught_in_ladder(flood(single, then.own, then.grid), then.theirs, then.own, then.ko, then)
    return ViewLine(FALLS, single, (move, *line), move)


@line_of_fact("doomed")
def _doomed(state: State, move: Mask, chain: Mask) -> ViewLine:
    owner = other_side(state) if chain & state.theirs else state
    line = _lost_in_ladder(chain, owner.own, owner.theirs, owner.ko, owner)
    return ViewLine(FALLS, chain, line, by_mover=owner is state)


@line_of_fact("saves")
def _saves(state: State, move: Mask, point: Mask) -> ViewLine:
    saved, taken = 0, taken_by(state, point)
    for chain in atari_chains(state.own, state.theirs, state.grid):
        helps = around(chain, state.grid) & point | taken
        if helps and not ladder(state, point, chain):
            saved |= chain
    chain = _largest(saved, state)
    return ViewLine(STANDS, chain, (0, around(chain, state.grid) & ~(state.own | state.theirs)), point)


@line_of_fact("their_saves")
def _their_saves(state: State, move: Mask, point: Mask) -> ViewLine:
    return _saves(other_side(state), 0, point)._replace(by_mover=False)


@line_of_fact("catchable")
def _catchable(state: State, move: Mask, chain: Mask) -> ViewLine:
    single = _largest(chain, state)
    own, theirs, ko = (state.own, state.theirs, state.ko) if chain & state.theirs else (state.theirs, state.own, 0)
    line = _caught_in_ladder(single, own, theirs, ko, state)
    return ViewLine(FALLS, single, line, by_mover=bool(chain & state.theirs))


@line_of_fact("breaks_ladder")
def _breaks_ladder(state: LargeState, move: Mask, point: Mask) -> ViewLine:
    from littlego.engines.large.facts import chains_saved_from_ladders

    chain = _largest(sum(chains_saved_from_ladders(state, point)), state)
    return ViewLine(STANDS, chain, (0, *_caught_in_ladder(chain, state.theirs, state.own, 0, state)), point)


def _caught_in_ladder(target: Mask, own: Mask, theirs: Mask, ko: Mask, state: State) -> tuple[Mask, ...]:
    """Return the line in which the mover captures the opponent's chain in a ladder.

    See rules.life.catches.
    """
    reader = Ladders(state.grid)
    reader.prove(target, own, theirs, ko)
    return Walk(reader, state.grid).attack(target, own, theirs, ko)


def _lost_in_ladder(target: Mask, own: Mask, theirs: Mask, ko: Mask, state: State) -> tuple[Mask, ...]:
    """Return the line in which the mover loses a chain despite playing first: see rules.life.rescues."""
    reader = Ladders(state.grid)
    reader.prove_answers(target, own, theirs, ko)
    return Walk(reader, state.grid).defence(target, own, theirs, ko)


# -- fights on large boards ------------------------------------------------------------------------------------


@line_of_fact("capturable")
def _capturable(state: LargeState, move: Mask, chain: Mask) -> ViewLine:
    return _fight(state, chain)


@line_of_fact("lost")
def _lost(state: LargeState, move: Mask, chain: Mask) -> ViewLine:
    return _fight(state, chain, owner_first=True)


@line_of_fact("wins")
def _wins(state: LargeState, move: Mask, point: Mask) -> ViewLine:
    from littlego.engines.large.tactics import their_fights

    fights = [fight for fight in their_fights(state) if fight.attack & point and fight.defence]
    return _fight(state, max((fight.stones for fight in fights), key=count), point)


@line_of_fact("rescues")
def _rescues(state: LargeState, move: Mask, point: Mask) -> ViewLine:
    from littlego.engines.large.tactics import own_fights

    stones = max((fight.stones for fight in own_fights(state) if fight.defence & point), key=count)
    return ViewLine(STANDS, stones, (0, *_fight(state, stones).moves), point)


def _fight(state: LargeState, stones: Mask, point: Mask = 0, owner_first: bool = False) -> ViewLine:
    """Return the line of a fight over a chain in `stones`; if there are several, choose the largest chain.

    point: the attacker's first move, or 0 to use the move that the reading finds. owner_first: whether the stones'
    owner moves first; if True, the function considers only fights that the owner loses despite moving first. For
    fights, see tactics.fights_on.
    """
    from littlego.engines.large.tactics import QUIET, Search, own_fights, their_fights

    is_own, grid = bool(stones & state.own), state.grid
    fights = own_fights(state) if is_own else their_fights(state)
    chains_read = [fight.stones for fight in fights if fight.stones & stones and not (owner_first and fight.defence)]
    chain, search = max(chains_read, key=count), Search(grid)
    own, theirs, ko = (state.theirs, state.own, 0) if is_own else (state.own, state.theirs, state.ko)
    search.attack(chain, own, theirs, ko, QUIET, 0)
    reader = Fights(search)
    walk = Walk(reader, grid)
    if owner_first:
        owner_ko = state.ko if is_own else 0
        search.defences_that_save(chain, theirs, own, owner_ko)
        return ViewLine(FALLS, chain, walk.defence(chain, theirs, own, owner_ko, QUIET), by_mover=is_own)
    if not point:
        return ViewLine(FALLS, chain, walk.attack(chain, own, theirs, ko, QUIET), by_mover=not is_own)
    search.attacks_that_capture(chain, own, theirs, ko)
    then = after(state, point)
    if chain & ~then.theirs:
        return ViewLine(FALLS, chain, (point,), point)
    left = reader.spend(chain, then.theirs, then.own, QUIET)
    return ViewLine(FALLS, chain, (point, *walk.defence(chain, then.theirs, then.own, then.ko, left)), point)
