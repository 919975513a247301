"""Analysis as Sabaki, Lizzie and other front ends read it: the streams of KataGo and of Leela Zero.

One line holds all moves, `info move B4 visits 763 winrate 1.000000 order 0 pv B4 info move ...`, and any line of input
ends the stream. The analysis does not grow better with time, so a line is not repeated: a second one comes only where
the solver has found the exact values meanwhile. In KataGo's dialect a winrate is a float, 0 to 1, in Leela Zero's a
whole number, 0 to 10000; both are the mover's. There is no prior, for no network has any.

Sources: KataGo's GTP extensions and Leela Zero's lz-analyze, as Sabaki 0.60 and Lizzie 0.7.4 parse them: the word after
`info` is `move`, `pv` comes last and is not empty, and Lizzie takes nothing but whole numbers in Leela Zero's dialect.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

from littlego.games.vertices import parse_vertex, vertex_text, vertices_text
from littlego.players.gtp.analysis import (
    AT_ONCE,
    PATIENT,
    SHOWN,
    Analysis,
    Outlook,
    analyse,
    decision_for,
    solved_values,
)
from littlego.players.gtp.commands import colour_of, integers
from littlego.players.gtp.protocol import GtpError, Pending, StreamHandler, Write
from littlego.players.gtp.session import Session
from littlego.rules.geometry import Point

_COLOURS = ("b", "black", "w", "white")
_NUMBERS = ("interval", "minmoves", "maxmoves")
# What KataGo adds where it is asked to, and front ends do without.
_EXTRAS = ("ownership", "ownershipstdev", "movesownership", "movesownershipstdev", "pvvisits", "pvedgevisits")
_FLAGS = {**dict.fromkeys(_EXTRAS), "rootinfo": None, "noresultvalue": None}
_TRUTHS = ("true", "false", "1", "0")
_notes: WeakKeyDictionary[Session, str] = WeakKeyDictionary()  # what was last said of the numbers


class Asked(NamedTuple):
    """What an analysis is asked for: the colour that moves, at most and at least so many moves, and of which points.

    Of `only` and `never` points, one set each; None for all and none of them.
    """

    colour: int
    most: int = SHOWN
    least: int = 0
    only: frozenset[Point] | None = None
    never: frozenset[Point] = frozenset()

    def shows(self, move: Point) -> bool:
        """Return whether a move is to be shown, as far as points go."""
        return move not in self.never and (self.only is None or move in self.only)


def parse_arguments(arguments: list[str], colour: int, size: int) -> Asked:
    """Return what the arguments ask for: `[colour] [centiseconds] [key value]...`; raise GtpError.

    colour: whose turn it is. The keys are KataGo's; how often to repeat a line is read and does not matter here.
    """
    words = list(arguments)
    if words and words[0].lower() in _COLOURS:
        colour = colour_of([words.pop(0)])
    elif words and not words[0].isdigit() and words[0].lower() not in (*_NUMBERS, *_FLAGS, "avoid", "allow"):
        raise GtpError("invalid color")
    asked = Asked(colour)
    if words and words[0].lower() not in (*_NUMBERS, *_FLAGS, "avoid", "allow"):
        integers([words.pop(0)], 1, "interval not an integer")
    while words:
        key = words.pop(0).lower()
        if key in _NUMBERS:
            asked = _with_number(asked, key, integers(words[:1], 1, f"{key} not an integer")[0])
        elif key in ("avoid", "allow"):
            asked = _with_points(asked, key, words[:3], size)
            del words[1:3]
        elif key not in _FLAGS or words[:1] and words[0].lower() not in _TRUTHS or not words:
            raise GtpError(f"invalid argument {key}")
        del words[:1]
    return asked


def _with_number(asked: Asked, key: str, number: int) -> Asked:
    if number < 0:
        raise GtpError(f"{key} below 0")
    if key == "interval":
        return asked
    return asked._replace(least=number) if key == "minmoves" else asked._replace(most=number)


def _with_points(asked: Asked, key: str, words: list[str], size: int) -> Asked:
    """Take `avoid` or `allow`: a colour, points between commas, and for how many moves; it is one move here."""
    colour = colour_of(words)
    points = [parse_vertex(word, size) for word in words[1].split(",")] if len(words) > 1 else [None]
    if None in points:
        raise GtpError("invalid coordinate")
    integers(words[2:], 1, f"depth of {key} not an integer")
    named = frozenset(point for point in points if point is not None)
    if colour != asked.colour:
        return asked
    if key == "avoid":
        return asked._replace(never=asked.never | named)
    return asked._replace(only=named if asked.only is None else asked.only | named)


def kata_info(outlook: Outlook, order: int, size: int) -> str:
    """Return a move in KataGo's dialect; a lead only where it is known."""
    lead = outlook.value.lead
    score = "" if lead is None else f" scoreMean {lead:.2f} scoreLead {lead:.2f}"
    return _info(outlook, f"{outlook.value.winrate:.6f}{score}", order, size)


def lz_info(outlook: Outlook, order: int, size: int) -> str:
    """Return a move in Leela Zero's dialect: whole numbers only."""
    return _info(outlook, f"{round(10000 * outlook.value.winrate)}", order, size)


def _info(outlook: Outlook, value: str, order: int, size: int) -> str:
    move, line = vertex_text(outlook.move, size), vertices_text(outlook.line, size)
    return f"info move {move} visits {outlook.visits} winrate {value} order {order} pv {line}"


Info = Callable[[Outlook, int, int], str]  # a dialect


def info_line(analysis: Analysis, asked: Asked, size: int, info: Info) -> str:
    """Return the line of an analysis, '' where none of its moves is to be shown."""
    shown = [outlook for outlook in analysis.outlooks if asked.shows(outlook.move)][: max(asked.most, asked.least)]
    return " ".join(info(outlook, order, size) for order, outlook in enumerate(shown))


def _look(session: Session, asked: Asked, most: int, is_wanted: Callable[[], bool] = lambda: True) -> Analysis:
    """Return the analysis of the position, solved with up to `most` moves left while it is wanted.

    Whoever runs the engine is told what its numbers are, where that changes.
    """
    decision = decision_for(session, asked.colour)
    found = analyse(decision, session.komi, solved_values(decision.position, session.komi, most, is_wanted))
    if _notes.get(session) != found.note:
        _notes[session] = found.note
        session.tell(found.note)
    return found


def _analyze(info: Info, session: Session, arguments: list[str], write: Write, pending: Pending) -> None:
    """Say what is known at once, and once more what the solver finds; then wait for any line."""
    size = session.ruleset.size
    asked = parse_arguments(arguments, session.position.colour, size)
    if not session.over:
        found = _look(session, asked, AT_ONCE)
        write(info_line(found, asked, size, info))
        if not found.is_solved and (better := _look(session, asked, PATIENT, lambda: not pending(0))).is_solved:
            write(info_line(better, asked, size, info))
    pending()


def _genmove_analyze(info: Info, session: Session, arguments: list[str], write: Write, pending: Pending) -> None:
    """Say what is known, and then the move that is played."""
    size = session.ruleset.size
    asked = parse_arguments(arguments, session.position.colour, size)
    if not session.over:
        write(info_line(_look(session, asked, AT_ONCE), asked, size, info))
    write(f"play {vertex_text(session.generate(asked.colour), size)}")


STREAMS: dict[str, StreamHandler[Session]] = {
    "kata-analyze": partial(_analyze, kata_info),
    "lz-analyze": partial(_analyze, lz_info),
    "kata-genmove_analyze": partial(_genmove_analyze, kata_info),
    "lz-genmove_analyze": partial(_genmove_analyze, lz_info),
}
