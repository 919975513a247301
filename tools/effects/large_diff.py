"""What an edit of the patterns for large boards changes: the decisions in kept games that come out otherwise.

The decisions on record are tools/data/match_decisions.txt: a line for each position of a sample, named by its game and
the number of the move to make, with the move that the player is known to play there. The games are those that
`littlego selfplay` has kept; a position of none of them is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rules.engine import Decision, Firing
from rules.geometry import Point
from rules.position import PASS, Position
from tools.arguments import ArgumentError, trying_to
from tools.cache import Cache, digest
from tools.data import ENGINE_GAMES, FOLDER
from tools.draw.boards import move_text
from tools.effects.books import Knowledge, book_of_lines, read_knowledge
from tools.effects.changes import ALONE, DECIDES, TOGETHER, Change
from tools.effects.diff import CACHE, SNAPSHOT, Diff, find_edits
from tools.effects.large_survey import BATCH, Places, sampled_places
from tools.files import LARGEST_SERIES, read_limited, short_name, write_text
from tools.large.engine import decide_large
from tools.match.packed_games import game_digest, read_packed
from tools.match.records import parse_point
from tools.meaning import meaning_of
from tools.parallel import each, with_progress
from tools.reasons.contrast import contrast
from tools.reasons.foresight import Foresight

MATCH_DECISIONS = FOLDER / "match_decisions.txt"
RECORDED_POSITIONS = 300  # of each board size
MAKERS = ("HEAD:patterns.match.txt", "patterns.match.txt")  # patterns that may have made the decisions on record
HEADER = "# Decisions on record: game:move number, move. See tools/effects/large_diff.py.\n"
_NAME = re.compile(r"([0-9a-f]{12}):([1-9]\d{0,4})")
Moves = dict[str, Point]  # by what each position is called


def read_moves(path: Path = MATCH_DECISIONS) -> dict[str, str]:
    """Return the moves on record as texts, by what their positions are called; raise ArgumentError."""
    with trying_to(f"read {short_name(path)}"):
        text = read_limited(path, LARGEST_SERIES).decode("utf-8", "replace")
    moves = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith("#"):
            words = line.split()
            if len(words) != 2 or not _NAME.fullmatch(words[0]):
                wanted = "expected a game:move number and a move, as `0123456789ab:57 4,4`"
                raise ArgumentError(f"{short_name(path)}:{number}: not a decision on record; {wanted}")
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


def record_moves(knowledge: Knowledge, most: int, jobs: int, games: Path = ENGINE_GAMES) -> dict[str, str]:
    """Return what patterns play in a sample of kept games, so many positions of each size, as a record has it."""
    places = [one for some in sampled_places(read_packed(games), most).values() for one in some]
    sizes = {name: one.game.ruleset.size for one in places for name in one.names}
    moves = decided(knowledge, places, jobs)
    return {name: move_text(move, sizes[name]) for name, move in moves.items()}


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
    cache, code = Cache(CACHE), meaning_of("tools.large.engine")
    batches = [Places(one.game, one.plies[at : at + BATCH]) for one in places for at in range(0, len(one.plies), BATCH)]
    keys = {batch: digest("match", code, "\n".join(knowledge.lines), *batch.names) for batch in batches}
    known = {batch: cache.get(key) for batch, key in keys.items()}
    missing = [batch for batch, moves in known.items() if moves is None]
    decider = _Decider(knowledge.lines, knowledge.ruleset)
    results = each(decider, missing, max(1, min(jobs, len(missing))))
    for batch, moves in with_progress(results, len(missing), "batch"):
        known[batch] = moves
        cache.put(keys[batch], moves)
    return {name: move for batch in batches for name, move in zip(batch.names, known[batch] or (), strict=True)}


def diff_large(old: str, new: str, snapshot: Path, jobs: int, games: Path = ENGINE_GAMES) -> Diff:
    """Return what differs between two files of patterns for a match, by name, over kept games.

    old: or SNAPSHOT for the decisions on record, which the positions are then those of; else a sample. Raise
    ArgumentError for what cannot be read.
    """
    after = read_knowledge(new)
    if old == SNAPSHOT:
        recorded = read_moves(snapshot)
        places = places_named(recorded, games)
        sizes = {name: one.game.ruleset.size for one in places for name in one.names}
        moves = {name: _read_move(recorded[name], sizes[name], name) for name in sizes}
        before = _maker_of(moves, places, jobs)
    else:
        before = read_knowledge(old)
        places = [one for some in sampled_places(read_packed(games), RECORDED_POSITIONS).values() for one in some]
        moves = decided(before, places, jobs)
    return _compare(before, after, places, moves, decided(after, places, jobs))


def accept_in_match(diff: Diff, chosen: Sequence[Change], snapshot: Path) -> int:
    """Put these changes on record; return how many moves that changed. Raise ArgumentError."""
    moves = read_moves(snapshot)
    for change in chosen:
        name = diff.names[change.number]
        moves[name] = move_text(change.after, diff.positions[change.number].ruleset.size)
    write_moves(moves, snapshot)
    return len(chosen)


def _read_move(text: str, size: int, name: str) -> Point:
    move = PASS if text == "PASS" else parse_point(text, size)
    if move is None:
        raise ArgumentError(f"{name}: the move {text} is not on the {size}x{size} board; make the record anew")
    return move


def _maker_of(moves: Moves, places: Sequence[Places], jobs: int) -> Knowledge | None:
    """Return patterns that play all that is on record, if they can be found."""
    for name in MAKERS:
        try:
            known = read_knowledge(name)
        except ArgumentError:  # no git here, or nothing committed
            continue
        if decided(known, places, jobs) == moves:
            return known
    return None


def _compare(before: Knowledge | None, after: Knowledge, places: Sequence[Places], old: Moves, new: Moves) -> Diff:
    edits = None if before is None else find_edits(before, after)
    decisive = [edit.id for edit in edits or () if edit.decisive]
    names = [name for one in places for name in one.names]
    wanted = {name for name in names if old[name] != new[name]}
    positions = dict(_positions(places))
    changes = [
        _change(number, positions[name], old[name], before, after, decisive)
        for number, name in enumerate(names)
        if name in wanted
    ]
    return Diff(before, after, edits, [positions[name] for name in names], changes, names=names)


def _positions(places: Sequence[Places]) -> Iterator[tuple[str, Position]]:
    for one in places:
        yield from zip(one.names, one.positions(), strict=True)


def _change(
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
