"""Session state for the Go Text Protocol, including moves out of turn, undo and set-up boards.

Little-Go and the match require alternating moves. A handicap or a move out of turn therefore creates a *set-up*
position: a board without history, ko or last moves. In Little-Go, the number of moves left in a set-up position is the
largest number that the stones allow. A front end can replay a record that continues after the end of the game. The
session therefore accepts moves after the end, but they do not change the result. See docs/gtp.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from littlego.games.clock import Clock, Times
from littlego.games.game import margin2, opening, why_illegal
from littlego.games.kinds import BoardSizeError
from littlego.games.little_go import game_of
from littlego.match.protocol import Turn
from littlego.match.referee import COLOURS, Player, Reply, printable_reply
from littlego.players.gtp.protocol import GtpError
from littlego.rules.position import BLACK, PASS, RESIGN, Position
from littlego.rules.ruleset import Ruleset

Board = tuple[int, int]


class State(NamedTuple):
    """The state at the start of a game or after a move.

    position: the position after the move; the player to move is the mover's opponent. previous: the masks (Black's
    stones, White's stones) before the move; (0, 0) in a set-up position. end: the position after the move that ended
    the game, or None if the game continues. move, colour: the move and its colour; colour is 0 if there was no move.
    reason: the player's reason for the move, or ''. moves: all moves since the empty board, or None after a set-up
    position.
    """

    position: Position
    previous: Board = (0, 0)
    end: Position | None = None
    move: int = PASS
    colour: int = 0
    reason: str = ""
    moves: tuple[int, ...] | None = None


class Session:
    """A series of games between a front end and a player.

    name, version: the engine's name and version. tell: prints a line for the person who runs the engine. resizable:
    whether the player supports other board sizes. encoding: the encoding of SGF files for loadsgf, or None to detect
    each file's encoding.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        player: Player,
        name: str,
        version: str,
        tell: Callable[[str], None],
        resizable: bool = True,
        encoding: str | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.player = player
        self.name = name
        self.version = version
        self.tell = tell
        self.encoding = encoding
        self._resizable = resizable
        self.komi = ruleset.komi2 / 2  # points, as set by the last komi command
        self.clock: Clock | None = None
        self._is_unlimited = False  # whether the front end has removed the time limit
        self._told_of_komi = False
        self._prepared_for = ""  # the name of the ruleset for which the player is prepared
        self.states = [State(opening(ruleset), moves=())]

    @property
    def state(self) -> State:
        """The state after the last move."""
        return self.states[-1]

    @property
    def position(self) -> Position:
        """The current position with its side to move; see `position_for` for the other colour."""
        return self.state.position

    @property
    def over(self) -> bool:
        """Whether the game has ended or a set-up position has no moves left.

        Moves after the end of a game do not change the result.
        """
        return self.state.end is not None or _has_no_moves(self.position)

    def clear(self) -> None:
        """Start a new game on the empty board with the same komi."""
        self.states = [State(opening(self.ruleset), moves=())]

    def resize(self, size: int) -> None:
        """Start a new game with the same komi on a board of the given size.

        Raise GtpError for an unsupported size.
        """
        try:
            self._change_ruleset(game_of(self.ruleset).resized(size))
        except BoardSizeError:
            raise GtpError("unacceptable size") from None
        self.clear()

    def _change_ruleset(self, ruleset: Ruleset) -> None:
        """Change the ruleset; raise GtpError if the player does not support the new ruleset."""
        if not (self._resizable or ruleset.name == self.ruleset.name):
            raise GtpError("unacceptable size")
        self.ruleset = ruleset

    def set_komi(self, komi: float) -> None:
        """Set the komi of the score, in points.

        In a match, the player's decisions also use this komi if it is valid for a match (a multiple of 0.5 within
        limits).
        """
        self.komi = komi
        self.ruleset = game_of(self.ruleset).with_komi(komi)
        game = game_of(self.ruleset)
        self.states = [
            state._replace(position=game.adopt(state.position), end=state.end and game.adopt(state.end))
            for state in self.states
        ]
        played = self.ruleset.komi2 / 2
        if played != komi and not self._told_of_komi:
            self._told_of_komi = True
            self.tell(f"final_score uses komi {komi:g}; the player's decisions use komi {played:g}")

    def position_for(self, colour: int) -> Position:
        """Return the current position if `colour` is to move, else a set-up position with the same stones."""
        now = self.position
        return now if colour == now.colour else game_of(self.ruleset).set_up((now.black, now.white), colour, now)

    def start(self, board: Board, colour: int) -> None:
        """Start a new game with `colour` to move. board: the masks (Black's stones, White's stones)."""
        self.clear()
        if any(board) or colour != BLACK:
            self.states = [State(game_of(self.ruleset).set_up(board, colour, self.position))]

    def play(self, colour: int, move: int, reason: str = "") -> None:
        """Play a point or PASS for either colour; raise GtpError if the move is illegal."""
        now = self.position
        before = self.position_for(colour)
        if why_illegal(before, move):
            raise GtpError("illegal move")
        if before is not now and not self.over:
            left = f" with at most {before.left} moves left" if self.ruleset.length else ""
            self.tell(f"{COLOURS[colour]} plays out of turn: the game continues from a set-up position{left}")
        self._follow(before, colour, move, reason)

    def _follow(self, before: Position, colour: int, move: int, reason: str) -> None:
        """Append the State after a legal move. before: the position in which the colour moves."""
        after, end = before.play(move), self.state.end
        if _has_no_moves(before):  # a set-up position, or a record continued after the end: no moves are left
            after = _with_left(before, 1).play(move)
        elif end is None and before.ends_with(move):
            end = after
        moves = (*self.state.moves, move) if self.state.moves is not None and before is self.position else None
        self.states.append(State(after, (before.black, before.white), end, move, colour, reason, moves))

    def undo(self) -> None:
        """Take back the last move; raise GtpError if there is no move to take back."""
        if len(self.states) == 1:
            raise GtpError("cannot undo")
        self.states.pop()

    def turn(self, colour: int) -> Turn:
        """Return the Turn for the player of a colour: position, previous board, times and moves."""
        position = self.position_for(colour)
        previous, moves = (self.state.previous, self.state.moves) if position is self.position else ((0, 0), None)
        return Turn(position, previous, self.clock.times() if self.clock else None, moves)

    def _prepare(self) -> None:
        """Prepare the player for this game's ruleset before the player's clock starts."""
        if self._prepared_for != self.ruleset.name:
            self._prepared_for = self.ruleset.name
            self.player.prepare(self.ruleset)

    def choose(self, colour: int) -> Reply:
        """Return a Reply with the player's legal move or RESIGN, or with a pass if the game is over.

        Raise GtpError if the player returns no legal move.
        """
        self._prepare()
        turn = self.turn(colour)
        if self.over or _has_no_moves(turn.position):
            return Reply(PASS, reason="the game is over")
        reply = printable_reply(self.player.choose(turn))
        why = reply.fault or ("no move" if reply.move is None else why_illegal(turn.position, reply.move))
        if why:
            raise GtpError(f"{self.player.name} gave no legal move: {why}")
        for remark in filter(None, (reply.warning, reply.note)):
            self.tell(remark)
        return reply

    def generate(self, colour: int) -> int:
        """Play the player's move for a colour on the colour's clock; return a point, PASS or RESIGN."""
        self._prepare()
        if self.clock:
            self.clock.start(colour)
        try:
            reply = self.choose(colour)
        finally:
            if self.clock:
                self.clock.stop()
        assert reply.move is not None  # `choose` refuses other replies
        if reply.move != RESIGN:
            self.play(colour, reply.move, reply.reason)
        return reply.move

    def set_time(self, seconds: float | None) -> None:
        """Set both players' time for all further moves. seconds: None for no limit."""
        self._is_unlimited = seconds is None
        self.clock = None if seconds is None else Clock((seconds, seconds))

    def set_left(self, colour: int, seconds: float) -> None:
        """Set a colour's remaining time in seconds; if no clock is set, give both colours this time.

        Do nothing if the front end has removed the time limit.
        """
        if self._is_unlimited:
            return
        other = self.clock.times() if self.clock else Times(seconds, seconds)
        self.clock = Clock((seconds, other.white) if colour == BLACK else (other.black, seconds))

    def counted(self) -> Position:
        """Return the position to score: the final position if the game has ended, else the current position."""
        return self.state.end or self.position

    def lead(self) -> float:
        """Return Black's lead in points, with the session's komi subtracted."""
        counted = self.counted()
        return (margin2(counted) + counted.ruleset.komi2) / 2 - self.komi

    def replay(self, start: Position, moves: Iterable[int]) -> None:
        """Start a new game from the position `start`, with its ruleset and komi, and play `moves`.

        If a move is illegal or the player does not support the ruleset, raise GtpError and leave the session unchanged.
        """
        ruleset = start.ruleset
        kept = self.ruleset, self.states, self.komi
        try:
            self._change_ruleset(ruleset)
            self.komi = ruleset.komi2 / 2
            self.clear()
            if start.black | start.white or start.colour != BLACK:
                self.states = [State(start)]
            for move in moves:
                self.play(self.position.colour, move)
        except GtpError:
            self.ruleset, self.states, self.komi = kept
            raise
        if ruleset.name != kept[0].name:
            self.tell(f"the game is now {ruleset.name}, as in the record")


def _has_no_moves(position: Position) -> bool:
    return bool(position.ruleset.length) and not position.left


def _with_left(now: Position, left: int) -> Position:
    return Position(now.ruleset, now.black, now.white, now.colour, now.ko, now.passed, left, grid=now.grid)
