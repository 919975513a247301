"""The standard commands of the Go Text Protocol; see docs/gtp.md.

The module implements the required commands except those in littlego.players.gtp.protocol, the tournament and regression
commands, undo, showboard, cputime, littlego-rules, and some commands of gomill and KataGo. The messages follow GNU Go
3.8; tests compare them with the messages of GNU Go.
"""

from __future__ import annotations

import json
import math
import re
import time

from littlego.cli.arguments import ArgumentError
from littlego.games.boards import board_rows
from littlego.games.handicap import FIXED, fixed_handicap, free_handicap, most_fixed, most_handicap
from littlego.games.little_go import game_of
from littlego.games.match import MatchPosition, territory
from littlego.games.vertices import LETTERS, parse_vertex, vertex_text, vertices_text, with_vertices
from littlego.match.referee import COLOURS
from littlego.players.gtp.protocol import GtpError, Handler
from littlego.players.gtp.session import Session
from littlego.players.gtp_player import katago_rules
from littlego.records.inputs import record_at
from littlego.records.records import Record, RecordError
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, RESIGN, WHITE, chains

LONGEST_NAME = 200  # characters of a file name quoted in an answer
_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,9})?", re.IGNORECASE)
_ANY_STATUS = ("alive", "dead", "seki", "black_territory", "white_territory")


def colour_of(arguments: list[str], message: str = "invalid color") -> int:
    """Return the colour that the first argument names; raise GtpError(message) if there is no such colour."""
    colour = _COLOURS.get(arguments[0].lower()) if arguments else None
    if colour is None:
        raise GtpError(message)
    return colour


def integers(arguments: list[str], number: int, message: str) -> list[int]:
    """Return the first `number` arguments as integers. Raise GtpError(message) if an argument is missing or invalid."""
    if len(arguments) < number or not all(map(_INTEGER.fullmatch, arguments[:number])):
        raise GtpError(message)
    return [int(argument) for argument in arguments[:number]]


def _boardsize(session: Session, arguments: list[str]) -> str:
    session.resize(integers(arguments, 1, "boardsize not an integer")[0])
    return ""


def _clear_board(session: Session, arguments: list[str]) -> str:
    session.clear()
    return ""


def _komi(session: Session, arguments: list[str]) -> str:
    if not arguments or not _NUMBER.fullmatch(arguments[0]) or not math.isfinite(float(arguments[0])):
        raise GtpError("komi not a float")
    session.set_komi(float(arguments[0]))
    return ""


def _play(session: Session, arguments: list[str]) -> str:
    message = "invalid color or coordinate"
    colour = colour_of(arguments, message)
    move = parse_vertex(arguments[1], session.ruleset.size) if len(arguments) > 1 else None
    if move is None:
        raise GtpError(message)
    session.play(colour, move)
    return ""


def _genmove(session: Session, arguments: list[str]) -> str:
    return vertex_text(session.generate(colour_of(arguments)), session.ruleset.size)


def _reg_genmove(session: Session, arguments: list[str]) -> str:
    move = session.choose(colour_of(arguments)).move
    assert move is not None  # `choose` checks this
    return vertex_text(move, session.ruleset.size)


def _undo(session: Session, arguments: list[str]) -> str:
    session.undo()
    return ""


def _place_handicap(session: Session, points: list[int]) -> None:
    session.start((sum(1 << point for point in points), 0), WHITE)


def _require_empty(session: Session) -> None:
    if session.position.black | session.position.white:
        raise GtpError("board not empty")


def _fixed_handicap(session: Session, arguments: list[str]) -> str:
    _require_empty(session)
    stones = integers(arguments, 1, "handicap not an integer")[0]
    try:
        points = fixed_handicap(session.ruleset.size, stones)
    except ValueError:
        raise GtpError("invalid handicap") from None
    _place_handicap(session, points)
    return vertices_text(points, session.ruleset.size)


def _place_free_handicap(session: Session, arguments: list[str]) -> str:
    """Place a free handicap and return its vertices.

    On boards without fixed handicap points, the player chooses the points, as if White passed after each stone.
    """
    _require_empty(session)
    stones = integers(arguments, 1, "handicap not an integer")[0]
    if stones < 2:
        raise GtpError("invalid handicap")
    size = session.ruleset.size
    if most_fixed(size):
        points = free_handicap(size, min(stones, most_handicap(size)))
    else:
        points = _chosen_handicap(session, min(stones, FIXED))
    _place_handicap(session, points)
    return vertices_text(points, size)


def _chosen_handicap(session: Session, stones: int) -> list[int]:
    points: list[int] = []
    try:
        while len(points) < stones:
            session.start((sum(1 << point for point in points), 0), BLACK)
            move = session.choose(BLACK).move
            if move is None or move < 0:
                break
            points.append(move)
    finally:
        session.clear()
    if len(points) < 2:
        raise GtpError("invalid handicap")
    return points


def _set_free_handicap(session: Session, arguments: list[str]) -> str:
    _require_empty(session)
    size = session.ruleset.size
    if not 2 <= len(arguments) < size * size:
        raise GtpError("invalid handicap")
    points = [parse_vertex(argument, size) for argument in arguments]
    places = [point for point in points if point is not None and point >= 0]
    if len(places) < len(points):
        raise GtpError("invalid coordinate")
    if len(set(places)) < len(places):
        raise GtpError("repeated vertex")
    _place_handicap(session, places)
    return ""


def _time_settings(session: Session, arguments: list[str]) -> str:
    """Set the time limit given by main time, byo-yomi time and byo-yomi stones.

    No time, or byo-yomi time without stones, means no limit. Without main time, the clock starts with one byo-yomi
    period; the front end sets each later period by time_left.
    """
    main, period, stones = integers(arguments, 3, "not three integers")
    is_unlimited = stones <= 0 < period or max(main, period) <= 0
    session.set_time(None if is_unlimited else float(main if main > 0 else period))
    return ""


def _time_left(session: Session, arguments: list[str]) -> str:
    """Set a colour's remaining seconds; ignore the remaining byo-yomi stones (0 during main time)."""
    colour = colour_of(arguments)
    seconds, _ = integers(arguments[1:], 2, "time and stones not two integers")
    session.set_left(colour, float(seconds))
    return ""


def score_text(lead: float) -> str:
    """Return a result in GTP notation: `B+3.5`, `W+27.0` or `0`. lead: Black's lead in points."""
    if not lead:
        return "0"
    points = f"{abs(lead):.1f}" if 2 * lead == int(2 * lead) else f"{abs(lead):g}"
    return f"{'B' if lead > 0 else 'W'}+{points}"


def _final_score(session: Session, arguments: list[str]) -> str:
    return score_text(session.lead())


def _final_status_list(session: Session, arguments: list[str]) -> str:
    """List the chains with a given status, one chain per line, or the points of one side's territory.

    In Little-Go and in a match all stones are alive; only a match has territory.
    """
    if not arguments:
        raise GtpError("missing status")
    if arguments[0] not in _ANY_STATUS:
        raise GtpError("invalid status")
    position, size = session.counted(), session.ruleset.size
    if arguments[0] == "alive":
        both = [*chains(position.black, position.grid), *chains(position.white, position.grid)]
        return "\n".join(vertices_text(points_of(chain), size) for chain in both)
    if arguments[0] in ("dead", "seki") or not isinstance(position, MatchPosition):
        return ""
    black, white = territory(position.black, position.white, position.grid)
    return vertices_text(points_of(black if arguments[0] == "black_territory" else white), size)


def _loadsgf(session: Session, arguments: list[str]) -> str:
    """Replay a game, by default to its end, and return the colour to move.

    The second argument, a number or a vertex, names the move before which the replay ends.
    """
    if not arguments:
        raise GtpError("missing filename")
    name = arguments[0]
    try:
        record = record_at(name, game_of(session.ruleset).name, session.encoding)
        until = _moves_before(arguments[1], record) if len(arguments) > 1 else None
        if until is None or until > len(record.moves):
            record.check_whole()
        part = record.since_setup(until)
    except (ArgumentError, RecordError) as error:
        session.tell(f"{name}{error}" if isinstance(error, RecordError) else str(error))
        raise GtpError(f"cannot open or parse '{name[:LONGEST_NAME]}'") from None
    for remark in record.remarks_up_to(None if until is None else until + 1):
        session.tell(f"{name}{remark}")
    session.replay(part.start, [played.move for played in part.moves if played.move != RESIGN])
    return COLOURS[session.position.colour].lower()


def _moves_before(text: str, record: Record) -> int | None:
    """Return how many moves precede the move that a number or vertex names.

    A vertex names the first move at that vertex. The result is None if no move has the vertex.
    """
    if _INTEGER.fullmatch(text):
        return max(int(text) - 1, 0)
    point = parse_vertex(text, record.start.ruleset.size)
    return next((number for number, played in enumerate(record.moves) if played.move == point), None)


def _showboard(session: Session, arguments: list[str]) -> str:
    """Draw the board as GNU Go does, with a match's prisoners and either the move number or the result."""
    position, size = session.position, session.ruleset.size
    letters = "   " + " ".join(LETTERS[:size])
    lines = ["", letters]
    for row, cells in enumerate(board_rows(size, position.black, position.white)):
        lines.append(f"{size - row:2} {' '.join(cells)} {size - row}")
    lines.append(letters)
    if isinstance(position, MatchPosition):
        lines.append(f"Prisoners: Black (X) {position.prisoners[0]}, White (O) {position.prisoners[1]}")
    if session.over:
        lines.append(f"The game is over: {score_text(session.lead())}")
    else:
        left = f", {position.left} left" if session.ruleset.length else ""
        lines.append(f"{COLOURS[position.colour]} to play move {position.number}{left}")
    return "\n".join(lines)


def _cputime(session: Session, arguments: list[str]) -> str:
    return f"{time.process_time():.3f}"


def _explain_last_move(session: Session, arguments: list[str]) -> str:
    """Return the player's reason for the last move, or '' if no reason is stored."""
    return with_vertices(session.state.reason, session.ruleset.size)


def rules_text(session: Session) -> str:
    """Return a description of the current game's rules in a few lines."""
    return game_of(session.ruleset).rules_text


def _describe_engine(session: Session, arguments: list[str]) -> str:
    return f"{session.name} {session.version}\nPlayer: {session.player.name}\n{rules_text(session)}"


def _rules(session: Session, arguments: list[str]) -> str:
    return rules_text(session)


def _kata_get_rules(session: Session, arguments: list[str]) -> str:
    """Return KataGo's nearest equivalent of the game's rules; littlego-rules describes the real rules."""
    return json.dumps(katago_rules(session.ruleset))


def _kata_set_rules(session: Session, arguments: list[str]) -> str:
    """Accept a KataGo name for our rules, or JSON with some or all of the values of kata-get-rules."""
    wanted, mine = " ".join(arguments), katago_rules(session.ruleset)
    if wanted.lower() in game_of(session.ruleset).katago_names:
        return ""
    try:
        rules = json.loads(wanted)
    except (ValueError, RecursionError):
        rules = None
    if not isinstance(rules, dict) or not rules.items() <= mine.items():
        raise GtpError(f"unknown rules, expected {json.dumps(mine)}")
    return ""


COMMANDS: dict[str, Handler[Session]] = {
    "name": lambda session, arguments: session.name,
    "version": lambda session, arguments: session.version,
    "boardsize": _boardsize,
    "clear_board": _clear_board,
    "komi": _komi,
    "play": _play,
    "genmove": _genmove,
    "reg_genmove": _reg_genmove,
    "undo": _undo,
    "fixed_handicap": _fixed_handicap,
    "place_free_handicap": _place_free_handicap,
    "set_free_handicap": _set_free_handicap,
    "time_settings": _time_settings,
    "time_left": _time_left,
    "final_score": _final_score,
    "final_status_list": _final_status_list,
    "loadsgf": _loadsgf,
    "showboard": _showboard,
    "cputime": _cputime,
    "gomill-cpu_time": _cputime,
    "gomill-explain_last_move": _explain_last_move,
    "gomill-describe_engine": _describe_engine,
    "kata-get-rules": _kata_get_rules,
    "kata-set-rules": _kata_set_rules,
    "littlego-rules": _rules,
}
