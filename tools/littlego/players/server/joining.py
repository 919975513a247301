"""A client that sends a player's moves to a match server and reconnects when necessary.

The player thinks in a separate thread, so that the client can answer heartbeats in the meantime.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from threading import Thread
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidURI, WebSocketException

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError
from littlego.games.boards import move_text
from littlego.games.game import why_illegal
from littlego.knowledge.problems import plural
from littlego.match.protocol import Turn
from littlego.match.referee import COLOURS, UNDO, Player, Reply, printable_reply
from littlego.players.human import HumanPlayer
from littlego.players.server.follower import Follower, FollowError, Result, State
from littlego.players.server.messages import LARGEST_START, BadMessage, Message, decode, encode, shorten
from littlego.players.server.sockets import SERIES_OVER
from littlego.players.server.terminal import Interrupted, Questions
from littlego.rules.geometry import Point
from littlego.rules.position import PASS

FIRST_DELAY, LONGEST_DELAY = 0.1, 5.0  # the shortest and longest delay between attempts to connect, in seconds
MOST_REFUSALS = 3  # number of refusals of one move after which the client gives up
LONGEST_REASON = 160  # characters of a reason in a printed line

Maker = Callable[[int], Player]  # creates the player for the game with this zero-based number


class _Thought:
    """A player, with its state in the current game: prepared, thinking or retired.

    A retired player is closed as soon as it stops thinking.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.is_ready = False  # whether the player is prepared for this game's ruleset
        self.thinks = False
        self.retired = False

    def close_if_idle(self) -> None:
        if self.retired and not self.thinks:
            self.player.close()


class Joined:
    """A client that plays games on a match server.

    make(number): creates the player for the game with this zero-based number. games: the number of games after which
    the client leaves, or None for all games of the server. patience: seconds after which the client stops trying to
    connect. say: prints a line. questions: the keyboard input of a human player.
    """

    def __init__(
        self,
        follower: Follower,
        make: Maker,
        say: Callable[[str], object],
        games: int | None = None,
        patience: float = 60.0,
        questions: Questions | None = None,
    ) -> None:
        self.follower = follower
        self.make = make
        self.say = say
        self.games = games
        self.patience = patience
        self.questions = questions
        self.results: list[Result] = []  # results of the finished games
        self._thought: _Thought | None = None
        self._connection: ClientConnection | None = None
        self._refusals = 0
        self._known = False  # whether this connection's server knows the client
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def done(self) -> bool:
        """Whether all requested games are over."""
        return self.games is not None and len(self.results) >= self.games

    async def run(self, address: str) -> int:
        """Play until all games are over or no server can be reached; return the exit status.

        Raise ArgumentError for an invalid address, and FollowError for a game that the client cannot follow.
        """
        delay, since = FIRST_DELAY, time.monotonic()
        try:
            while True:
                why, code = await self._connect(address)
                if self.done or code == SERIES_OVER:
                    self.say(f"{plural(len(self.results), 'game')} played")
                    return FINE
                if self._known:
                    delay, since = FIRST_DELAY, time.monotonic()
                    self.say(f"lost the connection ({why}); reconnecting")
                if time.monotonic() - since + delay > self.patience:
                    self.say(f"no server at {address} ({why}); gave up after {self.patience:g} s")
                    return FINDINGS
                await asyncio.sleep(delay)
                delay = min(2 * delay, LONGEST_DELAY)
        finally:
            self._retire()

    async def _connect(self, address: str) -> tuple[str, int | None]:
        """Play over one connection; return (why the connection ended, the close code or None)."""
        self._known = False
        connection = None
        try:
            async with connect(address, compression=None, max_size=LARGEST_START, close_timeout=1) as connection:
                self._connection = connection
                await self._listen(connection)
        except InvalidURI:
            raise bad_address(address) from None
        except (OSError, WebSocketException) as error:
            return shorten(str(error) or type(error).__name__), connection.close_code if connection else None
        finally:
            self._connection = None
            self.follower.lost()
            self._retire()
        return "it closed", connection.close_code

    async def _listen(self, connection: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while not self.done:
                frame = await connection.recv()
                try:
                    message = decode(frame)
                except BadMessage as error:
                    self.say(f"the server sent {error}")
                    continue
                answer = self.follower.receive(message)
                if answer:
                    self._known = True
                    await connection.send(encode(answer))
                self._act(message)

    def _act(self, message: Message) -> None:
        """Perform the action that a processed server message requires."""
        kind, follower = message["type"], self.follower
        if kind == "START":
            self._begin()
        elif kind == "MOVE" and follower.state is State.THINKING:
            assert follower.position is not None and follower.theirs is not None
            self.say(f"the opponent plays {move_text(follower.theirs, follower.position.ruleset.size)}")
        elif kind == "END" and self._thought:
            self._end()
        elif kind == "INVALID" and follower.refused:
            self._refusals += 1
            self.say(f"the server refused the move: {follower.refused}")
            if self._refusals > MOST_REFUSALS:
                raise FollowError(f"the server refused {self._refusals} moves in a row; its rules differ from ours")
        elif kind == "VALID":
            self._refusals = 0
        if follower.state is State.THINKING and self._thought and not self._thought.thinks:
            self._think(self._thought)

    def _begin(self) -> None:
        follower = self.follower
        self._retire()
        self._refusals = 0
        player = self.make(len(self.results))
        if isinstance(player, HumanPlayer) and self.questions:
            player.ask = self.questions.ask
        self._thought = _Thought(player)
        assert follower.position is not None
        resumed = f", after {follower.resumed} moves" if follower.resumed else ""
        self.say(f"game {len(self.results) + 1}: {COLOURS[follower.colour]}, {follower.position.ruleset.name}{resumed}")
        for rule in follower.other_rules:
            self.say(f"the server's rules differ from this ruleset: {rule}")

    def _end(self) -> None:
        result = self.follower.result
        assert result is not None
        self._retire()
        if not result.is_over:
            self.say(f"the game is paused ({result.reason})")
            return
        self.results.append(result)
        colour = self.follower.colour
        who = "nobody wins" if not result.winner else "won" if result.winner == colour else "lost"
        black, white = ("?" if score is None else f"{score:g}" for score in result.scores)
        self.say(f"game {len(self.results)} over, {result.reason}: {who}; score: Black {black}, White {white}")

    def _think(self, thought: _Thought) -> None:
        loop, turn = asyncio.get_running_loop(), self.follower.turn()
        thought.thinks = True

        def work() -> None:
            # preparation runs on the game's clock but does not count against the limit for a move
            if not thought.is_ready:
                thought.player.prepare(turn.position.ruleset)
                thought.is_ready = True
            reply = _choose(thought.player, turn._replace(times=self.follower.times()))
            with contextlib.suppress(RuntimeError):  # the loop was closed in the meantime
                loop.call_soon_threadsafe(self._decided, thought, turn, reply)

        Thread(target=work, daemon=True).start()

    def _decided(self, thought: _Thought, turn: Turn, reply: Reply) -> None:
        thought.thinks = False
        thought.close_if_idle()
        if thought is not self._thought or self._connection is None or self.follower.state is not State.THINKING:
            return
        move = self._legal_move(turn, reply)
        if move is None:
            self._think(thought)
            return
        reason = f"  {reply.reason[:LONGEST_REASON]}" if reply.reason else ""
        self.say(f"we play {move_text(move, turn.position.ruleset.size)}{reason}")
        self._send(self._connection, self.follower.move(move))

    def _legal_move(self, turn: Turn, reply: Reply) -> Point | None:
        """Return a reply's move, or the fallback if the move is unusable: PASS, or None to ask a person again.

        A move that the server refused also becomes PASS, unless a person plays.
        """
        is_human = isinstance(self._thought and self._thought.player, HumanPlayer)
        if reply.move == UNDO and not reply.fault:
            self.say("the server does not take back moves")
        elif reply.fault or reply.move is None:
            self.say(f"the player gave no move ({reply.fault or 'no reason given'}): passing instead")
        elif why := why_illegal(turn.position, reply.move):
            self.say(f"{move_text(reply.move, turn.position.ruleset.size)} is illegal ({why}): passing instead")
        elif self.follower.refused and not is_human:
            self.say("the server refused the move: passing instead")
        else:
            return reply.move
        return None if is_human and not reply.fault else PASS

    def _send(self, connection: ClientConnection, message: Message) -> None:
        async def send() -> None:
            with contextlib.suppress(ConnectionClosed):
                await connection.send(encode(message))

        task = asyncio.get_running_loop().create_task(send())
        self._sending.add(task)  # keep a reference: the loop holds tasks only weakly
        task.add_done_callback(self._sending.discard)

    def _retire(self) -> None:
        """Retire the current game's player, and close it as soon as it stops thinking."""
        if self._thought:
            self._thought.retired = True
            if self.questions and self._thought.thinks:
                self.questions.interrupt()
            self._thought.close_if_idle()
            self._thought = None


def _choose(player: Player, turn: Turn) -> Reply:
    try:
        return printable_reply(player.choose(turn))
    except Interrupted:
        return Reply(None)
    except Exception as error:  # a player that crashes loses its move, not the game
        return Reply(None, fault=shorten(f"{type(error).__name__}: {error}"))


def check_address(address: str) -> None:
    """Raise ArgumentError unless a text is a valid WebSocket address. Host names are not resolved."""
    try:
        parts = urlsplit(address)
        if parts.scheme in ("ws", "wss") and parts.hostname and parts.port != 0:
            return
    except ValueError:  # an invalid bracket or port
        pass
    raise bad_address(address)


def bad_address(address: str) -> ArgumentError:
    """Return the error for an invalid address."""
    return ArgumentError(f"{shorten(address)}: expected the address of a server, such as ws://127.0.0.1:8080")
