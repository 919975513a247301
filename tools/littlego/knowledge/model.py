"""Data classes for the contents of patterns.yaml: knowledge base, patterns and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from littlego.games.boards import board_rows, board_text, move_text
from littlego.games.kinds import DrawnExample
from littlego.games.little_go import game_of
from littlego.games.match import MatchPosition
from littlego.rules.geometry import around, flood, points_of
from littlego.rules.patternfile import Pattern
from littlego.rules.position import BLACK, PASS, Position
from littlego.rules.ruleset import Ruleset
from littlego.rules.turn import least_moves_made

NO_PATTERN = "(no pattern)"  # the class of a move without a deciding or supporting pattern
CLASSES = {
    "capture": "Take the opponent's stones, or set up their capture.",
    "escape": "Bring your stones out of atari.",
    "eye": "Make or keep eyes, or prevent the opponent's eyes.",
    "ko": "Take, win or avoid a ko.",
    "opening": "The first moves.",
    "connect": "Join your chains.",
    "cut": "Keep the opponent's chains apart.",
    "race": "Race between touching chains: the chain with more liberties wins.",
    "fill": "Fill points near the end, when each is worth a stone.",
    "avoid": "Warn against a move, or forbid it.",
    "edge": "Technique on the first and second lines.",
    "endgame": "The last moves, in which every stone counts.",
    "pass": "Pass.",
    "attack": "Reduce the liberties of the opponent's stones, or chase or weaken the stones.",
    "shape": "Give your stones a good shape.",
}
USUAL = 500  # the priority at which points decide
SCALE = 10.0  # a lead of this many points makes a move e times as likely to be the best
SUMMARY_TO_WRITE = "Say in one sentence what the move does, and why that is good."  # for `littlego new`
MATCHES, NO_MATCH, TODO_MATCH, TODO_NO_MATCH = "matches", "no_match", "todo_match", "todo_no_match"

Place = tuple[int, int]  # line and column in the file, from 1


@dataclass(frozen=True)
class Example:
    """A drawn position in which a pattern must fire or must not fire."""

    kind: str
    line: int  # the start of the example in its file, from 1
    column: int
    ruleset: Ruleset
    stones: tuple[int, int]  # masks of X, the side to move, and O
    previous: tuple[int, int] | None  # the masks before O's last move; None if this move does not matter
    move: int | None  # a point or PASS that the pattern must or must not play; None for any move
    moves_left: int
    colour: int  # the colour of X
    prisoners: tuple[int, int] | None = None  # held by X and O, on large boards; None if they follow from `previous`
    last: int | None = None  # the point of O's last move, on large boards; None if unknown
    own_last: int | None = None  # the point of X's last move, likewise

    @classmethod
    def of_position(cls, kind: str, position: Position, move: int | None) -> Example:
        """Return a position as an example, with `previous` only if the last move created a ko or was a pass."""
        stones, ruleset = (position.own, position.theirs), position.ruleset
        bare = cls(kind, 0, 0, ruleset, stones, None, move, position.left, position.colour)
        if isinstance(position, MatchPosition):
            held = by_colour(position.prisoners, position.colour)
            last, own_last = map(_point_of, (position.last, position.own_last))
            bare = replace(bare, prisoners=held if any(held) else None, last=last, own_last=own_last)
        befores = (replace(bare, previous=previous) for previous in boards_before(position))
        return next((one for one in (bare, *befores) if _same(one.position(), position)), bare)

    @property
    def must_fire(self) -> bool:
        return self.kind in (MATCHES, TODO_MATCH)

    @property
    def is_todo(self) -> bool:
        """Whether the example is expected to fail."""
        return self.kind in (TODO_MATCH, TODO_NO_MATCH)

    @property
    def asked(self) -> tuple[object, ...]:
        """The example's contents as a key, without the place in the file."""
        match = self.ruleset.name, self.prisoners, self.last, self.own_last
        return self.must_fire, self.stones, self.previous, self.move, self.moves_left, self.colour, *match

    def position(self) -> Position:
        """Return the example's position, in which X has the example's colour."""
        previous, held = (
            None if pair is None else by_colour(pair, self.colour) for pair in (self.previous, self.prisoners)
        )
        board = by_colour(self.stones, self.colour)
        drawn = DrawnExample(board, previous, self.colour, self.moves_left, held, self.last, self.own_last)
        return game_of(self.ruleset).example_position(drawn)

    def drawing(self) -> str:
        """Return a drawing of the board, with a move on the board in parentheses."""
        return board_text(self.ruleset.size, *self.stones, None if self.move == PASS else self.move)

    def text(self) -> str:
        """Return the example in the syntax of a patterns file, unindented.

        The text omits keys that have default values.
        """
        lines = ["- board: |", *self._rows(self.stones)]
        if self.move is not None:
            lines.append(f"  move: {move_text(self.move, self.ruleset.size).lower()}")
        if self.previous is not None:
            lines += ["  previous: |", *self._rows(self.previous)]
        if self.colour != BLACK:
            lines.append("  colour: white")
        if self.moves_left != most_left(self.ruleset, self.stones, self.colour):
            lines.append(f"  moves_left: {self.moves_left}")
        if self.last is not None and self.previous is None:
            lines.append(f"  last: {move_text(self.last, self.ruleset.size)}")
        if self.own_last is not None:
            lines.append(f"  own_last: {move_text(self.own_last, self.ruleset.size)}")
        if self.prisoners is not None:
            lines.append(f"  prisoners: [{self.prisoners[0]}, {self.prisoners[1]}]")
        if pass_stones := game_of(self.ruleset).distinctions.get("pass_stones"):
            lines.append(f"  pass_stones: {pass_stones}")
        return "\n".join(lines)

    def _rows(self, stones: tuple[int, int]) -> list[str]:
        return ["    " + " ".join(row) for row in board_rows(self.ruleset.size, *stones)]


def _point_of(move: int | None) -> int | None:
    return None if move == PASS else move


def boards_before(position: Position) -> Iterator[tuple[int, int]]:
    """Yield each possible board (own, theirs) before a last move that was a pass or a ko capture.

    For a position after any other move, the function yields nothing.
    """
    own, theirs, ko = position.own, position.theirs, position.ko
    if position.passed:
        yield own, theirs
    for taker in (1 << point for point in points_of(around(ko, position.grid) & theirs)):
        if flood(taker, theirs, position.grid) == taker and not around(taker, position.grid) & ~(own | theirs | ko):
            yield own | ko, theirs & ~taker


def _same(position: Position, other: Position) -> bool:
    return (position.ko, position.passed) == (other.ko, other.passed)


def most_left(ruleset: Ruleset, stones: tuple[int, int], colour: int) -> int:
    """Return the maximum number of moves left for the given stones, or 0 if games have no fixed length.

    stones: masks of X and O. colour: the colour of X, the side to move.
    """
    if not ruleset.length:
        return 0
    return ruleset.length - least_moves_made(*by_colour(stones, colour), colour)


def by_colour(boards: tuple[int, int], colour: int) -> tuple[int, int]:
    """Return (Black's value, White's value) for a pair (X's value, O's value). colour: the colour of X."""
    own, theirs = boards
    return (own, theirs) if colour == BLACK else (theirs, own)


@dataclass(frozen=True)
class KnownPattern:
    """A pattern as its author wrote it, with compiled expressions.

    For the first pattern of a sequence, `examples` contains all examples of the sequence, and `companions` contains the
    other patterns.
    """

    id: str
    kind: str
    summary: str
    priority: int
    rows: list[str]  # the diagram without spaces; [] without a diagram
    label_rows: list[str]  # aligned with `rows`, `.` for no label; [] without labels
    points: str  # a postfix program; the numbers in `table` are added to its value
    when: list[str]  # postfix programs, in evaluation order
    specificity: int
    passes: bool
    sacrifice: bool
    forbid: bool
    risk: bool
    rare: str  # the author's reason to keep a pattern that decides no move, or ''
    doubt: str
    tags: list[str]
    points_text: str  # as the author wrote the points; a table is on one line (see tables.Points)
    when_text: list[str]  # as the author wrote the conditions
    examples: list[Example]
    line: int  # from 1
    column: int  # from 1
    # The start of each key's value. There are also keys such as `labels A` for a label, and `when 0` for a condition.
    places: dict[str, Place] = field(default_factory=dict, compare=False, repr=False)
    rulesets: tuple[str, ...] = ()  # names of the rulesets that the pattern is for
    shared_points: tuple[str, str] | tuple[()] = ()  # (points, points_text) for other rulesets; () for the same points
    sequence: str = ""  # the id of the sequence that contains the pattern as a move
    companions: tuple[KnownPattern, ...] = field(default=(), compare=False, repr=False)
    table: str = ""  # the numbers by colour and phase, as in patterns.txt: see rules.programs.Table

    @property
    def entry(self) -> str:
        """The id of the entry in the file: the pattern's own id, or the id of its sequence."""
        return self.sequence or self.id

    def serves(self, ruleset: str) -> bool:
        """Return whether the pattern is for the ruleset with this name."""
        return ruleset in self.rulesets

    def as_shared(self) -> KnownPattern:
        """Return the pattern for the file of another ruleset: with the shared points and without examples."""
        points, points_text = self.shared_points or (self.points, self.points_text)
        table = "" if self.shared_points else self.table
        return replace(self, points=points, points_text=points_text, table=table, examples=[], companions=())

    @property
    def letters(self) -> str:
        """The labels' letters in the drawing's reading order, one for each labelled point."""
        return "".join(letter for row in self.label_rows for letter in row if letter.isalpha())

    @property
    def flags(self) -> str:
        """The flags in patterns.txt: f forbid, s sacrifice, k risk, p pass, r rare, or `-` if no flag is set."""
        flags = self.forbid, self.sacrifice, self.risk, self.passes, bool(self.rare)
        return "".join(letter for letter, is_set in zip("fskpr", flags, strict=True) if is_set) or "-"


def flags_of(pattern: Pattern | KnownPattern) -> tuple[bool, bool, bool]:
    """Return the flags of a pattern that affect decisions: (forbid, sacrifice, risk)."""
    return pattern.forbid, pattern.sacrifice, pattern.risk


@dataclass(frozen=True)
class KnowledgeBase:
    """The valid patterns of a file, in file order, and the shared patterns from another file."""

    filename: str
    ruleset: Ruleset
    source: str  # SHA-256 of the file's bytes, as hex
    patterns: list[KnownPattern] = field(default_factory=list)
    shared: list[KnownPattern] = field(default_factory=list)  # patterns of the shared file, without their examples
    phases: Mapping[str, int] = field(default_factory=dict)  # the least number of moves left in each phase, descending

    def ranked(self) -> list[KnownPattern]:
        """Return all patterns, including shared ones, as in patterns.txt: by descending priority, then by id."""
        return by_rank(self.patterns + self.shared)


def by_rank(patterns: Iterable[KnownPattern]) -> list[KnownPattern]:
    """Return patterns in the order of patterns.txt: highest priority first, then by id."""
    return sorted(patterns, key=lambda pattern: (-pattern.priority, pattern.id))
