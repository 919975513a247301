"""A game as the Go Text Protocol sees it: any colour may play, moves are taken back, boards are set up.

Little-Go and the match know alternating moves only. A move of the colour whose turn it is not, or a handicap, makes
the position one that was *set up*: stones without a past, no ko, and in Little-Go the most moves left that the stones
allow. Once a game is over its end stays what it was, though moves are still taken: a front end that replays a longer
record must not fail. See docs/gtp.md.
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
    """What a move led to.

    position: the board now, and who moves if the game goes on by turns. previous: the (black, white) masks before the
    move, (0, 0) where stones were set up. end: the position in which moves ended the game, None if none have.
    move, colour: the move, and whose it was; 0 for the colour where there was none. reason: why it was chosen.
    moves: all since the empty board, None where stones were set up.
    """

    position: Position
    previous: Board = (0, 0)
    end: Position | None = None
    move: int = PASS
    colour: int = 0
    reason: str = ""
    moves: tuple[int, ...] | None = None


class Session:
    """One game after another between a front end and a player.

    name, version: what the engine calls itself. tell: gets a line for whoever runs it. resizable: whether the player
    plays on boards of other sizes than the first.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        player: Player,
        name: str,
        version: str,
        tell: Callable[[str], None],
        resizable: bool = True,
    ) -> None:
        self.ruleset = ruleset
        self.player = player
        self.name = name
        self.version = version
        self.tell = tell
        self._resizable = resizable
        self.komi = ruleset.komi2 / 2  # points, as last told
        self.clock: Clock | None = None
        self._is_unlimited = False  # as the front end has said
        self._told_of_komi = False
        self._prepared_for = ""  # the name of a ruleset
        self.states = [State(opening(ruleset), moves=())]

    @property
    def state(self) -> State:
        """What the last move led to."""
        return self.states[-1]

    @property
    def position(self) -> Position:
        """The board now, and who moves if the game goes on by turns."""
        return self.state.position

    @property
    def over(self) -> bool:
        """Whether no more moves count: the last one or two passes have been, or so many stones were set up."""
        return self.state.end is not None or _has_no_moves(self.position)

    def clear(self) -> None:
        """Begin anew on the empty board; the komi stays."""
        self.states = [State(opening(self.ruleset), moves=())]

    def resize(self, size: int) -> None:
        """Begin anew on a board of another size; the komi stays. Raise GtpError."""
        try:
            self._change_ruleset(game_of(self.ruleset).resized(size))
        except BoardSizeError:
            raise GtpError("unacceptable size") from None
        self.clear()

    def _change_ruleset(self, ruleset: Ruleset) -> None:
        """Play by another ruleset from now on; raise GtpError where the player plays by the first one alone."""
        if not (self._resizable or ruleset.name == self.ruleset.name):
            raise GtpError("unacceptable size")
        self.ruleset = ruleset

    def set_komi(self, komi: float) -> None:
        """Take a komi in points for the score; a match is also played by it, if it is a whole or half number."""
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
            self.tell(f"komi {komi:g} counts in final_score; the player goes for a komi of {played:g}")

    def position_for(self, colour: int) -> Position:
        """Return the position with a colour to move: this one where it is its turn, else one that is set up."""
        now = self.position
        return now if colour == now.colour else game_of(self.ruleset).set_up((now.black, now.white), colour, now)

    def start(self, board: Board, colour: int) -> None:
        """Begin anew with these stones, (black, white), and this colour to move."""
        self.clear()
        if any(board) or colour != BLACK:
            self.states = [State(game_of(self.ruleset).set_up(board, colour, self.position))]

    def play(self, colour: int, move: int, reason: str = "") -> None:
        """Play a point or PASS for either colour; raise GtpError where the rules forbid it."""
        now = self.position
        before = self.position_for(colour)
        if why_illegal(before, move):
            raise GtpError("illegal move")
        if before is not now and not self.over:
            left = f", at most {before.left} moves left" if self.ruleset.length else ""
            self.tell(f"{COLOURS[colour]} plays out of turn: the position counts as set up{left}")
        self._follow(before, colour, move, reason)

    def _follow(self, before: Position, colour: int, move: int, reason: str) -> None:
        """Add the state after a legal move."""
        after, end = before.play(move), self.state.end
        if _has_no_moves(before):  # stones that were set up, or a longer record: nothing is counted below 0
            after = _with_left(before, 1).play(move)
        elif end is None and before.ends_with(move):
            end = after
        moves = (*self.state.moves, move) if self.state.moves is not None and before is self.position else None
        self.states.append(State(after, (before.black, before.white), end, move, colour, reason, moves))

    def undo(self) -> None:
        """Take the last move back; raise GtpError."""
        if len(self.states) == 1:
            raise GtpError("cannot undo")
        self.states.pop()

    def turn(self, colour: int) -> Turn:
        """Return what the player of a colour is told."""
        position = self.position_for(colour)
        previous, moves = (self.state.previous, self.state.moves) if position is self.position else ((0, 0), None)
        return Turn(position, previous, self.clock.times() if self.clock else None, moves)

    def _prepare(self) -> None:
        """Let the player get ready for the rules of this game, before its clock runs."""
        if self._prepared_for != self.ruleset.name:
            self._prepared_for = self.ruleset.name
            self.player.prepare(self.ruleset)

    def choose(self, colour: int) -> Reply:
        """Return the player's legal move for a colour, a pass once the game is over; raise GtpError."""
        self._prepare()
        turn = self.turn(colour)
        if self.over or _has_no_moves(turn.position):
            return Reply(PASS, reason="the game is over")
        reply = printable_reply(self.player.choose(turn))
        why = reply.fault or ("no move" if reply.move is None else why_illegal(turn.position, reply.move))
        if why:
            raise GtpError(f"{self.player.name} gives no legal move: {why}")
        for said in filter(None, (reply.warning, reply.note)):
            self.tell(said)
        return reply

    def generate(self, colour: int) -> int:
        """Let the player move for a colour, its clock running; return the move, a point, PASS or RESIGN."""
        self._prepare()
        if self.clock:
            self.clock.start(colour)
        try:
            reply = self.choose(colour)
        finally:
            if self.clock:
                self.clock.stop()
        assert reply.move is not None  # else choose has refused it
        if reply.move != RESIGN:
            self.play(colour, reply.move, reply.reason)
        return reply.move

    def set_time(self, seconds: float | None) -> None:
        """Give both players so many seconds for all moves to come; None for as many as they want."""
        self._is_unlimited = seconds is None
        self.clock = None if seconds is None else Clock((seconds, seconds))

    def set_left(self, colour: int, seconds: float) -> None:
        """Take what a colour has left as its front end says it; nothing in a game that it said has no limit."""
        if self._is_unlimited:
            return
        other = self.clock.times() if self.clock else Times(seconds, seconds)
        self.clock = Clock((seconds, other.white) if colour == BLACK else (other.black, seconds))

    def counted(self) -> Position:
        """Return the position that is counted: that of the end, before it the one now."""
        return self.state.end or self.position

    def lead(self) -> float:
        """Return Black's lead in points after the komi that was told."""
        counted = self.counted()
        return (margin2(counted) + counted.ruleset.komi2) / 2 - self.komi

    def replay(self, ruleset: Ruleset, board: Board, colour: int, moves: Iterable[tuple[int, int]]) -> None:
        """Begin anew, by these rules and their komi, with stones and (colour, move) after move.

        Raise GtpError, and then nothing has changed.
        """
        kept = self.ruleset, self.states, self.komi
        try:
            self._change_ruleset(ruleset)
            self.komi = ruleset.komi2 / 2
            self.start(board, colour)
            for mover, move in moves:
                self.play(mover, move)
        except GtpError:
            self.ruleset, self.states, self.komi = kept
            raise
        if ruleset.name != kept[0].name:
            self.tell(f"the game is now {ruleset.name}, as the record has it")


def _has_no_moves(position: Position) -> bool:
    return bool(position.ruleset.length) and not position.left


def _with_left(now: Position, left: int) -> Position:
    return Position(now.ruleset, now.black, now.white, now.colour, now.ko, now.passed, left, grid=now.grid)
