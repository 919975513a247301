"""An engine of the Go Text Protocol tried as front ends would use it: what it does wrong, in words.

Sabaki tells the komi first and sends a whole game without waiting for answers; Lizzie gives every command an id; all
of them take moves that are illegal for a broken engine. Each check below is one thing that such a program relies on.
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
PIPELINED = 40  # commands sent at once
PLIES = 30  # at most of the game that the engine plays against itself
END_SECONDS = 5.0  # seconds in which an engine ends
LARGEST_ANSWER = 1_000_000  # bytes
_ANSWER = re.compile(r"([=?])([0-9]*)(?:[ \t]+|(?=\n)|\Z)(.*)", re.DOTALL)
_SCORE = re.compile(r"0|[BW]\+([0-9]+(\.[0-9]+)?|R|Resign|T|Time|F|Forfeit)|\?")


class Silent(Exception):
    """An engine that does not answer any more, so that nothing else can be tried; the text says what it was asked."""


class Answer(NamedTuple):
    """An answer: whether it begins with `=`, and its text."""

    fine: bool
    text: str


class FrontEnd:
    """What a front end does with an engine. wrong: what it has found, a sentence each. wait: seconds for an answer."""

    def __init__(self, talk: Conversation, ruleset: Ruleset, wait: float) -> None:
        self.talk = talk
        self.ruleset = ruleset
        self.wrong: list[str] = []
        self.commands: frozenset[str] = frozenset()
        self._wait = wait
        self._heard = ""

    def complain(self, what: str) -> None:
        """Keep a sentence about what is wrong, once."""
        if what not in self.wrong:
            self.wrong.append(what)

    def send(self, text: str) -> None:
        """Say lines; raise Silent."""
        try:
            self.talk.say(text)
        except ConversationError as error:
            raise Silent(f"before {quoted(text)}: {error}") from None

    def hear(self, asked: str, id: str = "") -> Answer:
        """Return the next answer; raise Silent."""
        deadline = time.monotonic() + self._wait
        while "\n\n" not in self._heard.lstrip("\n"):
            try:
                chunk = self.talk.hear(deadline)
            except ConversationError as error:
                rest = f", after {quoted(self._heard)}" if self._heard.strip() else ""
                raise Silent(f"asked for {quoted(asked)}: {error}{rest}") from None
            self._heard += chunk.decode("utf-8", "replace").replace("\r", "")
            if not chunk:
                only = f", only {quoted(self._heard)} without a blank line" if self._heard.strip() else ""
                raise Silent(f"it gave no answer to {quoted(asked)} in {self._wait:g} s{only}")
            if len(self._heard) > LARGEST_ANSWER:
                raise Silent(f"its answer to {quoted(asked)} has more than {LARGEST_ANSWER:,} characters and no end")
        text, _, self._heard = self._heard.lstrip("\n").partition("\n\n")
        return self._read(asked, id, text)

    def _read(self, asked: str, id: str, text: str) -> Answer:
        found = _ANSWER.fullmatch(text)
        if found is None:
            self.complain(f"{quoted(asked)} is answered with {quoted(text)}; expected = or ?, then the id and a space")
            return Answer(False, "")
        if found[2] != id:
            had = f"with the id {id}" if id else "without an id"
            self.complain(f"{quoted(asked)}, sent {had}, is answered with {quoted(text)}: an id is repeated as it came")
        return Answer(found[1] == "=", found[3].strip())

    def ask(self, command: str, id: str = "") -> Answer:
        """Return the answer to one command; raise Silent."""
        self.send(f"{id} {command}\n" if id else f"{command}\n")
        return self.hear(command, id)

    def want(self, command: str) -> str:
        """Return the answer to a command that must work."""
        answer = self.ask(command)
        if not answer.fine:
            self.complain(f"{quoted(command)} is refused: {quoted(answer.text)}")
        return answer.text

    def refuse(self, command: str, why: str) -> None:
        """Ask what must be refused."""
        if self.ask(command).fine:
            self.complain(f"{quoted(command)} is answered with =, but {why}; expected ? and a message")

    def listen(self) -> None:
        """Complain of what comes unasked."""
        try:
            self._heard += self.talk.hear(0.0).decode("utf-8", "replace").replace("\r", "")
        except ConversationError as error:
            raise Silent(f"nothing was asked: {error}") from None
        if self._heard.strip():
            self.complain(f"it says {quoted(self._heard)} though nothing was asked")
            self._heard = ""

    def begin(self) -> None:
        """Set an empty board up as Sabaki does: the komi before all else."""
        self.want(f"komi {self.ruleset.komi2 / 2:g}")
        self.want(f"boardsize {self.ruleset.size}")
        self.want("clear_board")


def check_commands(front: FrontEnd) -> None:
    """The required commands are there, and what is listed is what is known."""
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
        said = front.want(f"known_command {name}")
        if said != known:
            front.complain(f"'known_command {name}' is {quoted(said)}; expected {known}, by its list_commands")
    front.refuse(UNKNOWN, "there is no such command")


def check_lines(front: FrontEnd) -> None:
    """Ids come back; comments, blank lines, tabs and carriage returns change nothing."""
    name = front.want("name")
    if front.ask("name", "17") != Answer(True, name) or front.ask("name", "0") != Answer(True, name):
        front.complain("'name' has another answer where it has an id")
    front.ask(UNKNOWN, "18")
    front.send("# a comment\n\n   \n\tname\t# another\r\n")
    if front.hear("name").text != name:
        front.complain("blank lines, comments, tabs or a carriage return change the answer to 'name'")
    front.listen()


def check_pipeline(front: FrontEnd) -> None:
    """Commands that come all at once are answered in their order."""
    front.send("".join(f"{number} {'name' if number % 2 else UNKNOWN}\n" for number in range(1, PIPELINED + 1)))
    answers = [front.hear(f"one of {PIPELINED} commands at once", str(number)) for number in range(1, PIPELINED + 1)]
    if [answer.fine for answer in answers] != [number % 2 == 1 for number in range(1, PIPELINED + 1)]:
        front.complain(f"of {PIPELINED} commands sent at once some have the answers of others")
    front.listen()


def check_board(front: FrontEnd) -> None:
    """Komi comes first and may be any number; illegal moves are refused and change nothing."""
    for komi in ("0", "-20.5", "1000", f"{front.ruleset.komi2 / 2:g}"):
        front.want(f"komi {komi}")
    front.refuse("komi x", "that is no number")
    front.begin()
    front.refuse("boardsize 1000", "no engine has such a board")
    front.refuse("boardsize x", "that is no number")
    front.begin()
    front.want("play b A1")
    front.refuse("play w A1", "there is a stone already")
    for wrong, why in (("play w I1", "no column is called I"), ("play x B1", "there is no such colour")):
        front.refuse(wrong, why)
    front.refuse(f"play w A{front.ruleset.size + 1}", "that is off the board")
    front.want("play white b1")
    front.want("play B pass")
    front.want("clear_board")
    front.want("play w A1")


def check_suicide(front: FrontEnd) -> None:
    """A stone without a liberty that takes nothing is refused, by both of our rulesets."""
    front.begin()
    front.want("play b A2")
    front.want("play b B1")
    front.refuse("play w A1", "it is suicide, which these rules forbid")


def check_game(front: FrontEnd) -> None:
    """A game against itself has legal moves only; a colour may be asked twice running."""
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
        said = front.want("genmove b")
        if parse_vertex(said, size) is None and said.lower() != "resign":
            front.complain(f"'genmove b' is answered with {quoted(said)}; expected a vertex, pass or resign")


def _generate(front: FrontEnd, colour: str, position: Position, ply: int) -> int | None:
    """Return the move that an engine makes, None where it is none that can be followed."""
    said, size = front.want(f"genmove {colour}"), position.ruleset.size
    move = RESIGN if said.lower() == "resign" else parse_vertex(said, size)
    why = "it is no vertex, pass or resign" if move is None else why_illegal(position, move)
    if why:
        front.complain(f"move {ply + 1}, 'genmove {colour}', is {quoted(said)}: {why}")
    return None if why else move


def check_undo(front: FrontEnd) -> None:
    """Undo takes back one move, and there is an end to it."""
    if "undo" not in front.commands:
        return
    front.begin()
    front.refuse("undo", "there is no move to take back")
    front.want("play b C3")
    front.want("play w B2")
    front.want("undo")
    front.refuse("play w C3", "undo should have left Black's stone there")
    front.want("play w B2")
    front.want("undo")
    front.want("undo")
    front.want("play w C3")


def check_score(front: FrontEnd) -> None:
    """The score after two passes, and the clock's commands, are understood where they are known."""
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
            front.complain(f"final_score is {quoted(score)}; expected as in B+3.5, W+0.5 or 0")
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
    """Quit is answered, and the engine ends."""
    front.ask("quit")
    if not front.talk.ends_by("", time.monotonic() + END_SECONDS):
        front.complain(f"it still runs {END_SECONDS:g} s after quit")


def _check_end_of_input(front: FrontEnd) -> None:
    """An engine whose front end has gone ends too."""
    front.want("name")
    if not front.talk.ends_by("", time.monotonic() + END_SECONDS):
        front.complain(f"it still runs {END_SECONDS:g} s after the end of its input")


def check_engine(start: Callable[[], Conversation], ruleset: Ruleset, wait: float) -> list[str]:
    """Return what is wrong with an engine, a sentence each. start: begins it anew. wait: seconds for one answer."""
    wrong: list[str] = []
    for checks in ((*CHECKS, _check_farewell), (_check_end_of_input,)):
        try:
            front = FrontEnd(start(), ruleset, wait)
        except OSError as error:
            return [*wrong, f"it cannot be started: {error.strerror or error}"]
        try:
            for check in checks:
                check(front)
        except Silent as error:  # what else it does wrong cannot be seen
            return [*front.wrong, str(error)]
        finally:
            front.talk.close()
        wrong += [what for what in front.wrong if what not in wrong]
    return wrong
