"""Analysis streams for Sabaki, Lizzie and other front ends, in the dialects of KataGo and Leela Zero.

One output line contains all shown moves: `info move B4 visits 763 winrate 1.000000 order 0 pv B4 info move ...`. Any
input line ends the stream. Lines are not repeated; a second line follows only if the solver computes the exact values
later. Winrates are from the mover's perspective: floats from 0 to 1 in KataGo's dialect, integers from 0 to 10000 in
Leela Zero's dialect. The output contains no `prior`: our player has no network, and the learning player does not report
its network's priors.

Sources: KataGo's GTP extensions and Leela Zero's lz-analyze, as Sabaki 0.60 and Lizzie 0.7.4 parse them. `move` must
follow `info`. `pv` must come last and must not be empty. In Leela Zero's dialect, Lizzie accepts only integers.
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
    analysis_for,
)
from littlego.players.gtp.commands import colour_of, integers
from littlego.players.gtp.protocol import GtpError, Pending, StreamHandler, Write
from littlego.players.gtp.session import Session
from littlego.rules.geometry import Point

_COLOURS = ("b", "black", "w", "white")
_NUMBERS = ("interval", "minmoves", "maxmoves")
# Optional fields of KataGo's output, which front ends do not need
_EXTRAS = ("ownership", "ownershipstdev", "movesownership", "movesownershipstdev", "pvvisits", "pvedgevisits")
_FLAGS = {**dict.fromkeys(_EXTRAS), "rootinfo": None, "noresultvalue": None}
_TRUTHS = ("true", "false", "1", "0")
# the last note on the numbers, stored so that a note is printed only when it changes
_notes: WeakKeyDictionary[Session, str] = WeakKeyDictionary()


class Asked(NamedTuple):
    """The parameters of an analysis.

    colour: the colour to move. most, least: the arguments `maxmoves` and `minmoves`; the larger argument limits the
    number of shown moves. only: the points to include, or None for all. never: the points to exclude.
    """

    colour: int
    most: int = SHOWN
    least: int = 0
    only: frozenset[Point] | None = None
    never: frozenset[Point] = frozenset()

    def shows(self, move: Point) -> bool:
        """Return whether the filters `only` and `never` accept a move."""
        return move not in self.never and (self.only is None or move in self.only)


def parse_arguments(arguments: list[str], colour: int, size: int) -> Asked:
    """Parse `[colour] [centiseconds] [key value]...`; return the parameters of the analysis.

    colour: the colour to move if the arguments name no colour. KataGo's kata-analyze defines the keys. The interval
    (centiseconds) is parsed but not used. Raise GtpError if an argument is invalid.
    """
    words = list(arguments)
    if words and words[0].lower() in _COLOURS:
        colour = colour_of([words.pop(0)])
    elif words and not words[0].isdigit() and words[0].lower() not in (*_NUMBERS, *_FLAGS, "avoid", "allow"):
        raise GtpError("invalid color")
    options = Asked(colour)
    if words and words[0].lower() not in (*_NUMBERS, *_FLAGS, "avoid", "allow"):
        integers([words.pop(0)], 1, "interval not an integer")
    while words:
        key = words.pop(0).lower()
        if key in _NUMBERS:
            options = _with_number(options, key, integers(words[:1], 1, f"{key} not an integer")[0])
        elif key in ("avoid", "allow"):
            options = _with_points(options, key, words[:3], size)
            del words[1:3]
        elif key not in _FLAGS or words[:1] and words[0].lower() not in _TRUTHS or not words:
            raise GtpError(f"invalid argument {key}")
        del words[:1]
    return options


def _with_number(options: Asked, key: str, number: int) -> Asked:
    if number < 0:
        raise GtpError(f"{key} below 0")
    if key == "interval":
        return options
    return options._replace(least=number) if key == "minmoves" else options._replace(most=number)


def _with_points(options: Asked, key: str, words: list[str], size: int) -> Asked:
    """Return the options with the points of an `avoid` or `allow` argument added.

    Points for the other colour are ignored. words: the colour, the comma-separated points, and the depth (an integer,
    ignored).
    """
    colour = colour_of(words)
    points = [parse_vertex(word, size) for word in words[1].split(",")] if len(words) > 1 else [None]
    if None in points:
        raise GtpError("invalid coordinate")
    integers(words[2:], 1, f"depth of {key} not an integer")
    named = frozenset(point for point in points if point is not None)
    if colour != options.colour:
        return options
    if key == "avoid":
        return options._replace(never=options.never | named)
    return options._replace(only=named if options.only is None else options.only | named)


def kata_info(outlook: Outlook, order: int, size: int) -> str:
    """Return the text for a move in KataGo's dialect, with its lead if known."""
    lead = outlook.value.lead
    score = "" if lead is None else f" scoreMean {lead:.2f} scoreLead {lead:.2f}"
    return _info(outlook, f"{outlook.value.winrate:.6f}{score}", order, size)


def lz_info(outlook: Outlook, order: int, size: int) -> str:
    """Return the text for a move in Leela Zero's dialect; its winrates are integers from 0 to 10,000."""
    return _info(outlook, f"{round(10000 * outlook.value.winrate)}", order, size)


def _info(outlook: Outlook, value: str, order: int, size: int) -> str:
    move, line = vertex_text(outlook.move, size), vertices_text(outlook.line, size)
    return f"info move {move} visits {outlook.visits} winrate {value} order {order} pv {line}"


Info = Callable[[Outlook, int, int], str]  # formats a move in one of the dialects


def info_line(analysis: Analysis, options: Asked, size: int, info: Info) -> str:
    """Return the output line of an analysis, or '' if there is no move to show."""
    shown = [outlook for outlook in analysis.outlooks if options.shows(outlook.move)][
        : max(options.most, options.least)
    ]
    return " ".join(info(outlook, order, size) for order, outlook in enumerate(shown))


def _look(session: Session, options: Asked, most: int, is_wanted: Callable[[], bool] = lambda: True) -> Analysis:
    """Return the analysis of the session's position. most, is_wanted: see solved_values.

    Also print the analysis's note unless it repeats the session's previous note.
    """
    analysis = analysis_for(session, options.colour, most, is_wanted)
    if _notes.get(session) != analysis.note:
        _notes[session] = analysis.note
        session.tell(analysis.note)
    return analysis


def _analyze(info: Info, session: Session, arguments: list[str], write: Write, pending: Pending) -> None:
    """Write the analysis; if it is inexact and the solver finishes in time, also write an exact analysis.

    The solver has time until the next input line arrives. If the game is over, write nothing. At the end, wait for the
    next input line or for the end of the input.
    """
    size = session.ruleset.size
    options = parse_arguments(arguments, session.position.colour, size)
    if not session.over:
        analysis = _look(session, options, AT_ONCE)
        write(info_line(analysis, options, size, info))
        if not analysis.is_solved and (better := _look(session, options, PATIENT, lambda: not pending(0))).is_solved:
            write(info_line(better, options, size, info))
    pending()


def _genmove_analyze(info: Info, session: Session, arguments: list[str], write: Write, pending: Pending) -> None:
    """Write the analysis unless the game is over; in either case, play and write the player's move."""
    size = session.ruleset.size
    options = parse_arguments(arguments, session.position.colour, size)
    if not session.over:
        write(info_line(_look(session, options, AT_ONCE), options, size, info))
    write(f"play {vertex_text(session.generate(options.colour), size)}")


STREAMS: dict[str, StreamHandler[Session]] = {
    "kata-analyze": partial(_analyze, kata_info),
    "lz-analyze": partial(_analyze, lz_info),
    "kata-genmove_analyze": partial(_genmove_analyze, kata_info),
    "lz-genmove_analyze": partial(_genmove_analyze, lz_info),
}
