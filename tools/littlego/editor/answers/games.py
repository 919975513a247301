"""Answers about games: reading a game, adding a move, and judging the moves."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Generator
from pathlib import Path
from shlex import quote
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.deciders import decider_for
from littlego.editor.documents import file_beside
from littlego.editor.games import (
    DEPTHS,
    StudioGame,
    game_json,
    positions_of,
    read_game,
    with_move,
    word,
)
from littlego.editor.methods import BOARD, ask, job
from littlego.editor.opening import ARENA, open_arena, read_file
from littlego.editor.opening import open_game as open_data
from littlego.editor.players import ongoing_positions
from littlego.editor.session import Session
from littlego.games.game import margin2, why_illegal
from littlego.match.referee import COLOURS
from littlego.printable import printable
from littlego.records.inputs import move_at
from littlego.rules.position import BLACK, RESIGN, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO

Events = Generator[dict[str, Any], None, dict[str, Any]]
MARKS = {"BM": "wrong", "TE": "right", "DO": "doubtful", "IT": "interesting"}  # SGF property: mark
EXACT = 10  # default maximum number of moves left for an exact judgement


def _game(session: Session, text: str) -> StudioGame:
    return read_game(text, session.entries.ruleset.name)


@ask("game")
def game(session: Session, *, game: str) -> dict[str, Any]:
    """Return the game that a text describes; see games.game_json. Raise ArgumentError for an illegal move."""
    return game_json(_game(session, game))


@ask("open_game", lane=BOARD)
def open_game(
    session: Session, *, text: str = "", data: str = "", file: str = "", number: int | None = None
) -> dict[str, Any]:
    """Return a game (see games.game_json), or the list of a tournament's games.

    Exactly one of `text`, `data` and `file` is required. `text` is a game or a board in one of these formats: SGF, JSON
    of `littlego play`, the log of a match server, a drawn board, an input.txt, or the studio's own syntax. `data`
    contains a file in one of these formats, encoded in base64. `file` is the name of a file beside the patterns file: a
    file in one of these formats, or a tournament's file. `number` selects a game of the tournament. For a tournament
    without `number`, the answer's `games` contains the keys number, black, white, result and moves for each game.
    """
    if [bool(text), bool(data), bool(file)].count(True) != 1:
        raise ArgumentError("expected exactly one of `text`, `data` and `file`")
    ruleset = session.entries.ruleset.name
    if data:
        return game_json(open_data("the file", _bytes_of(data), ruleset))
    if text:
        return game_json(open_data("the text", text.encode(), ruleset))
    path = file_beside(session, file)
    if path.suffix not in ARENA:
        command = f"littlego explain {quote(path.name)} -f {quote(session.filename)}"
        return {**game_json(open_data(printable(path.name), read_file(path), ruleset)), "command": command}
    command = f"littlego arena games {quote(path.name)}"
    if number is not None:
        command = f"littlego arena sgf {quote(path.name)} {number}"
    found = open_arena(path, number)
    if isinstance(found, StudioGame):
        return {**game_json(found), "command": command}
    games = [
        {"number": one.number, "black": one.black, "white": one.white, "result": one.text, "moves": one.plies}
        for one in found
    ]
    return {"games": games, "command": command}


def _bytes_of(data: str) -> bytes:
    try:
        return b64decode(data, validate=True)
    except ValueError:
        raise ArgumentError("`data` is not valid base64") from None


@ask("game_files")
def game_files(session: Session) -> dict[str, Any]:
    """Return the names of the files beside the patterns file that may contain games or tournaments.

    The answer lists files with the suffixes of games and tournaments, except files whose names start with `patterns` or
    `overrides`.
    """
    folder = Path(session.snapshot.path or session.filename).absolute().parent
    endings = (".sgf", ".json", ".txt", *ARENA)
    found = sorted(one.name for one in folder.iterdir() if one.suffix in endings and one.is_file())
    return {"files": [name for name in found if not name.startswith(("patterns", "overrides"))]}


@ask("move")
def move(session: Session, *, game: str, move: str, left: float | None = None) -> dict[str, Any]:
    """Return the game after one more move: see games.game_json. left: the mover's remaining seconds after the move."""
    played = _game(session, game)
    positions = ongoing_positions(played)
    size = positions[-1].ruleset.size
    made = RESIGN if move == "resign" else move_at(move, size, "move")
    if illegal := why_illegal(positions[-1], made):
        raise ArgumentError(f"{move} is not legal: {illegal}; expected another point, or pass")
    return game_json(with_move(played, made, left=left))


@job("judge_game", lasting=True)
def judge_game(session: Session, *, game: str, exact: int = EXACT, judged: bool = True) -> Events:
    """Yield the progress and a judgement of each move, from the last move to the first.

    Resignations are not judged. exact: the maximum number of moves left at which the solver runs. judged: whether the
    patterns also judge the moves. Each `result` contains the number of the move, from 1, and the keys of `_judged`. In
    the returned answer, `turning` lists the numbers of the moves that give away a win. `known` is the number of moves
    with exact values, and `of` is the number of all moves. `more` is the smallest value in DEPTHS above `exact`, or
    null if no value is above `exact` or no move was made in a Little-Go position with more than `exact` moves left.
    """
    yield {"progress": [0, 0]}
    from littlego.judging.annotation.exact import Oracle  # lazy: this import takes seconds

    played = _game(session, game)
    positions, oracle = positions_of(played), Oracle(exact)
    moves = [one.move for one in played.record.moves]
    turning, count = [], 0
    for number in range(len(moves), 0, -1):
        yield {"progress": [len(moves) - number, len(moves)]}
        if moves[number - 1] == RESIGN:
            continue
        told = _judged(session, positions[number - 1], moves[number - 1], oracle, judged)
        if told["turning"]:
            turning.append(number)
        count += told["winning"] is not None
        yield {"result": {"number": number, **told}}
    more = next((one for one in DEPTHS if one > exact), None)
    unknown = any(position.ruleset is LITTLE_GO and position.left > exact for position in positions[: len(moves)])
    return {
        "turning": sorted(turning),
        "exact": exact,
        "of": len(moves),
        "known": count,
        "more": more if unknown else None,
    }


def _judged(session: Session, position: Position, move: int, oracle: Any, judged: bool) -> dict[str, Any]:
    """Return the judgement of a move.

    `margin` is Black's lead after komi if best play follows the move. `best` is Black's lead after komi if the best
    move is played instead. `wins` is the side that wins if best play follows the move, or null for a tie. `winning`
    lists the moves that keep the win. These four keys are null if the exact values are unknown. `standing` is Black's
    lead after komi in the position after the move. `turning` is true if the move gives away a win.

    `mark` is a value of MARKS, or ''. `said` is the judgement in sentences, or ''. `reply` is the reply that refutes
    the move, or null. `better` lists a better move and possibly the best play after this move, or is empty.
    """
    from littlego.judging.annotation.comments import judge

    size, known = position.ruleset.size, None
    told: dict[str, Any] = {"mark": "", "said": "", "reply": None, "better": []}
    if oracle.knows(position):
        known = oracle.ask(position, move)
    if judged:
        found = judge(position, move, decider_for(session, position).decide, oracle, lettered=False)
        told = {
            "mark": next((word_ for name, word_ in MARKS.items() if name in found.after.properties), ""),
            "said": " ".join(found.after.lines),
            "reply": None if found.refuting is None else word(found.refuting, size),
            "better": [word(one, size) for one in found.better],
        }
    after2 = None if known is None else known.after2
    if known is not None and after2 != known.best2 and not told["better"]:  # no mark, because the result is the same
        told["better"] = [word(oracle.best_reply(position), size)]
    return {
        "move": word(move, size),
        "colour": COLOURS[position.colour].lower(),
        "margin": None if after2 is None else after2 / 2,
        "best": None if known is None else known.best2 / 2,
        "standing": margin2(position.play(move)) / 2,
        "wins": None if not after2 else COLOURS[BLACK if after2 > 0 else WHITE].lower(),
        **told,
        "winning": None if known is None else [word(one, size) for one in known.winning],
        "turning": known is not None and bool(known.winning) and move not in known.winning,
    }
