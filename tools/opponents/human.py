"""Human: a person at the terminal, with the board drawn, hints, reasons and undo."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from typing import TextIO

from rules.engine import Decision
from rules.geometry import Point, points_of
from rules.position import BLACK, PASS, RESIGN, Position
from tools.draw.boards import board_text, move_text
from tools.draw.decisions import contrast_line, reason_line, table_lines, why_lines
from tools.draw.terminal import terminal_columns, wrap_text
from tools.games.game import margin2, opening, why_illegal
from tools.match.protocol import Turn
from tools.match.referee import UNDO, Player, Reply
from tools.match.thinking import ask_line
from tools.opponents.ours import decide_at
from tools.reasons.contrast import candidate_of, contrast

SOLVED = 14  # moves left from which the solver answers at once
HELP = "Enter row,column (as 2,3), pass, undo, hint, why or exit."
HELP_WORDS = ("?", "help", "h")
ALL_HELP = """\
  2,3     play in row 2, column 3; both count from 0, from the top left corner
  pass    play no stone; two passes in a row end the game
  undo    take back your last move, and the reply to it
  hint    the move that our player would make here, and what exact play says of it
  why     why the opponent moved as it did, if it is our player; else what our
          player would do in your place. why 2,3 and why pass: why it was not
          that move; why all: every move, with its patterns
  exit    resign
  ?       this help"""
_NUMBERS = re.compile(r"\(?\s*(-?[0-9]+)(?:\s*[,;.:/]\s*|\s+)(-?[0-9]+)\s*\)?")
_LETTERED = re.compile(r"([a-hj-t])\s*([0-9]{1,2})")  # as Go diagrams name points: no I, rows from the bottom


class HumanPlayer(Player):
    """A person who is asked until the answer is a legal move, `undo` or `exit`.

    decide_theirs: the opponent's complete decision in a position, or None where that is not our player. ask, out: for
    tests.
    """

    name = "human"
    timed = False

    def __init__(self, ask: Callable[[str], str] = ask_line, out: TextIO | None = None):
        self.ask = ask
        self.out = out or sys.stdout
        self.greeted = False
        self.decide_theirs: Callable[[Position], Decision | None] = lambda position: None
        self.left_them: dict[int, Position] = {}  # what the opponent was left with, by the number of its move

    def choose(self, turn: Turn) -> Reply:
        """Draw the board and ask; the end of the input resigns."""
        position = turn.position
        self._say(_describe_position(position))
        if not self.greeted:
            self._say(HELP)
            self.greeted = True
        while True:
            try:
                entry = unicodedata.normalize("NFKC", self.ask("Your move: ")).strip().lower()
            except EOFError:
                return Reply(RESIGN)
            reply = self._answer(entry, position)
            if reply is not None:
                if reply.move is not None and reply.move not in (UNDO, RESIGN):
                    self.left_them[position.number + 1] = position.play(reply.move)
                return reply

    def _answer(self, entry: str, position: Position) -> Reply | None:
        """Return the reply that an entry makes, or None after saying what is wrong or what was asked."""
        if entry in ("exit", "quit"):
            return Reply(RESIGN)
        if entry == "pass":
            return Reply(PASS)
        if entry == "undo":
            if position.number > 2:
                return Reply(UNDO)
            self._say("Nothing to take back: you have not moved yet.")
        elif entry == "hint":
            self._say(reason_line(decide_at(position)))
            self._say(_exact_hint(position))
        elif entry in HELP_WORDS:
            self._say(ALL_HELP)
        elif entry == "why" or entry.startswith("why "):
            self._explain(entry.removeprefix("why").strip(), position)
        else:
            return self._point(entry, position)
        return None

    def _point(self, entry: str, position: Position) -> Reply | None:
        point = self._read_point(entry, position.ruleset.size)
        if point is None:
            return None
        if why := why_illegal(position, point):
            self._say(f"{move_text(point, position.ruleset.size)} is not legal: {why}.")
            return None
        return Reply(point)

    def _read_point(self, entry: str, size: int) -> Point | None:
        """Return the point that an entry names, or None after saying what is wrong with it."""
        numbers = _NUMBERS.fullmatch(entry)
        if numbers is None:
            self._say(f"{_explain_no_move(entry, size)} {HELP}")
            return None
        row, column = int(numbers[1]), int(numbers[2])
        if not (0 <= row < size and 0 <= column < size):
            self._say(f"{row},{column} is off the board: rows and columns go from 0 to {size - 1}.")
            return None
        return size * row + column

    def _explain(self, asked: str, position: Position) -> None:
        """Say why the opponent's last move was played, or what our player would do here; or why not the move asked."""
        point = None
        if asked not in ("", "all"):
            point = PASS if asked == "pass" else self._read_point(asked, position.ruleset.size)
            if point is None:
                return
        decision = self._their_decision(position)
        if decision is None:
            decision = decide_at(position, complete=True)
            self._say("Our player in your place:")
        if point is not None:
            self._say(_why_not(decision, point))
        else:
            reason = contrast(decision)
            self._say("\n".join(table_lines(reason) if asked else why_lines(reason, "why all")))

    def _their_decision(self, position: Position) -> Decision | None:
        """Return the decision that made the opponent's last move; None where that is not known, or not ours."""
        before = self.left_them.get(position.number - 1, opening(position.ruleset))
        for move in [*points_of(before.legal()), PASS] if before.number == position.number - 1 else ():
            after = before.play(move)
            if (after.black, after.white) == (position.black, position.white):
                decision = self.decide_theirs(before)
                return decision if decision is not None and decision.move == move else None
        return None

    def _say(self, text: str) -> None:
        """Print a text, its lines no longer than the terminal's."""
        columns = terminal_columns()
        lines = (wrap_text("", line) if len(line) > columns else line for line in text.split("\n"))
        print("\n".join(lines), file=self.out, flush=True)


def _explain_no_move(entry: str, size: int) -> str:
    """Return in a sentence what is wrong with an entry that names no point."""
    if not entry:
        return "An empty line is no move; to pass, write pass."
    if entry.lstrip("-").isdecimal():
        return f"{entry!r} is no move: it is one number, and a point needs two, its row and its column."
    lettered = _LETTERED.fullmatch(entry)
    column = "abcdefghjklmnopqrst".index(lettered[1]) if lettered else size
    row = size - int(lettered[2]) if lettered else size
    if 0 <= row < size and column < size:
        return (
            f"{entry!r} is no move: there are no letters here. What Go diagrams call {entry.upper()} is {row},{column}."
        )
    return f"{entry!r} is no move."


def _describe_position(position: Position) -> str:
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    lead2 = margin2(position)
    ahead = f"Black leads by {lead2 / 2:g}" if lead2 > 0 else f"White leads by {-lead2 / 2:g}"
    drawn = board_text(position.ruleset.size, position.black, position.white)
    passed = " The opponent passed: a pass ends the game." if position.passed and position.number > 1 else ""
    return f"\n{drawn}\nYou are {mover}, {position.left} moves left, {ahead if lead2 else 'level'} after komi.{passed}"


def _why_not(decision: Decision, move: Point) -> str:
    """Return what a complete decision holds against a move."""
    name = move_text(move, decision.position.ruleset.size)
    candidate = candidate_of(decision, move)
    if candidate is None:
        return f"{name} is illegal there: {why_illegal(decision.position, move)}."
    if candidate is decision.chosen:
        return f"{name} is the move that is played. {reason_line(decision)}"
    return wrap_text(f"Why not {name}: ", contrast_line(contrast(decision, candidate)) + ".")


def _exact_hint(position: Position) -> str:
    """Return what the solver says of the moves, or why it says nothing."""
    if position.left > SOLVED:
        return f"(Which moves win by exact play is known with {SOLVED} moves left or fewer.)"
    from tools.solver.answers import hint_text  # numba takes a second to load

    return "By exact play: " + hint_text(position)
