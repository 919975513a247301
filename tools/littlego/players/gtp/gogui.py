"""GoGui's extensions of the Go Text Protocol: reasons on the board, move sequences, set-up, rules.

GoGui gets the board, the legal moves, and the end and result of the game from a *ruler* program. The commands
gogui-rules_* make our engine a ruler, so that GoGui can referee Little-Go and the match by the exact rules. GoGui draws
an answer of type gfx on the board; each line of the answer is a drawing command with its arguments.

Source: GoGui's manual, chapters Analyze Commands, Setup Commands and Rules; the drawing commands are BLACK, CIRCLE,
COLOR, INFLUENCE, LABEL, MARK, SQUARE, TEXT, TRIANGLE, VAR, WHITE.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from littlego.cli.arguments import ArgumentError
from littlego.engines.choosing import engine_for
from littlego.engines.draw.decisions import drawn_points, reason_text, why_lines
from littlego.engines.reasons.contrast import candidate_of, contrast
from littlego.games.boards import board_rows
from littlego.games.game import all_have_liberties
from littlego.games.match import MatchPosition
from littlego.games.vertices import parse_vertex, vertex_text, vertices_text, with_vertices
from littlego.knowledge.answers import WhatIf, book_without, reason_against, what_if_text, why_not
from littlego.match.referee import COLOURS
from littlego.players.gtp.analysis import (
    AT_ONCE,
    SHOWN,
    Value,
    decision_for,
    forget_decisions,
    our_player,
    solved_values,
)
from littlego.players.gtp.commands import colour_of, integers
from littlego.players.gtp.protocol import GtpError, Handler
from littlego.players.gtp.session import Session
from littlego.rules.engine import Candidate, Firing
from littlego.rules.geometry import Point, count, points_of
from littlego.rules.position import BLACK, PASS, WHITE

MOST_CHANGED = 10  # maximum number of moves with a changed score that littlego-without lists
MOST_TEXT = 400  # characters of a line in GoGui's status bar
PATTERN, SAFE, VETOED = "cyan", "green", "red"  # GoGui's color names
WINS, TIES, LOSES = "green", "yellow", "red"
ANALYZE_COMMANDS = (  # type/label/command; %m the colour to play, %p a point, %s words
    "gfx/Why this move/littlego-why %m",
    "gfx/Candidates/littlego-candidates %m",
    "gfx/Why not/littlego-why_not %p",
    "gfx/Patterns at/littlego-fires %p",
    "gfx/Exact values/littlego-values %m",
    "plist/Winning moves/littlego-winning %m",
    "hstring/Explain/littlego-explain %m",
    "hpstring/Decide without/littlego-without %s",
    "string/Rules/littlego-rules",
    "param/Settings/littlego-param",
)


class Drawing:
    """The lines of a gfx answer. Passes are omitted, and a mark or label without points adds no line."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.lines: list[str] = []

    def mark(self, word: str, points: Iterable[Point]) -> None:
        """Add a command, such as MARK, CIRCLE or `COLOR red`, followed by a list of points."""
        named = [vertex_text(point, self.size) for point in points if point >= 0]
        if named:
            self.lines.append(f"{word} {' '.join(named)}")

    def label(self, labels: Mapping[Point, str]) -> None:
        """Add a command that draws labels on points."""
        named = [f"{vertex_text(point, self.size)} {text}" for point, text in labels.items() if point >= 0]
        if named:
            self.lines.append(f"LABEL {' '.join(named)}")

    def say(self, text: str) -> None:
        """Add the text for the status bar.

        Call this method at most once, because GoGui shows several texts in a separate window.
        """
        line = with_vertices(text, self.size)
        self.lines.append(f"TEXT {line if len(line) <= MOST_TEXT else line[: MOST_TEXT - 3] + '...'}")

    def text(self) -> str:
        """Return the text of the answer."""
        return "\n".join(self.lines)


def _draw_firing(drawing: Drawing, firing: Firing) -> None:
    """Add the cells and labels of a firing pattern to a drawing, unless the move is a pass."""
    if firing.pattern.passes:
        return
    cells, labels = drawn_points(firing, drawing.size)
    drawing.mark(f"COLOR {PATTERN}", cells)
    drawing.label(labels)


def _firing_of(candidate: Candidate, names: Iterable[str]) -> Firing | None:
    """Return the firing of the first pattern in `names` that fires for a candidate.

    If no pattern in `names` fires, return the candidate's first firing, or None if no pattern fires at all.
    """
    by_name = {firing.pattern.id: firing for firing in reversed(candidate.firings)}
    return next((by_name[name] for name in names if name in by_name), next(iter(candidate.firings), None))


def _why(session: Session, arguments: list[str]) -> str:
    """Draw our player's move and the deciding pattern, and explain the move.

    The explanation compares the move with another candidate.
    """
    decision, drawing = decision_for(session, colour_of(arguments)), Drawing(session.ruleset.size)
    reason = contrast(decision)
    firing = _firing_of(decision.chosen, reason.named)
    if firing is not None:
        _draw_firing(drawing, firing)
    drawing.mark("MARK", [decision.move])
    drawing.say(reason_text(reason))
    return drawing.text()


def _candidates(session: Session, arguments: list[str]) -> str:
    """Mark the examined candidates as safe or vetoed; label the best candidates with their points."""
    decision, drawing = decision_for(session, colour_of(arguments)), Drawing(session.ruleset.size)
    vetoed = [candidate.move for candidate in decision.candidates if candidate.veto]
    drawing.mark(
        f"COLOR {SAFE}",
        (candidate.move for candidate in decision.candidates if candidate.verdict and not candidate.veto),
    )
    drawing.mark(f"COLOR {VETOED}", vetoed)
    drawing.mark("MARK", [decision.move])
    drawing.label(
        {candidate.move: str(candidate.points) for candidate in decision.candidates[:SHOWN] if candidate.move != PASS}
    )
    name = vertex_text(decision.move, drawing.size)
    priority = decision.chosen.priority
    vetoes = f"{len(vetoed)} of {len(decision.candidates)} moves are vetoed"
    drawing.say(f"our player plays {name} with priority {priority}; {vetoes}")
    return drawing.text()


def _point_asked(session: Session, arguments: list[str]) -> Point:
    point = parse_vertex(arguments[0], session.ruleset.size) if arguments else None
    if point is None:
        raise GtpError("invalid coordinate")
    return point


def _why_not(session: Session, arguments: list[str]) -> str:
    """Draw the given move, its refutation (if any) and our player's move.

    The text explains why the player prefers its own move.
    """
    point = _point_asked(session, arguments)
    decision, drawing = decision_for(session, session.position.colour), Drawing(session.ruleset.size)
    answer = why_not(decision, point, ())
    drawing.mark("MARK", [point])
    drawing.mark("SQUARE", [decision.move])
    verdict = answer.candidate.verdict if answer.candidate else None
    if verdict is not None and verdict.reply is not None and verdict.loss > 0:
        drawing.mark("CIRCLE", [verdict.reply])
    drawing.say(reason_against(answer))
    return drawing.text()


def _fires(session: Session, arguments: list[str]) -> str:
    """List all patterns that fire for a point, and draw the first of them."""
    point = _point_asked(session, arguments)
    decision, drawing = decision_for(session, session.position.colour), Drawing(session.ruleset.size)
    candidate = candidate_of(decision, point)
    firings = candidate.firings if candidate else []
    if firings:
        _draw_firing(drawing, firings[0])
    drawing.mark("MARK", [point])
    names = ", ".join(f"{firing.pattern.id} {firing.points:+}" for firing in firings)
    drawing.say(f"{vertex_text(point, drawing.size)}: {names or 'no pattern fires'}")
    return drawing.text()


def _solved(session: Session, arguments: list[str]) -> dict[Point, Value]:
    """Return {move: exact value}; the first argument names the side to move.

    Raise GtpError if the game is over or the position is not solved.
    """
    position = session.position_for(colour_of(arguments))
    if session.over:
        raise GtpError("the game is over")
    values = solved_values(position, session.komi)
    if not values:
        raise GtpError(f"not solved: the solver needs Little-Go on 5x5 with 1 to {AT_ONCE} moves left")
    return values


def _values(session: Session, arguments: list[str]) -> str:
    """Draw the winning, tying and losing moves, with their leads if known."""
    values, drawing = _solved(session, arguments), Drawing(session.ruleset.size)
    for colour, winrate in ((WINS, 1.0), (TIES, 0.5), (LOSES, 0.0)):
        drawing.mark(f"COLOR {colour}", (move for move, value in values.items() if value.winrate == winrate))
    drawing.label({move: f"{value.lead:+g}" for move, value in values.items() if value.lead is not None})
    wins = sum(value.winrate == 1 for value in values.values())
    result = {1.0: "wins", 0.5: "ties", 0.0: "loses"}[values[PASS].winrate]
    drawing.say(f"{wins} of {len(values)} moves {'wins' if wins == 1 else 'win'}; the pass {result}")
    return drawing.text()


def _winning(session: Session, arguments: list[str]) -> str:
    """List the winning points; a winning pass is omitted, because GoGui's lists cannot contain a pass."""
    values = _solved(session, arguments)
    winning = (move for move, value in values.items() if value.winrate == 1 and move != PASS)
    return vertices_text(winning, session.ruleset.size)


def _explain(session: Session, arguments: list[str]) -> str:
    decision = decision_for(session, colour_of(arguments))
    lines = why_lines(contrast(decision), rest_by="littlego-candidates", room=None)
    return with_vertices("\n".join(lines), session.ruleset.size)


def _without(session: Session, arguments: list[str]) -> str:
    """Recompute the decision without the patterns that the arguments name, and list the changes."""
    player, now = our_player(session), decision_for(session, session.position.colour)
    if not arguments:
        raise GtpError("missing pattern")
    try:
        book = book_without(player.book_for(now.position.ruleset), dict.fromkeys(arguments))
    except ArgumentError as error:
        raise GtpError(str(error)) from None
    ruleset = now.position.ruleset
    then = engine_for(ruleset).decide(now.position, book, True, player.overrides(ruleset))
    text = what_if_text(WhatIf("Without " + " and ".join(dict.fromkeys(arguments)), now, then), MOST_CHANGED)
    return with_vertices(text.partition("\n\n")[2], session.ruleset.size)  # GoGui shows the board itself


def _param(session: Session, arguments: list[str]) -> str:
    """List the settings, or change the setting that the arguments name.

    The settings are `overrides` (whether the player follows overrides) and `reasons` (whether the reason for each move
    is stored for gomill-explain_last_move).
    """
    player = our_player(session)
    settings = {"overrides": player.with_overrides, "reasons": player.with_reasons}
    if not arguments:
        return "\n".join(f"[bool] {name} {int(value)}" for name, value in settings.items())
    if arguments[0] not in settings:
        raise GtpError(f"unknown setting {arguments[0][:40]!r}; expected {' or '.join(settings)}")
    if arguments[1:] not in (["0"], ["1"]):
        raise GtpError(f"{arguments[0]}: found {' '.join(arguments[1:])[:40]!r}; expected 0 or 1")
    setattr(player, f"with_{arguments[0]}", arguments[1] == "1")
    forget_decisions()
    return ""


def _game_id(session: Session, arguments: list[str]) -> str:
    """Return the ruleset's name without digits and hyphens, because GoGui accepts only lower-case letters."""
    return re.sub("[^a-z]", "", session.ruleset.name)


def _board(session: Session, arguments: list[str]) -> str:
    rows = board_rows(session.ruleset.size, session.position.black, session.position.white)
    return "\n" + "\n".join(" ".join(row) for row in rows)


def _legal_moves(session: Session, arguments: list[str]) -> str:
    """List the mover's legal moves, the pass last. An empty list means that the game is over."""
    if session.over:
        return ""
    return vertices_text([*points_of(session.position.legal()), PASS], session.ruleset.size)


def _side_to_move(session: Session, arguments: list[str]) -> str:
    return COLOURS[session.position.colour].lower()


def _final_result(session: Session, arguments: list[str]) -> str:
    if not session.over:
        return "The game is not over."
    lead = session.lead()
    return f"{COLOURS[BLACK if lead > 0 else WHITE]} wins by {abs(lead):g}." if lead else "A tie."


def captured(session: Session) -> tuple[int, int]:
    """Return the numbers of stones captured by Black and by White.

    In a match, the numbers include the stones that the opponent gave up by passing.
    """
    position = session.position
    if isinstance(position, MatchPosition):
        return position.prisoners
    taken = [0, 0]
    for state in session.states:
        if state.colour:
            now = state.position.black, state.position.white
            taken[state.colour - 1] += count(state.previous[2 - state.colour] & ~now[2 - state.colour])
    return taken[0], taken[1]


def _captured_count(session: Session, arguments: list[str]) -> str:
    black, white = captured(session)
    return f"{black} {white}"


def _board_gfx(session: Session, arguments: list[str]) -> str:
    """Draw the last move and the ko point, and show the state of the game.

    For a finished game, the state is its result. Otherwise, the state is the colour to move, the move number, and the
    moves left or the prisoners.
    """
    position, drawing = session.position, Drawing(session.ruleset.size)
    if session.state.colour:
        drawing.mark("CIRCLE", [session.state.move])
    drawing.mark("SQUARE", points_of(position.ko))
    if session.over:
        drawing.say(_final_result(session, []))
        return drawing.text()
    status = f"{COLOURS[position.colour]} to play move {position.number}"
    if session.ruleset.length:
        status += f" ({position.left} left, including this move)"
    if isinstance(position, MatchPosition):
        status += f"; prisoners: Black {position.prisoners[0]}, White {position.prisoners[1]}"
    drawing.say(status)
    return drawing.text()


def _pairs(arguments: list[str], size: int) -> list[tuple[int, Point]]:
    """Return the arguments as (colour, move) pairs; raise GtpError if a part is invalid or missing."""
    if len(arguments) % 2:
        raise GtpError("invalid color or coordinate")
    pairs = []
    for word, vertex in zip(arguments[::2], arguments[1::2], strict=True):
        move = parse_vertex(vertex, size)
        if move is None:
            raise GtpError("invalid color or coordinate")
        pairs.append((colour_of([word], "invalid color or coordinate"), move))
    return pairs


def _play_sequence(session: Session, arguments: list[str]) -> str:
    """Play several moves; if a move is illegal, play none."""
    moves, kept = _pairs(arguments, session.ruleset.size), list(session.states)
    try:
        for colour, move in moves:
            session.play(colour, move)
    except GtpError:
        session.states = kept
        raise
    return ""


def _setup(session: Session, arguments: list[str]) -> str:
    """Put stones on the empty board. Black moves next unless gogui-setup_player changes the side to move."""
    if session.position.black | session.position.white or len(session.states) > 1:
        raise GtpError("board not empty")
    board = [0, 0]
    for colour, point in _pairs(arguments, session.ruleset.size):
        if point < 0 or (board[0] | board[1]) >> point & 1:
            raise GtpError("invalid coordinate")
        board[colour - 1] |= 1 << point
    if not all_have_liberties(board[0], board[1], session.position.grid):
        raise GtpError("chain without liberties")
    session.start((board[0], board[1]), BLACK)
    return ""


def _setup_player(session: Session, arguments: list[str]) -> str:
    """Set the side to move; raise GtpError once a move has been played."""
    colour = colour_of(arguments)
    if len(session.states) > 1:
        raise GtpError("moves have been played")
    session.start((session.position.black, session.position.white), colour)
    return ""


def _undo_some(session: Session, arguments: list[str]) -> str:
    """Take back one move or the given number of moves; if there are too few moves, take back none."""
    number = integers(arguments, 1, "invalid number of moves")[0] if arguments else 1
    if not 0 <= number < len(session.states):
        raise GtpError("cannot undo")
    for _ in range(number):
        session.undo()
    return ""


COMMANDS: dict[str, Handler[Session]] = {
    "gogui-analyze_commands": lambda session, arguments: "\n".join(ANALYZE_COMMANDS),
    "littlego-why": _why,
    "littlego-candidates": _candidates,
    "littlego-why_not": _why_not,
    "littlego-fires": _fires,
    "littlego-values": _values,
    "littlego-winning": _winning,
    "littlego-explain": _explain,
    "littlego-without": _without,
    "littlego-param": _param,
    "gogui-rules_game_id": _game_id,
    "gogui-rules_board": _board,
    "gogui-rules_board_size": lambda session, arguments: str(session.ruleset.size),
    "gogui-rules_legal_moves": _legal_moves,
    "gogui-rules_side_to_move": _side_to_move,
    "gogui-rules_final_result": _final_result,
    "gogui-rules_captured_count": _captured_count,
    "gogui-rules_board_gfx": _board_gfx,
    "gogui-play_sequence": _play_sequence,
    "gogui-setup": _setup,
    "gogui-setup_player": _setup_player,
    "gg-undo": _undo_some,
    "gogui-version": lambda session, arguments: session.version,
    "gogui-title": lambda session, arguments: f"{session.name} {session.version}, {session.ruleset.name}",
    "gogui-interrupt": lambda session, arguments: "",
}
