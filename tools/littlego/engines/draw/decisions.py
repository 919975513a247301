"""A Decision as text and as JSON.

The text is one line for a game printed move by move, one screen for `explain`, or a table of all candidates. The JSON
is for other programs; it contains everything that `explain` prints.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from littlego.cli.terminal import NO_BREAK, wrap_text
from littlego.engines.draw.tables import drawn_table, table_json, when_text
from littlego.engines.reasons.contrast import (
    LOSS,
    ORDER,
    OVERRIDE,
    POINTS,
    PRESENT,
    PRIORITY,
    RESULT,
    SPECIFICITY,
    VETO,
    Contrast,
    contrast,
    roles_of,
)
from littlego.games.boards import board_rows, board_text, describe_turn, move_text, move_text_both
from littlego.games.game import last_move_of
from littlego.rules.engine import Candidate, Decision, Firing
from littlego.rules.geometry import Point
from littlego.rules.matching import parse_shape
from littlego.rules.patternfile import Pattern
from littlego.rules.position import BLACK, PASS, WHITE, Position
from littlego.rules.programs import Table
from littlego.rules.safety import LOST_END, LOST_GAME, Verdict, stones_in_words
from littlego.rules.uncounted import REFUSED

if TYPE_CHECKING:
    from littlego.engines.lines.lines import Line

FORMAT = 1  # version of the JSON; increase it when a key changes its meaning or is removed
MOST_OTHERS = 3  # most other moves (vetoed, or with the same score) that a reason names
MOST_NAMED, MOST_COSTS = 6, 2  # most patterns named for the move (if the caller chose the rival) and against the move
ANY = "?"  # a cell that matches any point
NAME_WIDTH = 30  # columns for a pattern's name, so that a table of names and numbers fits in 50 columns
TOP, MOST_LINES = 3, 24  # most candidates and lines that `explain` shows
HEADING = 8  # lines of `board_heading` and the blank line after it on 5x5
SIGNS = {BLACK: "X", WHITE: "O"}  # the sign of a side's stones in drawings and texts


def reason_line(decision: Decision, look: Callable[[], None] | None = None) -> str:
    """Return the reason for the move in one line: see reason_text. look: see reasons.contrast.contrast."""
    return reason_text(contrast(decision, look=look))


def reason_text(reason: Contrast) -> str:
    """Return the reason for a move in one line.

    The line also lists vetoed moves that rank higher, and ends with the summary of the first pattern that the reason
    names.
    """
    size, vetoed = reason.decision.position.ruleset.size, reason.passed_over
    if reason.by == VETO and not reason.named:  # the contrast already names the veto
        vetoed = ()
    first = vetoed[:MOST_OTHERS]
    parts = [contrast_line(reason)]
    parts += [f"passed over {move_text(candidate.move, size)}: {_format_veto(candidate, size)}" for candidate in first]
    if len(vetoed) > MOST_OTHERS:
        parts.append(f"and {len(vetoed) - MOST_OTHERS} more")
    summary = summary_of(reason)
    return "; ".join(parts) + (f". {summary}" if summary else "")


def hint_lines(decision: Decision) -> list[str]:
    """Return the lines of a hint: the move with a pattern's summary, then the reason.

    An example is `2,2: The first stone belongs in the centre.` and `2,2 rather than 1,1: take-the-free-centre +80`.
    If the summary is about the rival (see summary_of), a full stop follows the move. If there is no summary, return
    only the reason.
    """
    reason = contrast(decision)
    summary, line = summary_of(reason), reason_text(reason)
    if not summary:
        return [line]
    mark = "." if _is_about_rival(reason) else ":"
    said = f"{move_text(decision.move, decision.position.ruleset.size)}{mark} {summary}"
    return [said, line.removesuffix(f". {summary}")]


def scores_line(decision: Decision) -> str:
    """Return the score of the chosen move in one line, for callers without time to find the reason."""
    return score_line(decision.chosen, decision.position.ruleset.size)


def score_line(candidate: Candidate, size: int) -> str:
    """Return the score of a move in one line: its priority, its points and the patterns with their points.

    If no pattern fires for the move, the line says so and gives only the points.
    """
    move, scored = move_text(candidate.move, size), [(firing.pattern.id, firing.points) for firing in candidate.firings]
    if not scored:
        return f"{move}: no pattern fires for the move; {candidate.points} points for captures and liberties"
    ranked = scored[:1] + sorted(scored[1:], key=lambda pair: -abs(pair[1]))  # the leading pattern stays first
    listed = _list_points(ranked[:MOST_NAMED], ranked[MOST_NAMED:])
    return f"{move}: priority {candidate.priority}, {candidate.points} points: {listed}"


def summary_of(reason: Contrast) -> str:
    """Return the summary of the first pattern that a reason names, or '' if it names no pattern.

    The summary begins with `Against` and the rival if the pattern counts against both moves or only against the rival.
    """
    summary = next((pattern.summary for pattern in patterns_of(reason) if pattern.id in reason.named[:1]), "")
    if summary and reason.rival and _is_about_rival(reason):
        return f"Against {move_text(reason.rival.move, reason.decision.position.ruleset.size)}: {summary}"
    return summary


def _is_about_rival(reason: Contrast) -> bool:
    """Return whether the first pattern that a reason names counts against the rival."""
    for_chosen = {firing.pattern.id: firing.points for firing in reason.chosen.firings}
    return reason.rival is not None and for_chosen.get(reason.named[0], -1) < 0


def patterns_of(reason: Contrast) -> list[Pattern]:
    """Return the patterns that fire for the chosen move or its rival."""
    both = (reason.chosen, reason.rival) if reason.rival else (reason.chosen,)
    return [firing.pattern for candidate in both for firing in candidate.firings]


def contrast_line(reason: Contrast) -> str:
    """Return the reason for preferring the chosen move to its rival, in one line.

    An example is `1,1 rather than 3,3: your-point-is-mine +32, any-atari-gains-time +30; against 1,1: toward-the-centre
    -6`.
    """
    size, rival = reason.decision.position.ruleset.size, reason.rival
    chosen = move_text(reason.chosen.move, size)
    if rival is None:
        return f"{chosen}: there is no other move"
    other = move_text(rival.move, size)
    cause = _say_without_points(reason, rival, chosen, other) or _say_points(reason, rival, chosen, other)
    equals = _list_names([move_text(equal.move, size) for equal in reason.equals])
    return f"{chosen} rather than {other}: {cause}" + (f"; the same score: {equals}" if equals else "")


def _say_without_points(reason: Contrast, rival: Candidate, chosen: str, other: str) -> str:
    """Return a cause of the choice other than patterns, such as an override, or '' if there is none."""
    size, mine = reason.decision.position.ruleset.size, reason.chosen
    if reason.by == OVERRIDE:
        overruled = reason.decision.overruled
        preferred = move_text(overruled.move, size) if overruled else other
        costs = [(name, -points) for name, points in reason.costs] if preferred == other else []
        words = f"an override for this position plays {chosen}; the patterns prefer {preferred}"
        return words + (f": {_list_points(costs[:MOST_COSTS], costs[MOST_COSTS:])}" if costs else "")
    if reason.by == RESULT and mine.result2 is not None and rival.result2 is not None:
        return f"exact results: {mine.result2 / 2:+g} for {chosen} and {rival.result2 / 2:+g} for {other}"
    if rival.veto == REFUSED:
        return f"{other} {REFUSED}"
    if reason.by == VETO and not reason.named:
        who = f"{other} is vetoed" if reason.asked else f"every other move is vetoed, including {other}"
        return f"{who}: {_format_veto(rival, size)}"
    if reason.by == LOSS and not reason.named and mine.verdict and rival.verdict:
        lost = _what_is_lost(mine.verdict), _what_is_lost(rival.verdict)
        return f"every move is vetoed; {chosen} loses {lost[0]}, {other} loses {lost[1]}"
    return ""


def _say_points(reason: Contrast, rival: Candidate, chosen: str, other: str) -> str:
    """Return in words, with points, which patterns favour the chosen move and which favour the rival."""
    points, patterns = dict(reason.gains + reason.costs), {pattern.id: pattern for pattern in patterns_of(reason)}
    # Name all patterns unless the caller chose the rival.
    first = reason.named[:MOST_NAMED] if reason.asked else reason.named
    named = [_name_pattern(patterns[name], points.get(name, 0), reason, rival, other) for name in first]
    rest, costs = ([pair for pair in some if pair[0] not in first] for some in (reason.gains, reason.costs))
    parts = [", ".join(named + ([_more(rest)] if named and rest else []))] if named else []
    if not named:
        parts = [_list_points(rest[:MOST_COSTS], rest[MOST_COSTS:])] if rest else []
        if reason.chosen.firings and reason.by in (PRIORITY, POINTS, SPECIFICITY) and not reason.asked:
            more = [f"patterns only increase the margin over {other}: {parts[0]}"] if parts else []
            parts = ["captures and liberties alone would choose this move, too", *more]
    if not reason.chosen.firings and not named:
        parts = [f"no pattern fires for either move; captures and liberties: {reason.chosen.points} to {rival.points}"]
    if costs:
        parts.append(f"against {chosen}: " + _list_points(costs[:MOST_COSTS], costs[MOST_COSTS:]))
    if reason.by == SPECIFICITY:
        scores = f"{reason.chosen.specificity} to {rival.specificity}"
        parts.insert(0, f"equal points, but a more specific first pattern, {scores}")
    if reason.by == ORDER:
        parts.insert(0, "equal scores, so a fixed order of the moves decides")
    if reason.chosen.veto and reason.chosen.result2 is None:
        parts.insert(0, "every move is vetoed")
    return "; ".join(parts)


def _name_pattern(pattern: Pattern, points: int, reason: Contrast, rival: Candidate, other: str) -> str:
    """Return a pattern's name with its effect on the choice, such as its points or `forbids 3,3`."""
    if pattern.risk and points < 0:
        return f"{pattern.id} accepts the loss of a stone, {points:+}"
    if reason.by == PRIORITY and not pattern.risk and pattern.priority > rival.priority:
        return f"{pattern.id} (priority {pattern.priority} before {rival.priority})"
    if pattern.forbid:
        return f"{pattern.id} forbids {other}"
    return f"{pattern.id} {points:+}" if points else f"{pattern.id} (for both)"


def _list_points(shown: Sequence[tuple[str, int]], others: Sequence[tuple[str, int]]) -> str:
    listed = [f"{name} {points:+}" for name, points in shown]
    return ", ".join(listed + ([_more(others)] if others else []))


def _list_names(names: Sequence[str]) -> str:
    rest = len(names) - MOST_OTHERS
    return ", ".join(names[:MOST_OTHERS]) + (f" and {rest} more" if rest > 0 else "")


def _more(others: Sequence[tuple[str, int]]) -> str:
    return f"{len(others)} more {sum(points for _, points in others):+}"


def short_text(reason: Contrast) -> str:
    """Return the board, the reason and the best candidates as text.

    The text also contains the vetoed moves that rank higher, and lines of play. For a 5x5 board the text has at most
    MOST_LINES lines of 80 columns. On a larger board, only the drawing of the board is longer.
    """
    return "\n".join([board_heading(reason.decision), "", *why_lines(reason)])


def why_lines(reason: Contrast, rest_by: str = "--all", room: int | None = MOST_LINES - HEADING) -> list[str]:
    """Return terminal lines with the reason for the move and the best candidates.

    The vetoes of higher-ranked moves and the lines of play follow. rest_by: the option or command that lists all
    candidates with their patterns. room: the maximum number of terminal lines; lines of play that do not fit are
    omitted. None means no limit.
    """
    decision = reason.decision
    size, rest = decision.position.ruleset.size, len(decision.candidates) - TOP
    lines = [*chosen_lines(reason), "", f"  {'move':6}{'priority':>9}{'points':>8}{'patterns':>10}  verdict"]
    for candidate in decision.candidates[:TOP]:
        mark = "*" if candidate is decision.chosen else " "
        scores = f"{candidate.priority:9}{candidate.points:8}{len(candidate.firings):10}"
        verdict = verdict_text(candidate, size)
        lines.append(f"{mark} {move_text(candidate.move, size):6}{scores}  {textwrap.shorten(verdict, 43)}")
    if rest > 0:
        lines.append(f"  and {rest} other move{'s' if rest > 1 else ''}, all with their patterns: {rest_by}")
    vetoed = [
        f"{move_text(vetoed_move.move, size)} ({_format_veto(vetoed_move, size)})" for vetoed_move in reason.passed_over
    ]
    if vetoed:
        lines += wrap_text("", f"Better, but vetoed: {_list_names(vetoed)}.").splitlines()
    left = None if room is None else room - len(lines)
    return lines + read_lines(reason.chosen, decision, left, rest_by)


def read_lines(
    candidate: Candidate, decision: Decision, room: int | None = None, rest_by: str = "--all", head: str = "Read: "
) -> list[str]:
    """Return terminal lines with the lines of play that the facts of a candidate's patterns have read.

    room: the maximum number of terminal lines, or None for no limit. rest_by: the option or command that shows all
    lines of play. head: the text before the first line of play; the other lines of play are indented by the same width.
    """
    limit = math.inf if room is None else room
    texts = _merge_lines(candidate, decision)
    lines: list[str] = []
    omitted = 0
    for number, (text, patterns, _) in enumerate(texts, 1):
        wrapped = wrap_text(head, f"{_list_names(patterns)}: {text}", 2).splitlines()
        reserved = 1 if omitted or number < len(texts) else 0  # for the line that counts the omitted texts
        if len(lines) + len(wrapped) + reserved > limit:
            omitted += 1
            continue
        lines += wrapped
        head = " " * len(head)
    if omitted and len(lines) < limit:
        lines.append(f"{head}{omitted}{' more' if lines else ''} line{'s' if omitted > 1 else ''} of play: {rest_by}")
    return lines


def _merge_lines(candidate: Candidate, decision: Decision) -> list[tuple[str, list[str], list[Line]]]:
    """Return (text, ids of patterns, lines) for each distinct text of a candidate's lines of play."""
    from littlego.engines.lines.lines import lines_of  # lazy: this module runs on Python 3.7, `lines` does not

    lines_by_text: dict[str, list[Line]] = {}
    for line in lines_of(candidate, decision):
        lines_by_text.setdefault(describe_line(line, decision.position.ruleset.size), []).append(line)
    return [
        (text, list(dict.fromkeys(name for line in lines for name in line.patterns)), lines)
        for text, lines in lines_by_text.items()
    ]


def signed_moves(moves: Iterable[Point], first: int, size: int) -> list[str]:
    """Return alternating moves as texts such as `X 3,2`, with NO_BREAK as the space.

    first: the first move's colour.
    """
    sides = itertools.cycle((first, BLACK + WHITE - first))
    return [f"{SIGNS[side]}{NO_BREAK}{move_text(move, size)}" for side, move in zip(sides, moves)]


def describe_line(line: Line, size: int) -> str:
    """Return a Line as text, such as `after X 3,2 the 2 stones at 2,3 fall: O 3,3 X 3,4 captures 2`.

    NO_BREAK joins the words of a move.
    """
    from littlego.engines.lines.lines import ENDS, FALLS, STANDS  # lazy: see _merge_lines

    moves = signed_moves(line.moves, line.first, size)
    captures, number = f"captures {line.captured}", len(line.stones)
    if line.kind == ENDS:
        winner = line.first if line.answer > 0 else BLACK + WHITE - line.first
        return f"{' '.join(moves)}; then {SIGNS[winner]} wins by {abs(line.answer) / 2:g}"
    if line.kind == FALLS and len(moves) == 1:
        return f"{moves[0]} {captures}"
    what, verbs = (f"the {number} stones", ("fall", "stand")) if number > 1 else ("the stone", ("falls", "stands"))
    stones = f"{what} at {move_text(line.stones[0], size)} {verbs[line.kind == STANDS]}" if line.stones else ""
    if line.point is None:
        return f"with {SIGNS[line.first]} to move {stones}: {' '.join(moves)} {captures}"
    after, rest = f"after {SIGNS[line.first]}{NO_BREAK}{move_text(line.point, size)} {stones}".rstrip(), moves[1:]
    return f"{after}{'; after a pass' if line.kind == STANDS else ':'} {' '.join(rest)} {captures}"


def chosen_lines(reason: Contrast) -> list[str]:
    """Return terminal lines with a reason and the summary of the first pattern that the reason names."""
    lines = wrap_text("Chosen: ", contrast_line(reason) + ".").splitlines()
    return lines + wrap_text(" " * len("Chosen: "), summary_of(reason)).rstrip().splitlines()


def decision_text(reason: Contrast, top: int | None = None) -> str:
    """Return the board, the reason for the move and a table of candidates as text.

    For each candidate, the table shows the score, the verdict or veto, and the patterns with their points and places.
    top: the maximum number of candidates, None for all.
    """
    return "\n".join([board_heading(reason.decision), "", *table_lines(reason, top)])


def table_lines(reason: Contrast, top: int | None = None) -> list[str]:
    """Return terminal lines with the reason for the move and a table of candidates.

    The tables of points and the lines of play follow. top: the maximum number of candidates, None for all.
    """
    decision, roles, lines = reason.decision, roles_of(reason.decision), [*chosen_lines(reason), ""]
    lines.append(f"  {'move':6}{'priority':>9}{'points':>8}{'specific':>10}  verdict")
    for candidate in decision.candidates[:top]:
        lines += _candidate_lines(candidate, decision, roles)
    read = read_lines(decision.chosen, decision)
    return lines + _lines_of_tables(decision, roles) + (["", *read] if read else [])


def _lines_of_tables(decision: Decision, roles: Mapping[str, str]) -> list[str]:
    """Return terminal lines with the tables of points that belong to deciding or supporting patterns."""
    fired = [firing.pattern for firing in decision.chosen.firings if roles[firing.pattern.id] != PRESENT]
    drawn = {pattern.id: Table(pattern.table) for pattern in fired if pattern.table}
    lines = ["", "Points by moves left; the number for this position is in parentheses:"] if drawn else []
    for name, table in drawn.items():
        rows = drawn_table(table, decision.position.colour, decision.position.left)
        for head, (side, *cells) in zip((f"  {name}", "", ""), rows):
            lines.append(f"{head:{NAME_WIDTH}}{side:>6}" + "".join(f"{cell:>7}" for cell in cells))
    return lines


def board_heading(decision: Decision) -> str:
    """Return a line with the mover and the move number, followed by the board with the move.

    The line also gives the opponent's last move if it is known.
    """
    position = decision.position
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    move = decision.move if decision.move != PASS else None
    drawn = board_text(position.ruleset.size, position.black, position.white, move)
    left = f" ({position.left} left, including this move)" if position.ruleset.length else ""
    return f"{mover} to play move {position.number}{left}{_after_text(position)}.\n{drawn}"


def _after_text(position: Position) -> str:
    """Return the opponent's last move as `, after ...`, or '' if unknown. Many match patterns depend on this move."""
    last = last_move_of(position)
    if last is None:
        return ""
    return ", after " + ("a pass" if last == PASS else move_text_both(last, position.ruleset.size))


def placement_text(rows: Sequence[str], label_rows: Sequence[str], symmetry: int, place: Point, size: int) -> str:
    """Return the place of a diagram in words: the top-left corner of its box, and the orientation."""
    return ", ".join(filter(None, [f"at {move_text(place, size)}", describe_turn(rows, label_rows, symmetry)]))


def drawn_points(firing: Firing, size: int) -> tuple[list[Point], dict[Point, str]]:
    """Return (the board points that a firing's pattern constrains, {labelled point: letter}).

    Both are empty if the pattern's move is a pass, or if the firing has no symmetry or place.
    """
    pattern = firing.pattern
    if firing.symmetry is None or firing.place is None or pattern.passes:
        return [], {}
    shape, corner = parse_shape(pattern.rows, pattern.label_rows).turned(firing.symmetry), firing.place
    cells = [corner + size * row + column for row, column, symbol in shape.cells if symbol != ANY]
    return cells, {corner + size * row + column: letter for row, column, letter in shape.labels}


def _candidate_lines(candidate: Candidate, decision: Decision, roles: Mapping[str, str]) -> list[str]:
    size = decision.position.ruleset.size
    scores = f"{candidate.priority:9}{candidate.points:8}{candidate.specificity:10}"
    head = f"{'*' if candidate is decision.chosen else ' '} {move_text(candidate.move, size):6}{scores}  "
    lines = [wrap_text(head, verdict_text(candidate, size))]
    for firing in candidate.firings:
        pattern = firing.pattern
        remarks = list(filter(None, [number_text(firing, decision.position)]))
        if firing.place is not None and firing.symmetry is not None and not pattern.passes:
            remarks.append(placement_text(pattern.rows, pattern.label_rows, firing.symmetry, firing.place, size))
        if pattern.priority != candidate.priority:
            remarks.append(f"priority {pattern.priority}")
        remarks += [roles[pattern.id]] if roles[pattern.id] != PRESENT else []
        lines.append(wrap_text(f"    {pattern.id:{NAME_WIDTH}}{firing.points:+6}  ", ", ".join(remarks)).rstrip())
    return lines


def number_text(firing: Firing, position: Position) -> str:
    """Return the condition under which a firing's points count, such as `as Black with 6 or fewer left`.

    The result is '' if the points always count. If the points are a number from a table plus an expression, the text
    also states the number, as in `of which +4 as Black`.
    """
    if not firing.pattern.table:
        return ""
    table = Table(firing.pattern.table)
    number, when = table.number(position.colour, position.left), when_text(table, position.colour, position.left)
    return when if not when or number == firing.points else f"of which {number:+} {when}"


def verdict_text(candidate: Candidate, size: int) -> str:
    """Return the safety verdict or the exact result of a move in words."""
    if candidate.veto:
        return "vetoed: " + _format_veto(candidate, size, named="")
    if candidate.result2 is not None:
        return f"exact result: {candidate.result2 / 2:+g}"
    if candidate.verdict is None:
        return "not checked"
    if candidate.verdict.loss <= 0:
        return "safe"
    how = "may lose a stone, at a price" if candidate.is_risked else "loses stones on purpose"
    return f"{how}: {_format_refutation(candidate.verdict, size)}"


def _format_veto(candidate: Candidate, size: int, named: str = "the reply ") -> str:
    """Return the reason for a veto in words. named: the text that precedes the opponent's reply."""
    if candidate.verdict is not None and candidate.verdict.reason == candidate.veto:
        return _format_refutation(candidate.verdict, size, named)
    return candidate.veto


def _what_is_lost(verdict: Verdict) -> str:
    """Return the loss of a vetoed move in words, such as `2 stones`, `the game` or `the game and 1 stone`."""
    if verdict.loss < LOST_END:
        return stones_in_words(verdict.loss)
    stones = verdict.loss - LOST_END if verdict.loss < LOST_GAME else 0
    return "the game" + (f" and {stones_in_words(stones)}" if stones else "")


def _format_refutation(verdict: Verdict, size: int, named: str = "") -> str:
    return verdict.reason if verdict.reply is None else f"{named}{move_text(verdict.reply, size)} {verdict.reason}"


def decision_json(decision: Decision) -> dict[str, Any]:
    """Return a complete decision as plain values.

    The keys are `format`, `position` (see position_json), `move`, `reason` (see reason_json), `lines` (see lines_json,
    for the chosen move), `overruled` and `candidates` (see candidate_json). `overruled` is the patterns' choice if an
    override replaced it, else null. `candidates` lists the chosen candidate, then the other candidates from best to
    worst, with the vetoed candidates last. Moves are `row,column`, zero-based, or PASS.
    """
    size, overruled = decision.position.ruleset.size, decision.overruled
    return {
        "format": FORMAT,
        "position": position_json(decision.position),
        "move": move_text(decision.move, size),
        "reason": reason_json(contrast(decision)),
        "lines": lines_json(decision.chosen, decision),
        "overruled": None if overruled is None else move_text(overruled.move, size),
        "candidates": [candidate_json(candidate, decision) for candidate in decision.candidates],
    }


def reason_json(reason: Contrast) -> dict[str, Any]:
    """Return a contrast as plain values.

    `text` is the contrast in one line. `move` is the chosen move, and `rival` the move with which the chosen move is
    compared, or null. `by` is the kind of difference, one of littlego.engines.reasons.contrast.KINDS. `named` lists the
    smallest known set of patterns without which another move would be played. `for` is {pattern: difference in points}
    for patterns that add more points to the move than to the rival, and `against` is {pattern: negative difference} for
    patterns with the opposite effect. `same_score` lists other moves with the same score, and `passed_over` lists
    vetoed moves that rank higher.
    """
    size = reason.decision.position.ruleset.size
    return {
        "text": contrast_line(reason),
        "move": move_text(reason.chosen.move, size),
        "rival": None if reason.rival is None else move_text(reason.rival.move, size),
        "by": reason.by,
        "named": list(reason.named),
        "for": dict(reason.gains),
        "against": dict(reason.costs),
        "same_score": [move_text(equal.move, size) for equal in reason.equals],
        "passed_over": [move_text(candidate.move, size) for candidate in reason.passed_over],
    }


def lines_json(candidate: Candidate, decision: Decision) -> list[dict[str, Any]]:
    """Return the lines of play that the facts of a candidate's patterns have read, as plain values.

    text: the line as `explain` prints it, without the patterns; no two lines have the same text. patterns: the ids of
    the patterns whose facts have read the line. facts: the answers of these facts, by name. The other keys are fields
    of littlego.engines.lines.lines.Line. first: black or white.
    """
    size = decision.position.ruleset.size
    return [
        {
            "text": text.replace(NO_BREAK, " "),
            "kind": line.kind,
            "patterns": patterns,
            "facts": {same.fact: same.answer for same in lines},
            "stones": [move_text(point, size) for point in line.stones],
            "first": "black" if line.first == BLACK else "white",
            "moves": [move_text(move, size) for move in line.moves],
            "point": None if line.point is None else move_text(line.point, size),
            "captured": line.captured,
        }
        for text, patterns, lines in _merge_lines(candidate, decision)
        for line in lines[:1]
    ]


def position_json(position: Position) -> dict[str, Any]:
    """Return a position as plain values.

    The keys are `ruleset`, `size`, `board` (rows of X, O and .), `to_move`, `move_number`, `moves_left` (0 in a match),
    `ko` (the forbidden point, or null) and `passed` (whether a pass now ends the game).
    """
    size = position.ruleset.size
    return {
        "ruleset": position.ruleset.name,
        "size": size,
        "board": board_rows(size, position.black, position.white),
        "to_move": "black" if position.colour == BLACK else "white",
        "move_number": position.number,
        "moves_left": position.left,
        "ko": move_text(position.ko.bit_length() - 1, size) if position.ko else None,
        "passed": position.passed,
    }


def candidate_json(candidate: Candidate, decision: Decision) -> dict[str, Any]:
    """Return a candidate as plain values.

    The keys are `move`, `chosen`, `priority`, `points`, `specificity`, `result` (the mover's exact final lead after
    komi, or null if unknown), `veto` (the reason for the veto, or ''), `safety` (the loss, reply and reason of
    rules.safety.Verdict; null for a move that was not checked) and `firings` (the leading firing first). A firing has
    `pattern`, `class`, `summary`, `priority`, `points`, `table` (null, or see tables.table_json), `symmetry` (0 to 7,
    as in rules/geometry), `place` (the top-left corner of the pattern's box; null for a pass) and `forbids`.
    """
    size, verdict = decision.position.ruleset.size, candidate.verdict
    reply = None if verdict is None or verdict.reply is None else move_text(verdict.reply, size)
    safety = None if verdict is None else {"loss": verdict.loss, "reply": reply, "reason": verdict.reason}
    return {
        "move": move_text(candidate.move, size),
        "chosen": candidate is decision.chosen,
        "priority": candidate.priority,
        "points": candidate.points,
        "specificity": candidate.specificity,
        "result": None if candidate.result2 is None else candidate.result2 / 2,
        "veto": candidate.veto,
        "safety": safety,
        "firings": [_firing_json(firing, decision.position) for firing in candidate.firings],
    }


def _firing_json(firing: Firing, position: Position) -> dict[str, Any]:
    pattern, size = firing.pattern, position.ruleset.size
    return {
        "pattern": pattern.id,
        "class": pattern.kind,
        "summary": pattern.summary,
        "priority": pattern.priority,
        "points": firing.points,
        "table": table_json(pattern.table, position.colour, position.left),
        "symmetry": firing.symmetry,
        "place": None if firing.place is None or pattern.passes else move_text(firing.place, size),
        "forbids": pattern.forbid,
    }
