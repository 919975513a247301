"""What an edit of the patterns for large boards changes: the decisions in kept games that come out otherwise.

The decisions on record are tools/data/match_decisions.txt: a line for each position of a sample, named by its game and
the number of the move to make, with the move that the player is known to play there. The games are those that
`littlego dev selfplay` has kept; a position of none of them is told.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from rules.engine import Decision, Firing
from rules.geometry import Point
from rules.position import PASS, Position
from tools.arguments import ArgumentError, trying_to
from tools.cache import Cache, digest
from tools.data import ENGINE_GAMES, FOLDER
from tools.draw.boards import move_text
from tools.effects.changes import ALONE, DECIDES, TOGETHER, Change
from tools.effects.diff import CACHE, SNAPSHOT, Diff, find_edits
from tools.effects.large_edits import LargeEdits
from tools.effects.large_survey import Places, in_batches, sampled_places
from tools.files import LARGEST_SERIES, read_limited, short_name, write_text
from tools.knowledge.files import Knowledge, book_of_lines, read_knowledge
from tools.large.engine import decide_large
from tools.match.packed_games import game_digest, read_packed
from tools.match.records import parse_point
from tools.meaning import meaning_of
from tools.parallel import Returning, each, with_progress
from tools.reasons.contrast import contrast
from tools.reasons.foresight import Foresight

MATCH_DECISIONS = FOLDER / "match_decisions.txt"
RECORDED_POSITIONS = 300  # of each board size
FIRST_BATCHES = 4  # that are compared before twice as many, and so on
ALONE_UP_TO = 4  # changes whose reasons one process finds out; more are shared
MAKERS = ("HEAD:patterns.match.txt", "patterns.match.txt")  # patterns that may have made the decisions on record
HEADER = "# Decisions on record: game:move number, move. See tools/effects/large_diff.py.\n"
_NAME = re.compile(r"([0-9a-f]{12}):([1-9]\d{0,4})")
Moves = dict[str, Point]  # by what each position is called


def read_moves(path: Path = MATCH_DECISIONS) -> dict[str, str]:
    """Return the moves on record as texts, by what their positions are called; raise ArgumentError."""
    with trying_to(f"read {short_name(path)}"):
        text = read_limited(path, LARGEST_SERIES).decode("utf-8", "replace")
    return parse_moves(text, short_name(path))


def parse_moves(text: str, name: str) -> dict[str, str]:
    """Return the moves in the text of a record of that name, as read_moves has them; raise ArgumentError."""
    moves = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith("#"):
            words = line.split()
            if len(words) != 2 or not _NAME.fullmatch(words[0]):
                wanted = "expected a game:move number and a move, as `0123456789ab:57 4,4`"
                raise ArgumentError(f"{name}:{number}: not a decision on record; {wanted}")
            moves[words[0]] = words[1]
    return moves


def write_moves(moves: dict[str, str], path: Path = MATCH_DECISIONS) -> None:
    """Replace the file by these moves, whole or not at all; raise ArgumentError."""
    with trying_to(f"write {short_name(path)}"):
        write_text(path, HEADER + "".join(f"{name} {move}\n" for name, move in moves.items()))


def places_named(names: Iterable[str], games: Path = ENGINE_GAMES) -> list[Places]:
    """Return the places in kept games that these names call, game by game; raise ArgumentError for one of no game."""
    known = {game_digest(game)[:12]: game for game in read_packed(games)}
    wanted: dict[str, list[int]] = {}
    for name in names:
        game, _, number = name.partition(":")
        if game not in known or int(number) > len(known[game].moves):
            raise ArgumentError(f"{name}: no position of the games in {short_name(games)}; make the record anew")
        wanted.setdefault(game, []).append(int(number) - 1)
    return [Places(known[game], tuple(sorted(set(plies)))) for game, plies in wanted.items()]


def sample(games: Path, most: int) -> list[Places]:
    """Return places in kept games, so many positions of each board size, the smallest boards first."""
    return [one for places in sampled_places(read_packed(games), most).values() for one in places]


def record_moves(knowledge: Knowledge, most: int, jobs: int, games: Path = ENGINE_GAMES) -> dict[str, str]:
    """Return what patterns play in a sample of kept games, so many positions of each size, as a record has it."""
    places = sample(games, most)
    sizes = {name: one.game.ruleset.size for one in places for name in one.names}
    moves = decided(knowledge, places, jobs)
    return {name: move_text(move, sizes[name]) for name, move in moves.items()}


def moves_off_record(patterns: Path, record: Path, jobs: int) -> tuple[int, int]:
    """Return in how many positions on record patterns play another move, and how many there are.

    Raise ArgumentError.
    """
    recorded = read_moves(record)
    places = places_named(recorded)
    sizes = {name: one.game.ruleset.size for one in places for name in one.names}
    moves = decided(read_knowledge(patterns), places, jobs)
    others = [name for name, move in moves.items() if move_text(move, sizes[name]) != recorded[name]]
    return len(others), len(recorded)


@dataclass(frozen=True)
class _Decider:
    """Decides positions by the patterns of a file, in this process or another one that it is sent to."""

    lines: tuple[str, ...]
    ruleset: str

    def __call__(self, places: Places) -> list[Point]:
        book = book_of_lines(self.lines, self.ruleset)
        return [decide_large(position, book).move for position in places.positions()]


def decided(knowledge: Knowledge, places: Sequence[Places], jobs: int) -> Moves:
    """Return what patterns play in each position; what is known from an earlier run is not decided again."""
    batches = in_batches(places)
    found = dict(with_progress(deciding(knowledge, batches, jobs), len(batches), "batch"))
    return {name: move for batch in batches for name, move in zip(batch.names, found[batch], strict=True)}


def deciding(knowledge: Knowledge, batches: Sequence[Places], jobs: int) -> Iterator[tuple[Places, list[Point]]]:
    """Yield each batch with what patterns play there, in any order; first what an earlier run has kept."""
    cache, code = Cache(CACHE), meaning_of("tools.large.engine")
    keys = {batch: digest("match", code, "\n".join(knowledge.lines), *batch.names) for batch in batches}
    missing = []
    for batch, key in keys.items():
        moves = cache.get(key)
        if moves is None:
            missing.append(batch)
        else:
            yield batch, moves
    decider = _Decider(knowledge.lines, knowledge.ruleset)
    for batch, moves in each(decider, missing, max(1, min(jobs, len(missing)))):
        cache.put(keys[batch], moves)
        yield batch, moves


def moved(
    diff: Diff, places: Sequence[Places], known: Moves | None, jobs: int
) -> Iterator[tuple[int, int, list[tuple[int, Point, Point]]]]:
    """Yield (batches looked at, all, what comes out otherwise there: number of the position, move before, move after).

    diff: of `sides_of`; where it knows the patterns before, only positions are decided in which one that was edited
    fires. known: the moves before, by name; without them the old patterns tell.
    """
    old, new = diff.old, diff.new
    numbers = {name: number for number, name in enumerate(diff.names)}
    batches = in_batches(places if old is None else LargeEdits(old, new, diff.edits or ()).touched(places))
    of, done, start, size = len(batches) * (1 if known else 2), 0, 0, FIRST_BATCHES
    while start < len(batches):  # few at first, in this process: then something is known at once
        some, share = batches[start : start + size], jobs if start else 1
        start, size = start + size, 2 * size
        before = dict(known or {})
        for batch, moves in deciding(old, some, share) if old is not None and known is None else ():
            before.update(zip(batch.names, moves, strict=True))
            done += 1
            yield done, of, []
        for batch, moves in deciding(new, some, share):
            both = zip(batch.names, moves, strict=True)
            done += 1
            yield done, of, [(numbers[name], before[name], move) for name, move in both if before[name] != move]


class Step(NamedTuple):
    """How far a comparison is: done of `of`; and what it has found since the last step.

    moved: (number of the position, move before, move after) of decisions that come out otherwise; changes: some of
    those, with who is responsible.
    """

    done: int
    of: int
    moved: list[tuple[int, Point, Point]]
    changes: list[Change]


def sides_of(old: Knowledge | None, new: Knowledge, places: Sequence[Places]) -> Diff:
    """Return a Diff of the positions at these places in which nothing is compared yet."""
    edits = None if old is None else find_edits(old, new)
    positions = dict(_positions(places))
    names = [name for one in places for name in one.names]
    return Diff(old, new, edits, [positions[name] for name in names], [], names=names)


def compare_in_steps(diff: Diff, places: Sequence[Places], known: Moves | None, jobs: int) -> Iterator[Step]:
    """Find the changes of a Diff, which holds all in order in the end. known: as `moved` has it."""
    found: list[tuple[int, Point, Point]] = []
    done = of = 0
    for done, of, since in moved(diff, places, known, jobs):
        found += since
        yield Step(done, of, since, [])
    edited = tuple(edit.id for edit in diff.edits or () if edit.decisive)
    explain = _Explainer(_bare(diff.old), _bare(diff.new), edited)
    asked = [(number, diff.positions[number], before) for number, before, _ in sorted(found)]
    for number, (_, change) in enumerate(each(explain, asked, jobs if len(asked) > ALONE_UP_TO else 1), 1):
        diff.changes.append(change)
        yield Step(done + number, of + len(asked), [], [change])
    diff.changes.sort()


@dataclass(frozen=True)
class _Explainer:
    """Finds out who is responsible for a change, in this process or another one that it is sent to."""

    old: Knowledge | None
    new: Knowledge
    edited: tuple[str, ...]

    def __call__(self, asked: tuple[int, Position, Point]) -> Change:
        return large_change(*asked, self.old, self.new, self.edited)


def _bare(knowledge: Knowledge | None) -> Any:
    """Return the same patterns without what their author wrote, which other processes need not be sent."""
    return None if knowledge is None else replace(knowledge, known={})


def diff_large(old: str, new: str, snapshot: Path, jobs: int, games: Path = ENGINE_GAMES) -> Diff:
    """Return what differs between two files of patterns for a match, by name, over kept games.

    old: or SNAPSHOT for the decisions on record, which the positions are then those of; else a sample. Raise
    ArgumentError for what cannot be read.
    """
    after = read_knowledge(new)
    moves: Moves | None = None
    if old == SNAPSHOT:
        places, moves = moves_on_record(snapshot, games)
        maker = Returning(maker_in_steps(moves, places, jobs))
        for _ in maker:
            pass
        before = maker.result
    else:
        before, places = read_knowledge(old), sample(games, RECORDED_POSITIONS)
    diff = sides_of(before, after, places)
    for _ in with_progress(compare_in_steps(diff, places, moves, jobs), None, "part"):
        pass
    return diff


def accept_in_match(diff: Diff, chosen: Sequence[Change], snapshot: Path) -> int:
    """Put these changes on record; return how many moves that changed. Raise ArgumentError."""
    moves = read_moves(snapshot)
    for change in chosen:
        name = diff.names[change.number]
        moves[name] = move_text(change.after, diff.positions[change.number].ruleset.size)
    write_moves(moves, snapshot)
    return len(chosen)


def moves_on_record(snapshot: Path, games: Path = ENGINE_GAMES) -> tuple[list[Places], Moves]:
    """Return the places that a record has, and the moves there; raise ArgumentError."""
    recorded = read_moves(snapshot)
    places = places_named(recorded, games)
    sizes = {name: one.game.ruleset.size for one in places for name in one.names}
    return places, {name: _read_move(recorded[name], sizes[name], name) for name in sizes}


def _read_move(text: str, size: int, name: str) -> Point:
    move = PASS if text == "PASS" else parse_point(text, size)
    if move is None:
        raise ArgumentError(f"{name}: the move {text} is not on the {size}x{size} board; make the record anew")
    return move


def maker_in_steps(
    moves: Moves, places: Sequence[Places], jobs: int
) -> Generator[tuple[int, int], None, Knowledge | None]:
    """Yield how far it is, done and all; return patterns that play all that is on record, if they can be found."""
    batches = in_batches(places)
    for name in MAKERS:
        try:
            known = read_knowledge(name)
        except ArgumentError:  # no git here, or nothing committed
            continue
        for done, (batch, played) in enumerate(deciding(known, batches, jobs), 1):
            if [moves[one] for one in batch.names] != played:
                break
            yield done, len(batches)
        else:
            return known
    return None


def _positions(places: Sequence[Places]) -> Iterator[tuple[str, Position]]:
    for one in places:
        yield from zip(one.names, one.positions(), strict=True)


def large_change(
    number: int, position: Position, move: Point, old: Knowledge | None, new: Knowledge, edited: Sequence[str]
) -> Change:
    """Return a decision that differs, with the edits that are responsible."""
    after = decide_large(position, new.book)
    named = contrast(after).named
    if old is None:
        without = Foresight(after).moves_without()
        alone = tuple(sorted(name for name, other in without.items() if other == move))
        return Change(number, move, after.move, (), named, ALONE if alone else DECIDES, alone or named)
    before = decide_large(position, old.book)
    sides = (Foresight(before), _fired(before), before), (Foresight(after), _fired(after), after)
    differing = [name for name in edited if sides[0][1].get(name) or sides[1][1].get(name)]
    alone = tuple(name for name in sorted(differing) if _suffices(name, *sides) or _suffices(name, *reversed(sides)))
    why, who = (ALONE, alone) if alone else (TOGETHER, tuple(sorted(differing)))
    return Change(number, before.move, after.move, contrast(before).named, named, why, who)


Side = tuple[Foresight, dict[str, dict[Point, Firing]], Decision]


def _suffices(name: str, side: Side, other: Side) -> bool:
    """Return whether one pattern as the other side has it makes this side play the other side's move."""
    return side[0].move_with(name, other[1].get(name, {})) == other[2].move


def _fired(decision: Decision) -> dict[str, dict[Point, Firing]]:
    """Return the firings of each pattern, by move."""
    found: dict[str, dict[Point, Firing]] = {}
    for candidate in decision.candidates:
        for firing in candidate.firings:
            found.setdefault(firing.pattern.id, {})[candidate.move] = firing
    return found
