"""Tests of the engine check: our engine and GNU Go pass, and broken engines get the right diagnosis."""

import shutil
import sys
import time

import pytest
from gtp_talk import Talk

from littlego.cli.main import main
from littlego.games.match import match_rules
from littlego.match.conversation import Conversation, ConversationError
from littlego.match.referee import Player, Reply
from littlego.players.gtp.check import check_engine
from littlego.players.gtp.protocol import GtpError
from littlego.rules.position import PASS
from littlego.rules.ruleset import LITTLE_GO

GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


class InProcess:
    """A conversation with an engine in this process. Subclasses violate the protocol."""

    plays = "random"

    def __init__(self, rules=LITTLE_GO):
        self.front = Talk(rules, self.plays)
        self.engine = self.front.engine
        self.waiting, self.begun, self.ended = "", b"", False

    def say(self, text):
        if self.ended:
            raise ConversationError("ended with exit status 0")
        *lines, self.begun = (self.begun + text.encode()).split(b"\n")
        for line in lines:
            self.ended = self.ended or not self.answer(line)

    def answer(self, line):
        return self.engine.answer(line, self.write)

    def write(self, text):
        self.waiting += text

    def hear(self, deadline):
        if not self.waiting and self.ended:
            raise ConversationError("ended with exit status 0")
        said, self.waiting = self.waiting, ""
        return said.encode()

    def ends_by(self, farewell, deadline):
        return True

    def close(self):
        pass

    def instead(self, name, handler):
        """Replace the handler of one of the engine's commands."""
        self.engine._handlers[name] = handler


def refuse(message):
    def handler(session, arguments):
        raise GtpError(message)

    return handler


class ForgetsIds(InProcess):
    def write(self, text):
        super().write(text[0] + text[1:].lstrip("0123456789"))


class NoBlankLine(InProcess):
    def write(self, text):
        super().write(text.rstrip("\n") + "\n")


class NoSign(InProcess):
    def write(self, text):
        super().write(text.lstrip("=? "))


class Banner(InProcess):
    def answer(self, line):
        goes_on = super().answer(line)
        if line.startswith(b"\tname"):
            self.write("thinking ...\n")
        return goes_on


class AnswersComments(InProcess):
    def answer(self, line):
        return super().answer(line.replace(b"#", b"")) if line.startswith(b"#") else super().answer(line)


class KnowsTooLittle(InProcess):
    def __init__(self):
        super().__init__()
        del self.engine._handlers["known_command"]


class SaysTooMuch(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("known_command", lambda session, arguments: "true")


class KnowsAll(InProcess):
    def answer(self, line):
        return super().answer(b"komi 0" if line.startswith(b"littlego") else line)


class OldProtocol(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("protocol_version", lambda session, arguments: "1")


class MixesUp(InProcess):
    """An engine that answers in the wrong order if several commands arrive together."""

    def say(self, text):
        super().say(text)
        if text.count("\n") > 10:
            first, second, rest = self.waiting.split("\n\n", 2)
            self.waiting = f"{second}\n\n{first}\n\n{rest}"


class RefusesKomi(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("komi", refuse("komi comes after boardsize"))


class AnyBoard(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("boardsize", lambda session, arguments: "")


class PlaysAnything(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("play", lambda session, arguments: "")


class SameAgain(Player):
    name = "same"

    def choose(self, turn):
        return Reply(PASS)


class AlwaysTheCorner(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("genmove", lambda session, arguments: "A1")


class NoVertex(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("genmove", lambda session, arguments: "1,1")


class UndoesNothing(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("undo", lambda session, arguments: "")


class WordyScore(InProcess):
    def __init__(self):
        super().__init__()
        self.instead("final_score", lambda session, arguments: "Black wins")


class DiesOfUnknown(InProcess):
    def answer(self, line):
        return False if b"no-such" in line else super().answer(line)


class NeverEnds(InProcess):
    def ends_by(self, farewell, deadline):
        return False


BROKEN = [
    (ForgetsIds, "the engine answers 'name', sent with the id 17, with '= ours'; expected the same id"),
    (
        NoBlankLine,
        "gave no answer to 'list_commands' in 1 s, only '= boardsize' ... without a blank line",
    ),
    (NoSign, "the engine answers 'list_commands' with 'boardsize' ...; expected = or ?, then the id and a space"),
    (Banner, "the engine wrote 'thinking ...' without a command"),
    (AnswersComments, "blank lines, comments, tabs or a carriage return change the answer to 'name'"),
    (KnowsTooLittle, "list_commands does not name known_command, which every engine must know"),
    (SaysTooMuch, "'known_command littlego-no-such-command' is 'true'; expected false, as in list_commands"),
    (KnowsAll, "the engine answers 'littlego-no-such-command' with =, but there is no such command"),
    (OldProtocol, "protocol_version is '1'; expected 2"),
    (MixesUp, "sent with the id 1, with '?2 unknown command'"),
    (RefusesKomi, "'komi 2.5' is refused: 'komi comes after boardsize'"),
    (AnyBoard, "the engine answers 'boardsize 1000' with =, but no engine supports this size"),
    (PlaysAnything, "the engine answers 'play w A1' with =, but there is a stone already; expected ? and a message"),
    (PlaysAnything, "the engine answers 'play w A1' with =, but it is suicide, which these rules forbid"),
    (AlwaysTheCorner, "move 2, 'genmove w', is 'A1': there is a stone already"),
    (NoVertex, "move 1, 'genmove b', is '1,1': it is not a vertex, pass or resign"),
    (UndoesNothing, "the engine answers 'undo' with =, but there is no move to take back"),
    (UndoesNothing, "'play w B2' is refused: 'illegal move'"),
    (WordyScore, "final_score is 'Black wins'; expected a result such as B+3.5, W+0.5 or 0"),
    (DiesOfUnknown, "after the command 'known_command littlego-no-such-command': ended with exit status 0"),
    (NeverEnds, "the engine is still running 5 s after quit"),
    (NeverEnds, "the engine is still running 5 s after the end of its input"),
]


@pytest.mark.parametrize(("broken", "what"), BROKEN, ids=[f"{one.__name__}-{n}" for n, (one, _) in enumerate(BROKEN)])
def test_what_is_wrong_with_an_engine_is_said_in_words(broken, what):
    wrong = check_engine(broken, LITTLE_GO, 1)
    assert [said for said in wrong if what in said], wrong
    assert all(len(said) < 300 and said.isprintable() for said in wrong)


class WordyThenSilent(WordyScore):
    """An engine that answers nothing when it is started a second time."""

    starts = 0

    def __init__(self):
        super().__init__()
        type(self).starts += 1
        self.is_silent = self.starts == 2

    def hear(self, deadline):
        return b"" if self.is_silent else super().hear(deadline)


def test_a_second_run_without_answers_leaves_the_findings_of_the_first():
    wrong = check_engine(WordyThenSilent, LITTLE_GO, 1)
    assert "final_score is 'Black wins'" in wrong[0] and "gave no answer" in wrong[-1]


@pytest.mark.parametrize("rules", [LITTLE_GO, match_rules(5), match_rules(9), match_rules(19, pass_stones=False)])
def test_nothing_is_wrong_with_ours(rules):
    assert check_engine(lambda: InProcess(rules), rules, 1) == []


def test_an_engine_that_passes_at_once_is_no_broken_one():
    class Passes(InProcess):
        plays = SameAgain()

    assert check_engine(Passes, LITTLE_GO, 1) == []


def test_the_command_finds_nothing_wrong_with_our_program(capsys):
    assert main(["gtp", "--ruleset", "match", "--size", "5", "--player", "random", "--check"]) == 0
    assert capsys.readouterr().out == "no errors\n"


def test_a_program_that_is_no_engine_is_a_finding(capsys, monkeypatch):
    assert main(["gtp", "--sandbox", "none", "--check", f"{sys.executable} -c 'raise SystemExit(3)'"]) == 1
    assert "after the command 'list_commands': ended with exit status 3" in capsys.readouterr().out


def test_a_program_that_says_nothing_is_given_up():
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    began = time.monotonic()
    assert check_engine(lambda: Conversation(command, False), LITTLE_GO, 0.2) == [
        "the engine gave no answer to 'list_commands' in 0.2 s"
    ]
    assert time.monotonic() - began < 300  # the check did not wait for the program to end


def test_a_long_list_is_cut(capsys, monkeypatch):
    monkeypatch.setattr(
        "littlego.players.gtp.cli.check_engine", lambda *words: [f"fault {number}" for number in range(50)]
    )
    assert main(["gtp", "--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "- fault 0" and lines[-1] == "and 30 more" and len(lines) == 21


def test_a_program_that_is_not_there_is_a_line(capsys):
    assert main(["gtp", "--check", "littlego-no-such-program"]) == 2
    assert "there is no program 'littlego-no-such-program'" in capsys.readouterr().err


@pytest.mark.skipif(GNU_GO is None, reason="NOT RUN: GNU Go is not installed (apt install gnugo)")
@pytest.mark.slow
def test_nothing_is_wrong_with_gnu_go():
    command = [GNU_GO, "--mode", "gtp", "--level", "0", "--boardsize", "5"]
    assert check_engine(lambda: Conversation(command, False), LITTLE_GO, 60) == []
