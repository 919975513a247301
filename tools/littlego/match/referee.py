"""The referee of one game: turn order, legality of moves, end of the game, winner.

This module runs on Python 3.7.
"""

from __future__ import annotations

import time
from traceback import extract_tb
from typing import Any, Callable, NamedTuple

from littlego.games.boards import move_text
from littlego.games.clock import Clock, Times
from littlego.games.game import margin2, opening, why_illegal, winner_of
from littlego.games.little_go import game_of
from littlego.match.protocol import Turn
from littlego.printable import printable
from littlego.rules.position import BLACK, RESIGN, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO, Ruleset
from littlego.sandbox.timeout import choose_within
from littlego.stalled import StalledError

UNDO = -3  # a request to take back the last two moves
CPU_LIMIT = game_of(LITTLE_GO).cpu_limit
COLOURS = {BLACK: "Black", WHITE: "White"}
TIME_UP = "its time is up"


class Reply(NamedTuple):
    """A player's answer to one turn.

    The texts of a reply can quote a program's output: see printable_reply.
    """

    move: int | None  # a point, PASS, RESIGN, UNDO, or None for no move
    cpu: float = 0.0  # seconds of CPU time
    fault: str = ""  # why the player loses at once, or ''
    reason: str = ""  # reason for the move in one line
    warning: str = ""  # possible objection by a stricter host
    note: str = ""  # the player's error output, and its exit status if not 0


def printable_reply(reply: Reply) -> Reply:
    """Return a reply with printable one-line texts; the original texts can quote a program's output."""
    fault, reason, warning, note = map(printable, (reply.fault, reply.reason, reply.warning, reply.note))
    return reply._replace(fault=fault, reason=reason, warning=warning, note=note)


class Player:
    """The base class of all players."""

    name = "player"  # for display
    timed = True  # whether the CPU limit applies
    held = ""  # a program's confinement in words, known after its first turn

    def prepare(self, ruleset: Ruleset) -> None:
        """Load the data for a game under this ruleset before the game's clock starts.

        A player may load the data in its first turn instead.
        """

    def choose(self, turn: Turn) -> Reply:
        """Return the reply to a turn; the referee checks the reply."""
        raise NotImplementedError

    def close(self) -> None:
        """Release resources after the game. After a loss on time, `choose` can still be running in a thread."""


class Move(NamedTuple):
    """A played move, with the CPU time and the texts of the player's Reply."""

    number: int  # from 1
    colour: int
    move: int  # a point, PASS or RESIGN
    cpu: float
    reason: str
    warning: str
    note: str
    left: float | None = None  # the player's remaining seconds after the move, None in a game without clocks


Watch = Callable[[Position, Move, Position], None]  # called with (before, move, after) after every move


class GameRecord(NamedTuple):
    """The record of a finished game."""

    ruleset: Ruleset
    players: tuple[str, str]
    seed: int
    opening: int  # number of given moves, which the players did not choose
    moves: tuple[Move, ...]  # all moves, including the given moves
    winner: int  # BLACK, WHITE or 0 for a tie
    why: str
    lead2: int  # Black's lead after komi, in half points
    fault: int  # the colour that lost by a fault (illegal, malformed, late, crash), or 0
    note: str
    black: int  # Black's stones on the last board
    white: int  # White's stones on the last board
    held: tuple[str, str] = ("", "")  # the confinement of Black's and White's programs, '' for a player in this process
    prisoners: tuple[int, int] | None = None  # held by Black and White at the end, None if the rules have no prisoners
    budgets: Times | None = None  # initial times of the clocks, None in a game without clocks

    @property
    def resigned(self) -> bool:
        """Whether a player resigned."""
        return bool(self.moves) and self.moves[-1].move == RESIGN

    @property
    def flagged(self) -> bool:
        """Whether a player lost on time."""
        return bool(self.fault) and self.why == _lost(self.fault, TIME_UP)

    @property
    def is_cut_off(self) -> bool:
        """Whether the game was stopped and scored before the rules ended it."""
        return not self.fault and self.why == cut_off_text(len(self.moves))

    @property
    def key(self) -> tuple[int, ...]:
        """All moves of the game, as a key for comparing games."""
        return tuple(move.move for move in self.moves)


def _lost(colour: int, fault: str) -> str:
    return f"{COLOURS[colour]} lost: {fault}"


def count_out(last: Position, moves: int) -> tuple[int, str]:
    """Return (winner, how the game ended) for a game that ended by the rules. last: the final position."""
    if last.ruleset.length and not last.left:
        return winner_of(last), f"{moves} moves"
    return winner_of(last), "a pass as the first move" if moves == 1 else "two passes"


def cut_off(last: Position, moves: int) -> tuple[int, str]:
    """Return (winner, how the game ended) for a game that was stopped. last: the final position."""
    return winner_of(last), cut_off_text(moves)


def cut_off_text(moves: int) -> str:
    """Return a description of the end of a game that was stopped after `moves` moves."""
    return f"scored as it stands after {moves} plies"


class Game:
    """A game in progress."""

    def __init__(
        self,
        players: tuple[Player, Player],  # Black's, White's
        ruleset: Ruleset,
        given: tuple[int, ...] = (),  # opening moves, played before the players choose
        seed: int = 0,
        watch: Watch | None = None,  # called with (before, move, after) after every move
        cpu_limit: float = CPU_LIMIT,
        # ends the game when time is up, even while a player thinks; None if only CPU time is limited
        clock: Clock | None = None,
        plies: int | None = None,  # number of moves after which the game is scored; None if only the rules end it
    ):
        self.players = players
        self.given = given
        self.seed = seed
        self.watch = watch
        self.cpu_limit = cpu_limit
        self.clock = clock
        self.plies = plies
        self.boards = [opening(ruleset)]  # every position so far, for undo
        self.moves: list[Move] = []

    @property
    def position(self) -> Position:
        """The current position."""
        return self.boards[-1]

    def turn(self) -> Turn:
        """Return the turn for the player to move."""
        before = self.boards[-2] if len(self.boards) > 1 else self.boards[0]
        moves = tuple(move.move for move in self.moves)
        return Turn(self.position, (before.black, before.white), self.clock.times() if self.clock else None, moves)

    def play(self) -> GameRecord:
        """Play to the end and return the record; raise StalledError if every attempt at a turn is void."""
        for move in self.given:
            if self._apply(Reply(move, reason="given opening move")):
                return self._end_by_count()
        if self.clock is not None:
            for player in self.players:
                player.prepare(self.position.ruleset)
        while True:
            mover = self.position.colour
            reply = self._ask()
            if reply.move == UNDO:
                self._undo()
                continue
            fault = reply.fault or self._find_fault(reply)
            if fault:
                return self._record(BLACK + WHITE - mover, _lost(mover, fault), mover, reply.note)
            if self._apply(reply):
                if reply.move == RESIGN:
                    return self._record(BLACK + WHITE - mover, f"{COLOURS[mover]} resigned")
                return self._end_by_count()

    def _ask(self) -> Reply:
        player = self.players[self.position.colour - 1]
        reply = self._choose(player) if self.clock is None else self._choose_by(self.clock, player)
        if player.timed and not reply.fault and reply.cpu > self.cpu_limit:
            fault = f"used {reply.cpu:.2f} s of CPU time; the limit is {self.cpu_limit:g} s"
            reply = reply._replace(fault=fault)
        return printable_reply(reply)

    def _choose_by(self, clock: Clock, player: Player) -> Reply:
        """Return the player's reply, or a reply with the fault TIME_UP if the player's time is up.

        An undo does not give back the time used.
        """
        mover = self.position.colour
        turn = self.turn()
        clock.start(mover)
        try:
            reply = choose_within(lambda: self._choose(player, turn), lambda: clock.times().of(mover))
        finally:
            clock.stop()
        return Reply(None, fault=TIME_UP) if reply is None or clock.has_flagged(mover) else reply

    def _choose(self, player: Player, turn: Turn | None = None) -> Reply:
        started = time.process_time()
        try:
            return player.choose(turn or self.turn())
        except StalledError:
            raise
        except Exception as error:  # a crash loses the game but must not end the series
            place = extract_tb(error.__traceback__)[-1]
            crash = f"crashed in {place.name} line {place.lineno}: {type(error).__name__}: {error}"
            return Reply(None, time.process_time() - started, crash)

    def _find_fault(self, reply: Reply) -> str:
        if reply.move is None:
            return "gave no move"
        why = why_illegal(self.position, reply.move)
        return f"illegal move {move_text(reply.move, self.position.ruleset.size)}: {why}" if why else ""

    def _apply(self, reply: Reply) -> bool:
        """Play the move of a legal reply; return whether the game is over."""
        before = self.position
        assert reply.move is not None  # ensured by `_find_fault`
        after = before if reply.move == RESIGN else before.play(reply.move)
        left = self.clock.times().of(before.colour) if self.clock else None
        texts = reply.reason, reply.warning, reply.note
        played = Move(len(self.moves) + 1, before.colour, reply.move, reply.cpu, *texts, left)
        self.moves.append(played)
        self.boards.append(after)
        if self.watch:
            self.watch(before, played, after)
        return before.ends_with(reply.move) or len(self.moves) == self.plies

    def _undo(self) -> None:
        """Take back the last two moves if at least two moves follow the given opening."""
        if len(self.moves) - 2 >= len(self.given):
            del self.moves[-2:], self.boards[-2:]

    def _end_by_count(self) -> GameRecord:
        ended = self.boards[-2].ends_with(self.moves[-1].move)
        return self._record(*(count_out if ended else cut_off)(self.position, len(self.moves)))

    def _record(self, winner: int, why: str, fault: int = 0, note: str = "") -> GameRecord:
        return record_of(
            self.position,
            (self.players[0].name, self.players[1].name),
            tuple(self.moves),
            winner,
            why,
            fault,
            note,
            self.seed,
            len(self.given),
            (self.players[0].held, self.players[1].held),
            self.clock.budgets if self.clock else None,
        )


def record_of(
    last: Position,
    players: tuple[str, str],
    moves: tuple[Move, ...],
    winner: int,
    why: str,
    fault: int = 0,
    note: str = "",
    seed: int = 0,
    opening: int = 0,
    held: tuple[str, str] = ("", ""),
    budgets: Times | None = None,
) -> GameRecord:
    """Return the record of a game that ended in the position `last`. Other arguments: see GameRecord."""
    end = margin2(last), fault, note, last.black, last.white
    return GameRecord(last.ruleset, players, seed, opening, moves, winner, why, *end, held, prisoners_of(last), budgets)


def prisoners_of(position: Position) -> tuple[int, int] | None:
    """Return the numbers of prisoners of Black and White, or None if the rules have no prisoners."""
    return getattr(position, "prisoners", None)


def last_position(record: GameRecord) -> Position:
    """Return a game's final position, computed by replaying all moves."""
    position = opening(record.ruleset)
    for move in record.moves:
        position = position if move.move == RESIGN else position.play(move.move)
    return position


def record_json(record: GameRecord) -> dict[str, Any]:
    """Return a game as a JSON value.

    Moves are written as `row,column`, PASS or `resigns`; the lead is in points, and clocks are in seconds.
    """
    return {
        "ruleset": record.ruleset.name,
        "black": record.players[0],
        "white": record.players[1],
        "seed": record.seed,
        "opening": record.opening,
        "winner": record.winner,
        "why": record.why,
        "lead": record.lead2 / 2,
        "fault": record.fault,
        "note": record.note,
        **({"held": list(record.held)} if any(record.held) else {}),
        **({"prisoners": list(record.prisoners)} if record.prisoners is not None else {}),
        **({"budgets": list(record.budgets)} if record.budgets else {}),
        "moves": [_move_json(move, record.ruleset.size) for move in record.moves],
    }


def _move_json(move: Move, size: int) -> dict[str, Any]:
    texts = {key: getattr(move, key) for key in ("reason", "warning", "note") if getattr(move, key)}
    left = {} if move.left is None else {"left": round(move.left, 3)}
    return {"move": move_text(move.move, size), "cpu": round(move.cpu, 6), **left, **texts}
