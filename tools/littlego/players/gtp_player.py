"""Other engines as players: programs that speak the Go Text Protocol, version 2, such as GNU Go.

The player sends the board size, the komi and every move. The player also sends the rules, the seed and the times if the
engine has commands for them. `genmove` requests the engine's move. The engine loses the game if an answer is late or
malformed, if the engine refuses a necessary command, or if the answer to `genmove` contains no move. The referee
rejects illegal moves. In a match, prisoners count in addition to the area; GTP cannot express this score, so the komi
includes the prisoners (docs/match.md).
"""

from __future__ import annotations

import json
import math
import re
import time
from contextlib import suppress
from typing import NamedTuple

from littlego.games.little_go import game_of
from littlego.games.match import MatchPosition
from littlego.games.vertices import parse_vertex, vertex_text
from littlego.match.conversation import Conversation, ConversationError
from littlego.match.protocol import Turn
from littlego.match.referee import Player, Reply
from littlego.printable import printable
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, RESIGN, WHITE, Position
from littlego.rules.ruleset import Ruleset
from littlego.sandbox import sandbox
from littlego.stalled import StalledError

LONGEST = 1 << 20  # bytes of one answer: a list of commands has a few thousand bytes
SHOWN = 60  # characters of a wrong answer that a message quotes
GREETING = 20.0  # limit in seconds for the first answer, so that a program without GTP support fails soon
LAG = 1.0  # seconds of grace after a player's time is up, so that the referee's clock decides, not this timeout
COLOUR_WORDS = {BLACK: "b", WHITE: "w"}
# commands that an engine may lack
RULES, SEED, TIMES, LEFT = "kata-set-rules", "set_random_seed", "time_settings", "time_left"
OURS = "littlego-rules"  # a command that only our engine has
_NOT_TEXT = bytes({*range(32), 127} - {9, 10})  # control characters except TAB and LF; the protocol discards them
_ANSWER = re.compile(r"([=?])\d*[ \t]*(.*)", re.DOTALL)
_SEEDS = 1 << 31  # seeds must be below this number


class EngineError(RuntimeError):
    """Raised for a fault that makes an engine lose the game.

    The message continues a sentence that starts with the engine's name.
    """


class Refusal(EngineError):
    """Raised for an engine's error answer, which begins with a question mark."""


class Play(NamedTuple):
    """A stone or pass to send to an engine: the colour, and the point or PASS."""

    colour: int
    move: int


class Engine:
    """A running GTP engine that answers commands.

    The constructor raises EngineError if it cannot start the engine.
    """

    def __init__(self, command: list[str]) -> None:
        try:
            self.talk = Conversation(command, sandbox.is_used())
        except OSError as error:
            raise EngineError(f"cannot be started: {error.strerror or error}") from None
        self._heard = b""

    def ask(self, command: str, deadline: float) -> str:
        """Return the answer to a command, without the initial `=`.

        deadline: a time on the monotonic clock, in seconds. Raise Refusal for an error answer. Raise EngineError if the
        answer is missing, late or malformed, or if the engine wrote text before the command.
        """
        try:
            self._refuse_unasked(command)
            self.talk.say(f"{command}\n")
            answer = self._answer(command, deadline)
        except ConversationError as error:
            raise EngineError(f"{error} (after the command {command})") from None
        match = _ANSWER.fullmatch(answer)
        if match is None:
            raise EngineError(f"answered {command} with {quoted(answer)}; expected = or ? at the beginning")
        if match[1] == "?":
            raise Refusal(f"refused {command}: {quoted(match[2])}")
        return match[2].strip()

    def _refuse_unasked(self, command: str) -> None:
        """Raise EngineError if the engine wrote text before this command.

        Without this check, the text could be mistaken for the command's answer.
        """
        chunk = self.talk.hear(0.0)
        self._heard += _clean(chunk)
        if self._heard.strip():
            raise EngineError(f"wrote {quoted(_decode(self._heard))} before the command {command}")
        self._heard = b""

    def _answer(self, command: str, deadline: float) -> str:
        """Return the received text up to the next empty line.

        If the first line does not begin with = or ?, return the text received so far.
        """
        began = time.monotonic()
        while b"\n\n" not in (heard := self._heard.lstrip(b"\n")):
            if b"\n" in heard and heard[:1] not in b"=?":
                return _decode(heard)
            if len(self._heard) > LONGEST:
                raise EngineError(f"answered {command} with more than {LONGEST:,} bytes and no empty line")
            chunk = self.talk.hear(deadline)
            if not chunk or time.monotonic() > deadline:  # an engine may send ignored characters without end
                received = f", only {quoted(_decode(self._heard))}" if self._heard.strip() else ""
                raise EngineError(f"gave no answer to {command} in {time.monotonic() - began:.1f} s{received}")
            self._heard += _clean(chunk)
        answer, _, self._heard = self._heard.lstrip(b"\n").partition(b"\n\n")
        return _decode(answer)

    def try_asking(self, command: str, deadline: float) -> str:
        """Send a command and return the answer, or '' if the engine refuses the command."""
        with suppress(Refusal):
            return self.ask(command, deadline)
        return ""


def _clean(data: bytes) -> bytes:
    return data.translate(None, _NOT_TEXT)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def quoted(text: str) -> str:
    """Return the start of a text's first line, in quotes and with invisible characters escaped."""
    line = printable(text.strip().partition("\n")[0])
    return f"'{line[:SHOWN]}'" + (" ..." if len(line) > SHOWN or "\n" in text.strip() else "")


class GtpPlayer(Player):
    """A GTP engine as a player; the engine runs in a new process for every game.

    command: the program and its arguments, run without a shell. wall_limit: seconds for the start and, in a game
    without a clock, for each move. seed: the seed of random choices, sent if the engine accepts a seed.
    """

    timed = False  # the clock or wall_limit limits the engine, not the CPU limit
    wall_limit = 60.0
    program = ""  # the engine's name and version, known once the engine has started

    def __init__(self, name: str, command: list[str], seed: int = 0) -> None:
        import resource  # noqa: F401 - missing on Windows: fail here, so that the program is not blamed

        self.name = name
        self.command = command
        self.seed = seed
        self._engine: Engine | None = None
        self._fault = ""
        self._closed = False
        self._remarks: list[str] = []  # refused commands that do not affect the game
        self._commands: frozenset[str] = frozenset()
        self._told: list[Play] = []
        self._komi: float | None = None
        self._timed = False  # whether the engine knows the time for the whole game

    def prepare(self, ruleset: Ruleset) -> None:
        """Start the engine and send the game's settings. If the engine fails, the first Reply contains the fault."""
        if self._engine is None and not self._fault:
            try:
                self._engine = Engine(self.command)
                self._begin(self._engine, ruleset, time.monotonic() + self.wall_limit)
                self._engine.talk.rest()
            except EngineError as error:
                self._fault = str(error)

    def _begin(self, engine: Engine, ruleset: Ruleset, until: float) -> None:
        try:
            name = engine.try_asking("name", min(until, time.monotonic() + GREETING))
        except EngineError as error:
            raise EngineError(f"{error}; does the program speak GTP?") from None
        called = [name, engine.try_asking("version", until)]
        self.program = printable(" ".join(called))
        self.held = f"{engine.talk.held}; the engine calls itself {quoted(self.program)}"
        self._commands = frozenset(engine.try_asking("list_commands", until).split())
        engine.ask(f"boardsize {ruleset.size}", until)
        engine.ask("clear_board", until)
        self._tell_komi(engine, ruleset.komi2 / 2, until)
        self._tell_if_known(engine, RULES, json.dumps(katago_rules(ruleset), separators=(",", ":")), until)
        self._tell_if_known(engine, SEED, str(self.seed % _SEEDS), until)

    def _tell_if_known(self, engine: Engine, command: str, words: str, until: float) -> None:
        """Send an optional command if the engine supports it. words: the command's arguments."""
        if command in self._commands:
            try:
                engine.ask(f"{command} {words}", until)
            except Refusal as refusal:
                self._remarks.append(str(refusal))

    def choose(self, turn: Turn) -> Reply:
        """Return a Reply with the engine's move, or with a fault if the engine fails.

        The engine's processes are suspended between the engine's moves. Raise StalledError if the engine fails while
        other programs fill the disk or use up the user's process limit.
        """
        position = turn.position
        self.prepare(position.ruleset)
        if self._fault or self._engine is None:
            return self._reply(None, 0.0)
        times = turn.times
        limit = self.wall_limit if times is None else max(0.0, times.of(position.colour)) + LAG
        before, move = self._engine.talk.cpu(), None
        try:
            move = self._move(self._engine, turn, time.monotonic() + limit)
            self._fault = self._engine.talk.excess()
        except EngineError as error:
            self._fault = str(error)
        cpu = max(0.0, self._engine.talk.cpu() - before)
        self._engine.talk.rest()
        if self._fault and (lacked := self._engine.talk.lacked):
            raise StalledError(f"{lacked}, so the game of {self.name} cannot be judged; run the game again")
        return self._reply(move, cpu)

    def _reply(self, move: int | None, cpu: float) -> Reply:
        note = "; ".join(self._remarks)
        self._remarks.clear()
        if self._fault:
            return Reply(None, cpu, self._fault, note=self._engine.talk.last_words() if self._engine else note)
        return Reply(move, cpu, note=note)

    def _move(self, engine: Engine, turn: Turn, until: float) -> int:
        position = turn.position
        colour = COLOUR_WORDS[position.colour]
        self._tell_moves(engine, turn, until)
        if OURS not in self._commands:  # our own engine supports the match and counts prisoners itself
            self._tell_komi(engine, komi_for(position), until)
        if turn.times is not None:
            if not self._timed:  # the engine does not know the time for the whole game yet
                self._tell_if_known(engine, TIMES, f"{math.floor(turn.times.of(position.colour))} 0 0", until)
                self._timed = True
            for mover, word in COLOUR_WORDS.items():
                self._tell_if_known(engine, LEFT, f"{word} {math.floor(max(0.0, turn.times.of(mover)))} 0", until)
        answer = engine.ask(f"genmove {colour}", until)
        size = position.ruleset.size
        move = RESIGN if answer.lower() == "resign" else parse_vertex(answer, size)
        if move is None:
            expected = f"expected a point of the {size}x{size} board, pass or resign"
            raise EngineError(f"answered genmove {colour} with {quoted(answer)}; {expected}")
        self._told.append(Play(position.colour, move))
        return move

    def _tell_moves(self, engine: Engine, turn: Turn, until: float) -> None:
        """Send the engine the new moves or, if necessary, the whole board.

        The whole board is necessary if the moves are unknown or the engine refuses a move. An engine may refuse a move
        that our rules allow, for example because the engine forbids the repetition of an earlier board.
        """
        if turn.moves is not None:
            moves = [Play(BLACK if number % 2 == 0 else WHITE, move) for number, move in enumerate(turn.moves)]
            with suppress(Refusal):
                return self._tell(engine, moves, turn.position.ruleset.size, until)
        self._told.clear()
        engine.ask("clear_board", until)
        return self._tell(engine, stones_of(turn.position), turn.position.ruleset.size, until)

    def _tell(self, engine: Engine, wanted: list[Play], size: int, until: float) -> None:
        """Send the plays of `wanted` that follow the plays already sent.

        If `wanted` does not begin with the plays already sent, clear the board and send all plays of `wanted`.
        """
        if wanted[: len(self._told)] != self._told:
            self._told.clear()
            engine.ask("clear_board", until)
        for colour, move in wanted[len(self._told) :]:
            engine.ask(f"play {COLOUR_WORDS[colour]} {vertex_text(move, size)}", until)
            self._told.append(Play(colour, move))

    def _tell_komi(self, engine: Engine, komi: float, until: float) -> None:
        if komi != self._komi:
            engine.ask(f"komi {komi:g}", until)
            self._komi = komi

    def close(self) -> None:
        """Kill the engine's process and all its descendants; first send `quit` unless the engine has failed."""
        if self._engine is not None and not self._closed:
            self._closed = True
            self._engine.talk.close("" if self._fault else "quit\n")


def komi_for(position: Position) -> float:
    """Return the komi to send to an engine for a position.

    In a match, the result is the komi plus White's prisoners minus Black's prisoners, including prisoners from passes.
    With this komi, an engine's area score equals the score under the rules of the match.
    """
    komi = position.ruleset.komi2 / 2
    if isinstance(position, MatchPosition):
        komi += position.prisoners[1] - position.prisoners[0]
    return komi


def katago_rules(ruleset: Ruleset) -> dict[str, object]:
    """Return the KataGo rules closest to a ruleset as {name: value}.

    Names and values follow the notation of KataGo's GTP extensions. Little-Go counts only stones; area scoring with a
    tax on all territory has the same effect.
    """
    ours = game_of(ruleset).katago
    return {
        "ko": ours["ko"],
        "scoring": "AREA",
        "tax": ours["tax"],
        "suicide": False,
        "hasButton": False,
        "whiteHandicapBonus": "0",
        "friendlyPassOk": False,
    }


def stones_of(position: Position) -> list[Play]:
    """Return a Play for each stone on a board, Black's stones first.

    The stones can be placed in any order without a capture.
    """
    both = ((BLACK, position.black), (WHITE, position.white))
    return [Play(colour, point) for colour, stones in both for point in points_of(stones)]
