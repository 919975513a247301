"""Tests of Go Text Protocol engines with the commands that front ends send.

Sabaki sends the komi first, and it sends whole games without waiting for answers. Lizzie gives every command an id. All
front ends consider an engine broken if it plays an illegal move. Each function in CHECKS tests related assumptions of
front ends and reports each fault in one sentence.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import NamedTuple

from littlego.games.game import opening, why_illegal
from littlego.games.vertices import parse_vertex
from littlego.match.conversation import Conversation, ConversationError
from littlego.players.gtp_player import COLOUR_WORDS, quoted
from littlego.rules.position import RESIGN, Position
from littlego.rules.ruleset import Ruleset

REQUIRED = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)
UNKNOWN = "littlego-no-such-command"
PIPELINED = 40  # commands sent together
PLIES = 30  # maximum number of moves in the engine's game against itself
END_SECONDS = 5.0  # seconds for an engine to exit
LARGEST_ANSWER = 1_000_000  # bytes
_ANSWER = re.compile(r"([=?])([0-9]*)(?:[ \t]+|(?=\n)|\Z)(.*)", re.DOTALL)
_SCORE = re.compile(r"0|[BW]\+([0-9]+(\.[0-9]+)?|R|Resign|T|Time|F|Forfeit)|\?")


class Silent(Exception):
    """Raised if the engine stops reading or answering; the checks end and report the exception's text."""


class Answer(NamedTuple):
    """An engine's answer: whether it begins with `=`, and its text."""

    fine: bool
    text: str


class FrontEnd:
    """A simulated front end. wrong: the faults so far, one sentence each. wait: seconds to wait for an answer."""

    def __init__(self, talk: Conversation, ruleset: Ruleset, wait: float) -> None:
        self.talk = talk
        self.ruleset = ruleset
        self.wrong: list[str] = []
        self.commands: frozenset[str] = frozenset()
        self._wait = wait
        self._heard = ""

    def complain(self, what: str) -> None:
        """Record a fault unless it is already recorded."""
        if what not in self.wrong:
            self.wrong.append(what)

    def send(self, text: str) -> None:
        """Send lines; raise Silent if the engine no longer reads."""
        try:
            self.talk.say(text)
        except ConversationError as error:
            raise Silent(f"before {quoted(text)}: {error}") from None

    def hear(self, command: str, id: str = "") -> Answer:
        """Return the next answer; raise Silent unless a complete answer arrives in time."""
        deadline = time.monotonic() + self._wait
        while "\n\n" not in self._heard.lstrip("\n"):
            try:
                chunk = self.talk.hear(deadline)
            except ConversationError as error:
                rest = f", after {quoted(self._heard)}" if self._heard.strip() else ""
                raise Silent(f"after the command {quoted(command)}: {error}{rest}") from None
            self._heard += chunk.decode("utf-8", "replace").replace("\r", "")
            if not chunk:
                only = f", only {quoted(self._heard)} without a blank line" if self._heard.strip() else ""
                raise Silent(f"the engine gave no answer to {quoted(command)} in {self._wait:g} s{only}")
            if len(self._heard) > LARGEST_ANSWER:
                raise Silent(f"the answer to {quoted(command)} has more than {LARGEST_ANSWER:,} characters and no end")
        text, _, self._heard = self._heard.lstrip("\n").partition("\n\n")
        return self._read(command, id, text)

    def _read(self, command: str, id: str, text: str) -> Answer:
        match = _ANSWER.fullmatch(text)
        if match is None:
            self.complain(
                f"the engine answers {quoted(command)} with {quoted(text)}; expected = or ?, then the id and a space"
            )
            return Answer(False, "")
        if match[2] != id:
            had = f"with the id {id}" if id else "without an id"
            self.complain(
                f"the engine answers {quoted(command)}, sent {had}, with {quoted(text)}; expected the same id"
            )
        return Answer(match[1] == "=", match[3].strip())

    def ask(self, command: str, id: str = "") -> Answer:
        """Send a command and return its answer; raise Silent unless a complete answer arrives in time."""
        self.send(f"{id} {command}\n" if id else f"{command}\n")
        return self.hear(command, id)

    def want(self, command: str) -> str:
        """Send a command that must succeed and return its answer; record a fault if it fails."""
        answer = self.ask(command)
        if not answer.fine:
            self.complain(f"{quoted(command)} is refused: {quoted(answer.text)}")
        return answer.text

    def refuse(self, command: str, why: str) -> None:
        """Send a command that the engine must refuse; record a fault if the engine accepts it."""
        if self.ask(command).fine:
            self.complain(f"the engine answers {quoted(command)} with =, but {why}; expected ? and a message")

    def listen(self) -> None:
        """Record a fault if the engine writes output without a command."""
        try:
            self._heard += self.talk.hear(0.0).decode("utf-8", "replace").replace("\r", "")
        except ConversationError as error:
            raise Silent(f"before any command: {error}") from None
        if self._heard.strip():
            self.complain(f"the engine wrote {quoted(self._heard)} without a command")
            self._heard = ""

    def begin(self) -> None:
        """Set up an empty board as Sabaki does: the komi comes first."""
        self.want(f"komi {self.ruleset.komi2 / 2:g}")
        self.want(f"boardsize {self.ruleset.size}")
        self.want("clear_board")


def check_commands(front: FrontEnd) -> None:
    """Check the answers to list_commands, known_command, protocol_version, name and version."""
    front.commands = frozenset(front.want("list_commands").split())
    for name in REQUIRED:
        if name not in front.commands:
            front.complain(f"list_commands does not name {name}, which every engine must know")
    version = front.want("protocol_version")
    if version != "2":
        front.complain(f"protocol_version is {quoted(version)}; expected 2")
    for command in ("name", "version"):
        if not front.want(command):
            front.complain(f"{command} is empty")
    for name, known in (*((name, "true") for name in sorted(front.commands)), (UNKNOWN, "false")):
        answer = front.want(f"known_command {name}")
        if answer != known:
            front.complain(f"'known_command {name}' is {quoted(answer)}; expected {known}, as in list_commands")
    front.refuse(UNKNOWN, "there is no such command")


def check_lines(front: FrontEnd) -> None:
    """Check that answers repeat ids, and that the layout of the input changes no answer.

    Comments, blank lines, tabs and carriage returns must not change an answer.
    """
    name = front.want("name")
    if front.ask("name", "17") != Answer(True, name) or front.ask("name", "0") != Answer(True, name):
        front.complain("an id changes the answer to 'name'")
    front.ask(UNKNOWN, "18")
    front.send("# a comment\n\n   \n\tname\t# another\r\n")
    if front.hear("name").text != name:
        front.complain("blank lines, comments, tabs or a carriage return change the answer to 'name'")
    front.listen()


def check_pipeline(front: FrontEnd) -> None:
    """Check that the engine answers commands in order if all commands arrive together."""
    front.send("".join(f"{number} {'name' if number % 2 else UNKNOWN}\n" for number in range(1, PIPELINED + 1)))
    answers = [
        front.hear(f"command {number} of {PIPELINED} sent together", str(number)) for number in range(1, PIPELINED + 1)
    ]
    if [answer.fine for answer in answers] != [number % 2 == 1 for number in range(1, PIPELINED + 1)]:
        front.complain(f"some of {PIPELINED} commands sent together got the answers to other commands")
    front.listen()


def check_board(front: FrontEnd) -> None:
    """Check that komi, boardsize and play accept valid arguments and refuse invalid arguments."""
    for komi in ("0", "-20.5", "1000", f"{front.ruleset.komi2 / 2:g}"):
        front.want(f"komi {komi}")
    front.refuse("komi x", "x is not a number")
    front.begin()
    front.refuse("boardsize 1000", "no engine supports this size")
    front.refuse("boardsize x", "x is not a number")
    front.begin()
    front.want("play b A1")
    front.refuse("play w A1", "there is a stone already")
    for wrong, why in (("play w I1", "there is no column I"), ("play x B1", "there is no such colour")):
        front.refuse(wrong, why)
    front.refuse(f"play w A{front.ruleset.size + 1}", "the vertex is off the board")
    front.want("play white b1")
    front.want("play B pass")
    front.want("clear_board")
    front.want("play w A1")


def check_suicide(front: FrontEnd) -> None:
    """Check that the engine refuses suicide, which both of our rulesets forbid."""
    front.begin()
    front.want("play b A2")
    front.want("play b B1")
    front.refuse("play w A1", "it is suicide, which these rules forbid")


def check_game(front: FrontEnd) -> None:
    """Check that the engine plays legally against itself, and that a colour may move twice in a row."""
    front.begin()
    position = opening(front.ruleset)
    for ply in range(PLIES):
        colour = COLOUR_WORDS[position.colour]
        move = _generate(front, colour, position, ply)
        if move is None or move == RESIGN or position.ends_with(move):
            break
        position = position.play(move)
    front.begin()
    size = front.ruleset.size
    for _ in range(2):
        answer = front.want("genmove b")
        if parse_vertex(answer, size) is None and answer.lower() != "resign":
            front.complain(f"the engine answers 'genmove b' with {quoted(answer)}; expected a vertex, pass or resign")


def _generate(front: FrontEnd, colour: str, position: Position, ply: int) -> int | None:
    """Return the engine's move, or None after recording a fault if the move is not legal."""
    answer, size = front.want(f"genmove {colour}"), position.ruleset.size
    move = RESIGN if answer.lower() == "resign" else parse_vertex(answer, size)
    why = "it is not a vertex, pass or resign" if move is None else why_illegal(position, move)
    if why:
        front.complain(f"move {ply + 1}, 'genmove {colour}', is {quoted(answer)}: {why}")
    return None if why else move


def check_undo(front: FrontEnd) -> None:
    """If the engine has undo, check that undo takes back one move and fails on the empty board."""
    if "undo" not in front.commands:
        return
    front.begin()
    front.refuse("undo", "there is no move to take back")
    front.want("play b C3")
    front.want("play w B2")
    front.want("undo")
    front.refuse("play w C3", "undo must not remove Black's stone at C3")
    front.want("play w B2")
    front.want("undo")
    front.want("undo")
    front.want("play w C3")


def check_score(front: FrontEnd) -> None:
    """Check the clock commands, final_score, and genmove after two passes.

    The clock commands and final_score are checked only if the engine has them.
    """
    front.begin()
    for known, command in (("time_settings", "time_settings 900 0 0"), ("time_left", "time_left b 873 0")):
        if known in front.commands:
            front.want(command)
    front.want("play b A1")
    front.want("play w pass")
    front.want("play b pass")
    if "final_score" in front.commands:
        score = front.want("final_score")
        if not _SCORE.fullmatch(score):
            front.complain(f"final_score is {quoted(score)}; expected a result such as B+3.5, W+0.5 or 0")
    front.want("genmove w")


CHECKS: tuple[Callable[[FrontEnd], None], ...] = (
    check_commands,
    check_lines,
    check_pipeline,
    check_board,
    check_suicide,
    check_game,
    check_undo,
    check_score,
)


def _check_farewell(front: FrontEnd) -> None:
    """Check that the engine answers quit and exits."""
    front.ask("quit")
    if not front.talk.ends_by("", time.monotonic() + END_SECONDS):
        front.complain(f"the engine is still running {END_SECONDS:g} s after quit")


def _check_end_of_input(front: FrontEnd) -> None:
    """Check that the engine exits when its front end closes the input."""
    front.want("name")
    if not front.talk.ends_by("", time.monotonic() + END_SECONDS):
        front.complain(f"the engine is still running {END_SECONDS:g} s after the end of its input")


def check_engine(start: Callable[[], Conversation], ruleset: Ruleset, wait: float) -> list[str]:
    """Return the faults of an engine, one line each.

    start: a function that starts an engine and returns the conversation with it. wait: seconds to wait for an answer.
    """
    wrong: list[str] = []
    for checks in ((*CHECKS, _check_farewell), (_check_end_of_input,)):
        try:
            front = FrontEnd(start(), ruleset, wait)
        except OSError as error:
            return [*wrong, f"the engine cannot be started: {error.strerror or error}"]
        try:
            for check in checks:
                check(front)
        except Silent as error:  # a silent engine's other faults cannot be checked
            return [*wrong, *(what for what in front.wrong if what not in wrong), str(error)]
        finally:
            front.talk.close()
        wrong += [what for what in front.wrong if what not in wrong]
    return wrong
