"""Answers for the board view: a position's decision, the reasons against a move, and exact values."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import islice
from shlex import quote
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.deciders import Decider, decider_for
from littlego.editor.documents import file_beside
from littlego.editor.games import word
from littlego.editor.methods import BOARD, SLOW, ask, job
from littlego.editor.moves import moves_json
from littlego.editor.positions import drawn_command, explain_command, read_position
from littlego.editor.session import Session
from littlego.engines.draw.decisions import hint_lines, reason_line
from littlego.engines.reasons.contrast import contrast
from littlego.engines.reasons.foresight import Foresight
from littlego.games.little_go import game_of
from littlego.judging.explain.deciding import decide_asked, decide_otherwise, explain_json
from littlego.knowledge.answers import what_if_json, why_not_json
from littlego.knowledge.answers import why_not as why_not_of
from littlego.knowledge.files import read_knowledge
from littlego.knowledge.model import MATCHES, KnownPattern
from littlego.players.human import SOLVED, exact_hint
from littlego.records.inputs import move_at
from littlego.rules.engine import Decision
from littlego.rules.position import BLACK, Position

Events = Generator[dict[str, Any], None, dict[str, Any]]
NEAR = 10  # default number of near misses in an answer, as in `explain --most 10`
MOST_OPENED = 20  # maximum number of patterns to try for the first view
LEADS = 10  # maximum number of moves left for immediate exact leads; with 12 moves left, leads take seconds
YAML = ".yaml", ".yml"
_first: dict[tuple[str, str], str] = {}  # path and text of the last file -> the pattern to open first


def _read(session: Session, text: str) -> tuple[Position, Decider]:
    position = read_position(text, session.entries.ruleset.name)
    return position, decider_for(session, position)


@ask("decision", lane=BOARD)
def decision(session: Session, *, position: str) -> dict[str, Any]:
    """Return the decision in a position, with its reasons.

    `explain` is the output of `littlego explain --json`, without the refutation that justifies an override. For
    `moves`, see moves.moves_json. `chosen` is the chosen move, and `said` is the reason for this move, in one line. If
    an override decides, `overruled` is the move that the patterns prefer; otherwise, `overruled` is null. `patterns` is
    the name of the patterns file used, and `own` is true if this file is open in the editor. `command` is the `littlego
    explain` command, or '' if no drawing can express the position.
    """
    board, by = _read(session, position)
    found = decide_asked([board], by.book, by.overrides)
    made, size = found.decision, board.ruleset.size
    return {
        "explain": explain_json(found),
        "moves": moves_json(made),
        "chosen": word(made.move, size),
        "said": reason_line(made),
        "overruled": None if made.overruled is None else word(made.overruled.move, size),
        "patterns": by.name,
        "own": by.is_own,
        "command": explain_command(board, by.name),
    }


@ask("why_not", lane=BOARD)
def why_not(session: Session, *, position: str, move: str, most: int = NEAR) -> dict[str, Any]:
    """Return the reasons why the player does not choose a move.

    most: the maximum number of near misses (patterns that nearly fire for the move). `explain` is the output of
    `littlego explain --why-not MOVE --most MOST --json`. `command` is this command without `--json`, or '' if no
    drawing can express the position.
    """
    board, by = _read(session, position)
    point = move_at(move, board.ruleset.size, "move")
    found = decide_asked([board], by.book, by.overrides)
    answer = why_not_json(why_not_of(found.decision, point, by.book.patterns), most)
    command = explain_command(board, by.name, f"--why-not {word(point, board.ruleset.size)} --most {most}")
    return {"explain": explain_json(found, why_not=answer), "command": command}


@ask("what_if", lane=BOARD)
def what_if(session: Session, *, position: str, without: list[str] | None = None, file: str = "") -> dict[str, Any]:
    """Return the decision without some patterns, with another patterns file, or with both changes.

    without: the ids of the patterns to leave out. file: the name of the other file, which must be in the folder of the
    open file, or ''. At least one of `without` and `file` is required. `explain` is the output of `littlego explain
    --what-if FILE --without ID --json`. `moves` lists the candidates of the new decision; see moves.moves_json.
    `chosen` is the new move, and `moved` is true if the new move differs from the old move.
    """
    board, by = _read(session, position)
    if not (without or file):
        raise ArgumentError("neither `without` nor `file` is given; expected at least one")
    other = (file, read_knowledge(file_beside(session, file, YAML)).book) if file else None
    found = decide_asked([board], by.book, by.overrides)
    answer = decide_otherwise(found, by.book, by.overrides, other, without or ())
    options = [f"--what-if {quote(file)}"] if file else []
    options += [f"--without {quote(name)}" for name in without or ()]
    return {
        "explain": explain_json(found, what_if=what_if_json(answer)),
        "moves": moves_json(answer.then),
        "chosen": word(answer.then.move, board.ruleset.size),
        "moved": answer.moved,
        "command": explain_command(board, by.name, " ".join(options)),
    }


@ask("first_pattern", lane=BOARD)
def first_pattern(session: Session) -> dict[str, Any]:
    """Return the id of the pattern to open first; '' if the file has no entries.

    The search covers the first MOST_OPENED patterns with stones in their drawings. A pattern qualifies if the player
    chooses the move of the pattern's first example under `matches`, and if the pattern is the first reason for this
    choice. Among the qualifying patterns, a pattern whose removal changes the move takes precedence. If no pattern
    qualifies, the function chooses the first pattern with stones or, if no pattern has stones, the first entry.
    """
    key = session.snapshot.path, session.text
    if key not in _first:
        _first.clear()
        _first[key] = _find_first(session)
    return {"pattern": _first[key]}


def _find_first(session: Session) -> str:
    first = ""
    supporting: list[tuple[str, Decision]] = []  # (pattern, decision) if the move stays the same without the pattern
    for pattern in islice(_drawn_patterns(session), MOST_OPENED):
        first = first or pattern.id
        made = _decided(session, pattern)
        if made is None:
            continue
        if Foresight(made).move_without([pattern.id]) == made.move:
            supporting.append((pattern.id, made))  # searched last, because finding its reasons takes longest
        elif _is_named(made, pattern.id):
            return pattern.id
    named = (name for name, made in supporting if _is_named(made, name))
    return next(named, first or next(iter(session.entries.ids), ""))


def _drawn_patterns(session: Session) -> Iterator[KnownPattern]:
    """Yield the valid patterns with stones in their drawings, except patterns whose move is a pass.

    Each entry is compiled lazily.
    """
    for entry in session.entries.all:
        for pattern in session.entries.compiled(entry).patterns:
            if set("XO") & set("".join(pattern.rows)) and not pattern.passes:
                yield pattern


def _is_named(made: Decision, name: str) -> bool:
    """Return whether a pattern is the first reason for the chosen move."""
    return contrast(made).named[:1] == (name,)


def _decided(session: Session, pattern: KnownPattern) -> Decision | None:
    """Return the decision in a pattern's first example under `matches`, or None.

    None means that the pattern has no such example, or that the player chooses a move other than the example's move.
    """
    example = next((one for one in pattern.examples if one.kind == MATCHES and not one.is_todo), None)
    if example is None:
        return None
    position = example.position()
    made = decider_for(session, position).decide(position)
    return made if made.move == example.move else None


@ask("hint", lane=SLOW)
def hint(session: Session, *, position: str) -> dict[str, Any]:
    """Return the hint that the command `hint` of `littlego play` prints.

    `said` contains the move and the summary of a pattern that explains the move. `patterns` is the reason for the move.
    Without a summary, `said` is the reason and `patterns` is ''. `exact` is the solver's results in words, or the
    reason why the solver has no results.
    """
    board, by = _read(session, position)
    made = by.decide(board)
    return {"move": word(made.move, board.ruleset.size), **_hint(made), "exact": exact_hint(board)}


def _hint(made: Decision) -> dict[str, str]:
    said, *rest = hint_lines(made)
    return {"said": said, "patterns": " ".join(rest)}


@ask("exact", lane=SLOW)
def exact(session: Session, *, position: str) -> dict[str, Any]:
    """Return a position's exact values (see values_json), or the reason why the values are not computed.

    `known` is true if the answer contains the exact values. Otherwise, `why` is a sentence with the reason, and `deep`
    is true if the job `solve` can compute the values. `limit` is the maximum number of moves left at which the values
    are computed immediately, and `leads` is the maximum at which the final leads are also computed. `command` is the
    `littlego solve` command, or '' if the solver does not support the game.
    """
    board = read_position(position, session.entries.ruleset.name)
    told = {"limit": SOLVED, "leads": LEADS, "command": solve_command(board)}
    if why := game_of(board.ruleset).unsolved:
        return {"known": False, "deep": False, "why": why, **told, "command": ""}
    if board.left > SOLVED:
        why = f"{board.left} moves are left; with more than {SOLVED} moves left, the solver runs only on request"
        return {"known": False, "deep": True, "why": f"{why}, because solving may take minutes", **told}
    return {"known": True, "deep": False, "why": "", **told, **values_json(board, board.left <= LEADS)}


def solve_command(board: Position) -> str:
    """Return the shell command that solves a position and lists the value of each move."""
    return drawn_command("solve", board, "--moves" + (" --lead" if board.left <= LEADS else ""))


@job("solve")
def solve(session: Session, *, position: str, leads: bool = False) -> Events:
    """Yield the progress and the exact value of each legal move; return all values.

    The job yields each value as soon as it is computed. The position may have any number of moves left. leads: whether
    to compute the leads. For the value of a move and for the keys of the answer, see values_json. In a yielded value,
    `cost` is null, because the best move is not known yet.
    """
    from littlego.rules.positionkey import pack, unpack_move
    from littlego.truth.solver.cli import bits_for
    from littlego.truth.solver.leads import Leads
    from littlego.truth.solver.solver import Solver, moves_of

    board = read_position(position, session.entries.ruleset.name)
    if why := game_of(board.ruleset).unsolved:
        raise ArgumentError(f"the solver does not support this game on a board of size {board.ruleset.size}: {why}")
    solver, code = Solver(bits_for(board.left)), pack(board)
    deeper, legal = Leads(solver), moves_of(code)
    values = []
    for number, move in enumerate(legal):
        yield {"progress": [number, len(legal)]}
        lead = deeper.lead_after(code, move) if leads else None
        values.append(_value(unpack_move(move), solver.keeps(code, move), lead, board))
        yield {"result": values[-1]}
    return _values(values, board)


def values_json(board: Position, leads: bool) -> dict[str, Any]:
    """Return the exact values of a Little-Go position.

    leads: whether to compute the leads; otherwise, best, margin and cost are null. `winner` is the side that wins with
    best play, black or white. `best` is Black's final lead after komi with best play. `values` contains move, wins,
    margin and cost for each legal move. `wins` is true if the mover wins with best play after the move. `margin` is
    Black's final lead after komi if best play follows the move. `cost` is the number of points that the move loses
    compared with the best move.
    """
    from littlego.rules.positionkey import pack, unpack_move
    from littlego.truth.solver.leads import Leads
    from littlego.truth.solver.solver import Solver, moves_of

    solver, code = Solver(BITS), pack(board)
    deeper = Leads(solver)
    values = [
        _value(unpack_move(move), solver.keeps(code, move), deeper.lead_after(code, move) if leads else None, board)
        for move in moves_of(code)
    ]
    return _values(values, board)


BITS = 20  # log2 of the number of 8-byte entries in the solver's table, which takes 8 MiB


def _value(move: int, wins: bool, lead: int | None, board: Position) -> dict[str, Any]:
    margin = None if lead is None else lead - board.ruleset.komi2 / 2
    return {"move": word(move, board.ruleset.size), "wins": wins, "margin": margin, "cost": None}


def _values(values: list[dict[str, Any]], board: Position) -> dict[str, Any]:
    """Return the keys winner, best and values of values_json. values: the moves' values without costs."""
    sign = 1 if board.colour == BLACK else -1
    margins = [sign * value["margin"] for value in values if value["margin"] is not None]
    best = max(margins, default=None)
    for one in values:
        if best is not None and one["margin"] is not None:
            one["cost"] = best - sign * one["margin"]
    mine = any(value["wins"] for value in values)
    winner = "black" if mine == (board.colour == BLACK) else "white"
    return {"winner": winner, "best": None if best is None else sign * best, "values": values}
