"""The player for a person at the terminal, with drawn boards, hints, reasons and undo."""

from __future__ import annotations

import re
import sys
import time
import unicodedata
from collections.abc import Callable
from typing import TextIO

from littlego.cli.terminal import terminal_columns, time_text, wrap_text
from littlego.engines.draw.decisions import contrast_line, hint_lines, reason_line, table_lines, why_lines
from littlego.engines.reasons.contrast import candidate_of, contrast
from littlego.games.boards import NUMBERED_ALONE, board_text, move_text, move_text_both
from littlego.games.game import opening, why_illegal
from littlego.games.little_go import game_of
from littlego.games.match import MatchPosition
from littlego.games.vertices import LETTERS, parse_vertex, vertex_text
from littlego.match.protocol import Turn
from littlego.match.referee import TIME_UP, UNDO, Player, Reply
from littlego.players.keyboard import TimeoutReached, ask_within, forget_typed
from littlego.players.ours import decide_at
from littlego.players.score import standing_text
from littlego.rules.engine import Decision
from littlego.rules.geometry import Point, points_of
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position

SOLVED = 14  # at this many moves left or fewer, the solver answers at once
SLOW = 9  # largest board size on which our player answers at once
EXAMPLE = 2, 3  # row and column of the example point in the help
HELP_WORDS = ("?", "help", "h")
_NUMBERS = re.compile(r"\(?\s*(-?[0-9]{1,9})(?:\s*[,;.:/]\s*|\s+)(-?[0-9]{1,9})\s*\)?")
# point names as in Go diagrams: no letter I, rows counted from the bottom
_LETTERED = re.compile(r"([a-z])\s*([0-9]{1,2})")


def takes_letters(position: Position) -> bool:
    """Return whether point names such as `d4` are accepted: in a match, or on a board drawn with letters."""
    return isinstance(position, MatchPosition) or position.ruleset.size > NUMBERED_ALONE


def _example(size: int) -> str:
    return vertex_text(EXAMPLE[0] * size + EXAMPLE[1], size)


def help_line(position: Position) -> str:
    """Return one line of help that lists the accepted entries."""
    if not takes_letters(position):
        return "Enter row,column (such as 2,3), pass, undo, hint, why or exit."
    named = _example(position.ruleset.size)
    return f"Enter a point (such as 2,3 or {named}), pass, undo, hint, why, resign or ? for help."


def help_text(position: Position) -> str:
    """Return the full help, which explains each accepted entry."""
    lettered = takes_letters(position)
    costs = isinstance(position, MatchPosition) and position.ruleset.pass_stones
    entries = [
        ("2,3", "play in row 2, column 3; both are numbered from 0 at the top left"),
        *([(_example(position.ruleset.size), "the same point, as in Go diagrams")] if lettered else []),
        ("pass", "play no stone; two passes in a row end the game"),
        *([("", "a pass gives the opponent a stone")] if costs else []),
        ("undo", "take back your last move and the opponent's reply"),
        *([("", "the time used is not restored")] if isinstance(position, MatchPosition) else []),
        ("hint", "our player's move in this position, and the solver's result"),
        ("why", "if our player is your opponent: the reason for its last move;"),
        ("", "otherwise: the move that our player would choose now"),
        ("why 2,3", "why our player rejected this move; for a pass, enter why pass"),
        ("why all", "every move, with its patterns"),
        *([("resign", "give up the game; exit does the same")] if lettered else [("exit", "resign")]),
        ("?", "this help"),
    ]
    return "\n".join(f"  {entry:9}{text}" for entry, text in entries)


class HumanPlayer(Player):
    """A person at the terminal, who is prompted until the entry is a legal move, `undo` or `resign`.

    decide_theirs: a function that returns the opponent's decision in a position, with all candidates, or None if the
    opponent is not our player. ask, out: replacements for the keyboard and the terminal.
    """

    name = "human"
    timed = False

    def __init__(self, ask: Callable[[str], str] | None = None, out: TextIO | None = None):
        self.ask = ask
        self.out = out or sys.stdout
        self.first = 0  # number of the person's first move, 0 before that move
        self.decide_theirs: Callable[[Position], Decision | None] = lambda position: None
        self.left_them: dict[int, Position] = {}  # {move number: position in which the opponent moved}
        self._is_asked = False
        self._is_closed = False

    def choose(self, turn: Turn) -> Reply:
        """Draw the board, prompt until an entry is a legal move, `undo` or `resign`, and return the Reply.

        If the time runs out before such an entry, the Reply has the fault TIME_UP. The end of the input counts as a
        resignation.
        """
        position = turn.position
        until = None if turn.times is None else time.monotonic() + turn.times.of(position.colour)
        self._say(f"\n{_draw(turn)}\n{standing_text(position, turn.times)}")
        if not self.first:
            self._say(help_line(position))
            self.first = position.number
        while True:
            try:
                entry = unicodedata.normalize("NFKC", self._ask(until)).strip().lower()
            except EOFError:
                self._is_asked = False
                return Reply(RESIGN)
            except TimeoutReached:
                return Reply(None, fault=TIME_UP)
            reply = self._answer(entry, position)
            if reply is not None:
                if reply.move is not None and reply.move not in (UNDO, RESIGN):
                    self.left_them[position.number + 1] = position.play(reply.move)
                return reply

    def _ask(self, until: float | None) -> str:
        """Return the next entry. until: the deadline on the monotonic clock, None in a game without clocks."""
        left = 0.0 if until is None else until - time.monotonic()
        prompt = "Your move: " if until is None else f"Your move ({time_text(left)} left): "
        self._is_asked = until is not None
        if self.ask is not None:
            entry = self.ask(prompt)
        else:
            entry = input(prompt) if until is None else ask_within(prompt, left)
        self._is_asked = False
        return entry

    def close(self) -> None:
        """Suppress all further texts.

        If a timeout or Ctrl-C interrupted a prompt, end the prompt's line and discard unread input.
        """
        self._is_closed = True
        if self._is_asked:
            print(file=self.out, flush=True)
            forget_typed()

    def _answer(self, entry: str, position: Position) -> Reply | None:
        """Return the Reply for an entry, or print the requested information or an error and return None."""
        if entry in ("resign", "exit", "quit"):
            return Reply(RESIGN)
        if entry == "pass":
            return Reply(PASS)
        if entry == "undo":
            if position.number - 2 >= self.first:
                return Reply(UNDO)
            self._say("Nothing to take back: you have not moved yet.")
        elif entry == "hint":
            self._tell_of_wait(position)
            for line in hint_lines(decide_at(position)):
                self._say(line)
            self._say(exact_hint(position))
        elif entry in HELP_WORDS:
            self._say(help_text(position))
        elif entry == "why" or entry.startswith("why "):
            self._explain(entry.removeprefix("why").strip(), position)
        else:
            return self._point(entry, position)
        return None

    def _tell_of_wait(self, position: Position) -> None:
        if position.ruleset.size > SLOW:
            self._say("Please wait: on a board of this size, our player thinks for several seconds.")

    def _point(self, entry: str, position: Position) -> Reply | None:
        point = self._read_point(entry, position)
        if point is None:
            return None
        if why := why_illegal(position, point):
            self._say(f"{move_text_both(point, position.ruleset.size)} is not legal: {why}.")
            return None
        return Reply(point)

    def _read_point(self, entry: str, position: Position) -> Point | None:
        """Return the point that an entry names, or None after printing the error."""
        size, numbers = position.ruleset.size, _NUMBERS.fullmatch(entry)
        if takes_letters(position) and _LETTERED.fullmatch(entry):
            point = _point_named(entry, size)
            if point is None:
                columns = f"A to {LETTERS[size - 1]}" + (" without I" if LETTERS[size - 1] > "I" else "")
                self._say(f"{entry.upper()} is off the board: columns are {columns}, rows 1 to {size} from the bottom.")
            return point
        if numbers is None:
            self._say(f"{_explain_no_move(entry, position)} {help_line(position)}")
            return None
        row, column = int(numbers[1]), int(numbers[2])
        if not (0 <= row < size and 0 <= column < size):
            self._say(f"{row},{column} is off the board: rows and columns go from 0 to {size - 1}.")
            return None
        return size * row + column

    def _explain(self, entry: str, position: Position) -> None:
        """Print the answer to `why`, `why all` or `why MOVE`. entry: the text after `why`."""
        point = None
        if entry not in ("", "all"):
            point = PASS if entry == "pass" else self._read_point(entry, position)
            if point is None:
                return
        self._tell_of_wait(position)
        decision = self._their_decision(position)
        if decision is None:
            decision = decide_at(position, complete=True)
            self._say("Our player's decision in your place:")
        if point is not None:
            self._say(_why_not(decision, point))
        else:
            reason = contrast(decision)
            self._say("\n".join(table_lines(reason) if entry else why_lines(reason, "why all")))

    def _their_decision(self, position: Position) -> Decision | None:
        """Return the decision that led to the opponent's last move.

        The result is None if our player did not make this move.
        """
        before = self.left_them.get(position.number - 1, opening(position.ruleset))
        for move in [*points_of(before.legal()), PASS] if before.number == position.number - 1 else ():
            after = before.play(move)
            if (after.black, after.white) == (position.black, position.white):
                decision = self.decide_theirs(before)
                return decision if decision is not None and decision.move == move else None
        return None

    def _say(self, text: str) -> None:
        """Print a text, wrapped to the terminal's width, unless the game is over."""
        if self._is_closed:
            return
        columns = terminal_columns()
        lines = (wrap_text("", line) if len(line) > columns else line for line in text.split("\n"))
        print("\n".join(lines), file=self.out, flush=True)


def _point_named(entry: str, size: int) -> Point | None:
    """Return the point for an entry in Go-diagram notation, such as `d4`, or None if no point matches."""
    lettered = _LETTERED.fullmatch(entry)
    return parse_vertex(f"{lettered[1]}{int(lettered[2])}", size) if lettered else None


def _explain_no_move(entry: str, position: Position) -> str:
    """Return a message that explains why an entry is not a point."""
    if not entry:
        return "An empty line is not a move; to pass, enter pass."
    if entry.lstrip("-").isdecimal():
        return f"{entry!r} is not a move: a point needs two numbers, its row and its column."
    size = position.ruleset.size
    point = None if takes_letters(position) else _point_named(entry, size)
    if point is not None:
        named = move_text(point, size)
        return f"{entry!r} is not a move: enter numbers, not letters. {entry.upper()} in Go diagrams is {named}."
    return f"{entry!r} is not a move."


def _draw(turn: Turn) -> str:
    """Return a drawing of the board.

    On large boards and in a match, the last stone played is in parentheses.
    """
    position, last = turn.position, None
    if takes_letters(position):
        new = position.theirs & ~turn.previous[BLACK + WHITE - position.colour - 1]
        last = new.bit_length() - 1 if new and not new & new - 1 else None
    return board_text(position.ruleset.size, position.black, position.white, last)


def _why_not(decision: Decision, move: Point) -> str:
    """Return a text that explains why a decision chose or rejected a move, or why the move is illegal.

    The decision must contain all candidates.
    """
    name = move_text(move, decision.position.ruleset.size)
    candidate = candidate_of(decision, move)
    if candidate is None:
        return f"{name} is illegal in that position: {why_illegal(decision.position, move)}."
    if candidate is decision.chosen:
        return f"{name} is the chosen move. {reason_line(decision)}"
    return wrap_text(f"Why not {name}: ", contrast_line(contrast(decision, candidate)) + ".")


def exact_hint(position: Position) -> str:
    """Return a sentence with the solver's best moves, or with the reason why there is no result."""
    if why := game_of(position.ruleset).unsolved:
        return f"({why}.)"
    if position.left > SOLVED:
        return f"(The solver's result is available only with at most {SOLVED} moves left.)"
    from littlego.truth.solver.answers import hint_text  # loading numba takes a second

    return "By exact play: " + hint_text(position)
