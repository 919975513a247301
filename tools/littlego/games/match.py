"""The match: Go with territory, prisoners, komi and superko; by default, a pass costs a stone.

The rules come from a course's 19x19 match (see docs/match.md). A *state* is a board and the side to move. A pass may
repeat a state. Any other move must not repeat an earlier state, including a state after a pass.
"""

from __future__ import annotations

import re
from functools import cache
from math import inf
from typing import TYPE_CHECKING

from littlego.games.kinds import (
    BoardSizeError,
    DrawnExample,
    Game,
    GamePosition,
    GameRuleset,
    Score,
    UnknownRulesetError,
)
from littlego.games.little_go import game_of
from littlego.games.sizes import LARGE_SIZES, MATCH_SIZES
from littlego.rules.geometry import Grid, Mask, Point, around, count, flood, make_grid, points_of
from littlego.rules.position import (
    BLACK,
    PASS,
    RESIGN,
    WHITE,
    Position,
    captured_by,
    chains,
    is_legal,
    legal_moves,
    liberties,
    played,
)
from littlego.rules.ruleset import SUPERKO

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlego.rules.position import Board

    State = tuple[Mask, Mask, int]

try:
    from rpds import HashTrieSet
except ImportError:  # the package is not available in a browser

    class HashTrieSet(frozenset):  # type: ignore[type-arg,no-redef]
        """An immutable set; `insert` copies all elements, which is fast enough for games of usual length."""

        def insert(self, state: State) -> HashTrieSet[State]:
            """Return a new set that also contains `state`."""
            return HashTrieSet([*self, state])


NAME = "match"
KOMI2 = 13  # half points
LARGEST_KOMI = 1000  # limit in points for komi options, positive or negative; a ruleset name may contain a larger komi
NO_PASS_STONES = "no-pass-stones"
_NAMED = re.compile(rf"{NAME}(?:-(\d\d?))?(-{NO_PASS_STONES})?(?:-komi(-?\d{{1,4}}(?:\.[05])?))?", re.ASCII)


class MatchRuleset(GameRuleset):
    """The ruleset of a match on one board size. pass_stones: whether a pass costs a stone."""

    __slots__ = ("pass_stones",)

    def __init__(self, size: int, komi2: int = KOMI2, pass_stones: bool = True) -> None:
        if not MATCH_SIZES.allow(size):
            raise BoardSizeError(f"a match on a board of size {size}: expected {MATCH_SIZES.text}")
        name = NAME if size == MATCH_SIZES.usual else f"{NAME}-{size}"
        name += "" if pass_stones else f"-{NO_PASS_STONES}"
        name += "" if komi2 == KOMI2 else f"-komi{komi2 / 2:g}"
        super().__init__(name, size, komi2, length=0, ko=SUPERKO, opening_pass_ends=False)
        self.pass_stones = pass_stones

    def __reduce__(self) -> tuple[Callable[..., MatchRuleset], tuple[int, int, bool]]:
        """Return the call that gets the ruleset from the cache during unpickling."""
        return match_rules, (self.size, self.komi2, self.pass_stones)

    def opening(self) -> MatchPosition:
        """Return the position with an empty board."""
        return self.start((0, 0), BLACK, (0, 0))

    def start(
        self,
        board: Board,
        colour: int,
        prisoners: tuple[int, int] = (0, 0),
        last: Point | None = None,
        own_last: Point | None = None,
    ) -> MatchPosition:
        """Return a position without history, from which a game starts.

        board: the masks of (Black's stones, White's stones). prisoners: the numbers of stones held by Black and by
        White. last, own_last: the last move of the opponent and of the side to move, if known.
        """
        seen: HashTrieSet[State] = HashTrieSet([(*board, colour)])
        grid = make_grid(self.size)
        return MatchPosition(self, board, colour, 0, last == PASS, prisoners, seen, 0, grid, last, own_last)


def last_move(before: Board, after: Board, mover: int) -> Point | None:
    """Return the move (a point or PASS) that leads from one board to another, or None if no move does.

    before, after: boards, each as the masks of (Black's stones, White's stones). mover: the colour that moves. The
    function does not check whether the captures are correct.
    """
    played = after[mover - 1] & ~before[mover - 1]
    if not played:
        return PASS if after == before else None
    return None if played & (played - 1) else played.bit_length() - 1


def match_rules(size: int = MATCH_SIZES.usual, komi2: int = KOMI2, pass_stones: bool = True) -> MatchRuleset:
    """Return the cached match ruleset; raise BoardSizeError for an unsupported size.

    komi2: the komi in half points.
    """
    return _match_rules(size, komi2, pass_stones)


@cache  # positional arguments only: the cache distinguishes `size=9` from `9`
def _match_rules(size: int, komi2: int, pass_stones: bool) -> MatchRuleset:
    return MatchRuleset(size, komi2, pass_stones)


def komi2_of(komi: float) -> int | None:
    """Return a komi in half points, or None for an invalid komi.

    A valid komi is a multiple of 0.5 from -LARGEST_KOMI to LARGEST_KOMI.
    """
    return round(2 * komi) if abs(komi) <= LARGEST_KOMI and 2 * komi % 1 == 0 else None


def match_named(name: str) -> MatchRuleset:
    """Return the match ruleset for a name; raise UnknownRulesetError for an unknown name."""
    named = _NAMED.fullmatch(name)
    if named is None:
        raise UnknownRulesetError(f"unknown ruleset {name[:40]!r}; expected a name such as little-go or match-9")
    size = int(named[1] or MATCH_SIZES.usual)
    return match_rules(size, round(2 * float(named[3])) if named[3] else KOMI2, not named[2])


class MatchPosition(GamePosition):
    """An immutable position of a match.

    prisoners: the numbers of stones held by Black and by White, including stones paid for passes. seen: the states so
    far, including the current state. plies: moves made since the start. `left` is 0, because the number of moves is
    unlimited. ko: a mask of the point where a simple ko prevents the mover from retaking a stone, or 0. `legal` ignores
    `ko`, because `seen` shows every repetition. last, own_last: the last move of the opponent and of the side to move,
    each a point or PASS, or None before the first move or if unknown.
    """

    __slots__ = ("prisoners", "seen", "plies", "last", "own_last", "_legal")
    ruleset: MatchRuleset

    def __init__(
        self,
        ruleset: MatchRuleset,
        board: Board,
        colour: int,
        ko: Mask,
        passed: bool,
        prisoners: tuple[int, int],
        seen: HashTrieSet[State],
        plies: int,
        grid: Grid,
        last: Point | None = None,
        own_last: Point | None = None,
    ) -> None:
        super().__init__(ruleset, *board, colour, ko, passed, left=0, grid=grid)
        self.prisoners = prisoners
        self.seen = seen
        self.plies = plies
        self.last = last
        self.own_last = own_last
        self._legal: Mask | None = None  # cache of legal()

    @property
    def number(self) -> int:
        """The number of the next move, from 1."""
        return self.plies + 1

    def legal(self) -> Mask:
        """Return a mask of the mover's legal points, excluding suicide and repetition. A pass is always legal."""
        if self._legal is None:
            alive = legal_moves(self.own, self.theirs, 0, self.grid)
            self._legal = alive & ~self._repeating_of(alive)
        return self._legal

    def allows(self, point: Point) -> bool:
        """Return whether the mover may play at a point, without computing all legal moves."""
        bit = 1 << point
        if self._legal is not None:
            return self._legal & bit != 0
        return is_legal(bit, self.own, self.theirs, 0, self.grid) and not self._repeating_of(bit)

    def _repeating_of(self, moves: Mask) -> Mask:
        """Return the subset of `moves` that would repeat a state.

        Before the first capture, the number of stones only grows, so playing a stone cannot repeat a state. After a
        capture, checking a move takes one set lookup.
        """
        if not self._has_captured():
            return 0
        takes = self._taking_points()
        repeating = 0
        for point in points_of(moves):
            bit = 1 << point
            own, theirs = self.own | bit, self.theirs
            if bit & takes:
                theirs &= ~captured_by(bit, self.own, self.theirs, self.grid)
            if self._state(own, theirs) in self.seen:
                repeating |= bit
        return repeating

    def _has_captured(self) -> bool:
        return any(self.prisoners)

    def _taking_points(self) -> Mask:
        """Return a mask of the points where the mover captures: the last liberties of opposing chains."""
        occupied, takes = self.own | self.theirs, 0
        for chain in chains(self.theirs, self.grid):
            free = liberties(chain, occupied, self.grid)
            if not free & (free - 1):
                takes |= free
        return takes

    def _state(self, own: Mask, theirs: Mask) -> State:
        """Return the state after the mover's move. own, theirs: the two sides' stones after the move."""
        colour = BLACK + WHITE - self.colour
        return (own, theirs, colour) if self.colour == BLACK else (theirs, own, colour)

    def play(self, move: Point) -> MatchPosition:
        """Return the position after a move: PASS or a legal point (legality is not checked)."""
        if move == PASS:
            ko, state, gained = 0, self._state(self.own, self.theirs), 0
            given = 1 if self.ruleset.pass_stones else 0
        else:
            own, theirs, taken, ko = played(1 << move, self.own, self.theirs, self.grid)
            state, gained, given = self._state(own, theirs), count(taken), 0
        mine, yours = self.colour - 1, 2 - self.colour
        prisoners = list(self.prisoners)
        prisoners[mine] += gained
        prisoners[yours] += given
        return MatchPosition(
            self.ruleset,
            state[:2],
            state[2],
            ko,
            move == PASS,
            (prisoners[0], prisoners[1]),
            self.seen.insert(state),
            self.plies + 1,
            self.grid,
            move,
            self.last,
        )

    def ends_with(self, move: Point) -> bool:
        """Return whether a legal move ends the game."""
        return move == RESIGN or (move == PASS and self.passed)

    def score(self) -> Score:
        """Return the Score that the players would have if the game ended now; no stone counts as dead."""
        return score_of(self.black, self.white, self.prisoners, self.grid)


def score_of(black: Mask, white: Mask, prisoners: tuple[int, int], grid: Grid) -> Score:
    """Return the Score of a board and the given prisoners; no stone counts as dead."""
    ours, theirs = territory(black, white, grid)
    return Score((count(black), count(white)), (count(ours), count(theirs)), prisoners)


def territory(black: Mask, white: Mask, grid: Grid) -> tuple[Mask, Mask]:
    """Return masks of Black's and of White's territory.

    A territory consists of the empty regions that touch stones of only one colour.
    """
    empty = grid[1] & ~(black | white)
    ours = theirs = 0
    while empty:
        region = flood(empty & -empty, empty, grid)
        empty ^= region
        beside = around(region, grid)
        if beside & black and not beside & white:
            ours |= region
        elif beside & white and not beside & black:
            theirs |= region
    return ours, theirs


class MatchGame(Game):
    """The match with one board size and one set of options."""

    __slots__ = ()
    ruleset: MatchRuleset
    name = NAME
    sizes = MATCH_SIZES
    pattern_sizes = LARGE_SIZES
    cpu_limit = inf  # only the game's clock limits the time for a move
    heading_end = ":\n"
    setup_property = "LGPR"  # prisoners
    katago = {"ko": "SITUATIONAL", "tax": "NONE"}

    @property
    def title(self) -> str:
        size, costs = self.ruleset.size, ", a pass hands over a stone" if self.ruleset.pass_stones else ""
        return f"A match on {size}x{size}, komi {self.komi}{costs}"

    @property
    def rules_text(self) -> str:
        size = self.ruleset.size
        given = "a pass costs a stone" if self.ruleset.pass_stones else "a pass costs no stone"
        return (
            f"The match on {size}x{size}: stones, territory and prisoners count; {given}.\n"
            "Situational superko, passes included; suicide is refused; two passes end the game; dead stones stay."
        )

    @property
    def terms(self) -> str:
        passing = "a pass hands a stone over as a prisoner" if self.ruleset.pass_stones else "a pass costs nothing"
        return (
            f"stones, territory and prisoners count, and White gets {self.komi}; nothing is removed as dead; two "
            f"passes end the game; {passing}; no stone may recreate an earlier board with the same player to move "
            "(situational superko)"
        )

    @property
    def options_text(self) -> str:
        options = {"komi": f" --komi {self.komi}", "pass_stones": " --no-pass-stones"}
        return f"--ruleset {NAME} --size {self.ruleset.size}" + "".join(options[name] for name in self.distinctions)

    @property
    def distinctions(self) -> dict[str, str]:
        komi = {} if self.ruleset.komi2 == KOMI2 else {"komi": self.komi}
        return komi if self.ruleset.pass_stones else {**komi, "pass_stones": "false"}

    def resized(self, size: int) -> MatchRuleset:
        return match_rules(size, self.ruleset.komi2, self.ruleset.pass_stones)

    def with_komi(self, komi: float) -> MatchRuleset:
        komi2 = komi2_of(komi)
        return self.ruleset if komi2 is None else match_rules(self.ruleset.size, komi2, self.ruleset.pass_stones)

    def with_options(self, size: int | None, komi: float | None, pass_stones: bool) -> MatchRuleset:
        if size is not None and not self.sizes.allow(size):
            raise ValueError(f"--size {size}: a match is played on boards of {self.sizes.text}")
        komi2 = KOMI2 if komi is None else komi2_of(komi)
        if komi2 is None:
            raise ValueError(
                f"--komi {komi:g}: expected a whole or a half number, such as 6.5, "
                f"from -{LARGEST_KOMI} to {LARGEST_KOMI}"
            )
        return match_rules(size or self.sizes.usual, komi2, pass_stones)

    def of_record(self, size: int, komi: str, pass_stones: bool) -> MatchRuleset:
        try:
            komi2 = komi2_of(float(komi.replace(",", "."))) if komi else KOMI2
        except ValueError:
            komi2 = None
        if komi2 is None:
            wanted = f"a multiple of 0.5 from -{LARGEST_KOMI} to {LARGEST_KOMI}"
            raise ValueError(f"the komi is KM[{komi[:20]}]; expected {wanted}")
        return match_rules(size, komi2, pass_stones)

    def without_pass_stones(self) -> MatchRuleset:
        return match_rules(self.ruleset.size, self.ruleset.komi2, pass_stones=False)

    def adopt(self, position: Position) -> MatchPosition:
        assert isinstance(position, MatchPosition)
        board, past = (position.black, position.white), (position.prisoners, position.seen, position.plies)
        moves = position.last, position.own_last
        return MatchPosition(
            self.ruleset, board, position.colour, position.ko, position.passed, *past, position.grid, *moves
        )

    def set_up(self, board: Board, colour: int, now: Position) -> MatchPosition:
        new = self.ruleset.start(board, colour, getattr(now, "prisoners", (0, 0)))
        past = new.prisoners, new.seen, getattr(now, "plies", 0)  # the set-up position has the current move number
        return MatchPosition(self.ruleset, board, colour, 0, False, *past, new.grid)

    def example_position(self, example: DrawnExample) -> MatchPosition:
        if example.before is None:
            moves = example.last, example.own_last
            return self.ruleset.start(example.board, example.colour, example.prisoners or (0, 0), *moves)
        other = BLACK + WHITE - example.colour
        move = last_move(example.before, example.board, other)
        assert move is not None, "one move must lead from `before` to `board`"
        after = self.ruleset.start(example.before, other).play(move)
        held = example.prisoners or after.prisoners
        earlier = held[0] - after.prisoners[0], held[1] - after.prisoners[1]
        return self.ruleset.start(example.before, other, earlier, example.own_last).play(move)

    def setup_value(self, start: Position) -> str:
        held: tuple[int, int] = getattr(start, "prisoners", (0, 0))
        return f"{held[0]}:{held[1]}" if any(held) else ""

    def set_up_from(self, board: Board, colour: int, value: str) -> MatchPosition:
        held = value or "0:0"
        if not re.fullmatch(r"\d{1,4}:\d{1,4}", held):
            wanted = "Black's and White's prisoners, such as 3:1"
            raise ValueError(f"found {self.setup_property}[{held[:20]}]; expected {wanted}")
        black, _, white = held.partition(":")
        return self.ruleset.start(board, colour, (int(black), int(white)))

    def _score(self, position: Position) -> Score:
        assert isinstance(position, MatchPosition)
        return position.score()

    def sums(self, position: Position) -> tuple[int, int]:
        black, white = map(sum, zip(*self._score(position), strict=True))
        return black, white

    def fault_text(self, position: Position) -> str:
        return f"as it stood: {self.sums_text(position)}"

    def score_text(self, position: Position) -> str:
        score = self._score(position)
        parts = [
            f"{name} stones {stones}, territory {points}, prisoners {held}"
            for name, stones, points, held in zip(("Black", "White"), *score, strict=True)
        ]
        return f"Score: {'; '.join(parts)}, komi {self.komi}."

    def score_json(self, position: Position) -> dict[str, object]:
        return {"score": {name: list(both) for name, both in self._score(position)._asdict().items()}}


game_of.register(MatchRuleset, MatchGame)
