"""Games as one line of text, which fits into a URL: the start, a semicolon, and the moves.

    little-go; 2,2 1,2 3,2
    X.O../...../...../...../..... white left=17; 2,2 pass
    match-9; 4,4 2,2 resign

The start is the name of a ruleset, or a position in the format of littlego.editor.positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.positions import position_text, read_position
from littlego.games.boards import move_text
from littlego.games.game import margin2, opening, ruleset_named
from littlego.games.kinds import UnknownRulesetError
from littlego.games.little_go import game_of
from littlego.knowledge.problems import plural
from littlego.match.referee import COLOURS, count_out, prisoners_of
from littlego.printable import printable
from littlego.records.inputs import move_at
from littlego.records.records import MOST_MOVES, Played, Record, RecordError
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO

GAME = "the game"  # name for messages
LONGEST = 200_000  # characters
DEPTHS = (6, 8, 10, 12, 14, 16, 18, 20)  # offered limits for exact judgement, in moves left; 18 and more take minutes
_NAME = re.compile(r"[a-z][a-z0-9.+-]*")


@dataclass(frozen=True)
class StudioGame:
    """A game to step through, finished or not.

    `said` has the recorded reason for each move, or ''. `left` has the seconds on the mover's clock after each move, or
    None for a move without a clock. `players` has the names of Black and White. `result` is the recorded result, or ''.
    `budgets` has the initial seconds on Black's and White's clocks, or is None.
    """

    record: Record
    said: tuple[str, ...] = ()
    left: tuple[float | None, ...] = ()
    players: tuple[str, str] = ("", "")
    result: str = ""
    budgets: tuple[float, float] | None = None


def read_game(text: str, ruleset: str = LITTLE_GO.name) -> StudioGame:
    """Return the game that a text describes; raise ArgumentError for an invalid text.

    ruleset: the default ruleset for a start position without `ruleset=`.
    """
    if len(text) > LONGEST:
        raise ArgumentError(f"the game has {len(text)} characters; expected at most {LONGEST:,}")
    said, semicolon, rest = text.partition(";")
    said, words = said.strip(), rest.split()
    if not semicolon or len(words) > MOST_MOVES:
        raise ArgumentError(f"`{printable(text[:60])}` is not a game; expected the start position, `;` and the moves")
    start = _read_start(said, ruleset)
    size = start.ruleset.size
    moves = [RESIGN if word == "resign" else move_at(word, size, f"move {n}") for n, word in enumerate(words, 1)]
    return StudioGame(Record(start, list(map(Played, moves))))


def _read_start(said: str, ruleset: str) -> Position:
    if not _NAME.fullmatch(said):
        return read_position(said, ruleset)
    try:
        return opening(ruleset_named(said))
    except UnknownRulesetError as error:
        raise ArgumentError(printable(str(error))) from None


def game_text(record: Record) -> str:
    """Return a game's text, in the format that read_game reads."""
    start, rules = record.start, record.start.ruleset
    is_opening = position_text(start) == position_text(opening(rules))
    moves = (word(played.move, rules.size) for played in record.moves)
    return f"{rules.name if is_opening else position_text(start)}; {' '.join(moves)}".strip()


def word(move: int, size: int) -> str:
    """Return a move in the studio's syntax: row,column, pass or resign."""
    return "resign" if move == RESIGN else move_text(move, size).lower()


def with_move(game: StudioGame, move: int, said: str = "", left: float | None = None) -> StudioGame:
    """Return the game with a move added. The move is not validated."""
    count = len(game.record.moves)
    reasons = (*game.said, *[""] * (count - len(game.said)), said)
    clocks = (*game.left, *[None] * (count - len(game.left)), left)
    record = replace(game.record, moves=[*game.record.moves, Played(move)])
    return replace(game, record=record, said=reasons, left=clocks)


def positions_of(game: StudioGame) -> list[Position]:
    """Return the position before each move and the position after the last move.

    Raise ArgumentError for an illegal move.
    """
    try:
        positions = game.record.positions()
    except RecordError as error:
        raise ArgumentError(f"{GAME}{error}") from None
    moves = game.record.moves
    if moves and len(positions) == len(moves):  # the last move ended the game; a resignation changes no board
        last = moves[-1].move
        positions.append(positions[-1] if last == RESIGN else positions[-1].play(last))
    return positions


def end_of(game: StudioGame, positions: list[Position]) -> str:
    """Return how the last move ended the game, in words.

    If no move ended the game, return the recorded result, or '' for an unknown result.
    """
    moves = game.record.moves
    if not moves:
        return game.result
    before = positions[len(moves) - 1]
    if moves[-1].move == RESIGN:
        return f"{COLOURS[before.colour]} resigned: {COLOURS[winner_of(game, positions)]} wins."
    if not before.ends_with(moves[-1].move):
        return game.result
    last = positions[-1]
    winner, why = count_out(last, len(moves))
    return f"{why.capitalize()}: {_wins(winner, margin2(last))}"


def winner_of(game: StudioGame, positions: list[Position]) -> int:
    """Return the winner of a game that the last move ended: BLACK, WHITE, or 0 for a tie."""
    moves = game.record.moves
    if moves[-1].move == RESIGN:
        return BLACK + WHITE - positions[len(moves) - 1].colour
    return count_out(positions[-1], len(moves))[0]


def _wins(winner: int, lead2: int) -> str:
    return f"{COLOURS[winner]} wins by {abs(lead2) / 2:g}." if winner else "a tie."


def game_json(game: StudioGame) -> dict[str, Any]:
    """Return a game as a JSON object; raise ArgumentError for an illegal move.

    `game` is the game's text. For `end`, see end_of. `over` states whether the last move ended the game. Each of
    `moves` has `number` (from 1), `colour`, `move`, `said` (the recorded reason, or '') and `left` (seconds on the
    mover's clock, or null). `positions` has the texts of the positions before each move and of the final position.
    `standing` has Black's lead after komi, in points, in each of these positions.

    `score` and `prisoners` describe the last position. `budgets` has the initial seconds on Black's and White's clocks,
    or is null. `remarks` has warnings about the file. `depths` lists the limits (in moves left) that the page offers
    for exact judgements; it is empty except for 5x5 Little-Go.
    """
    positions, record = positions_of(game), game.record
    size, end = record.start.ruleset.size, end_of(game, positions)
    last = positions[-1]
    return {
        "game": game_text(record),
        "ruleset": record.start.ruleset.name,
        "size": size,
        "players": list(game.players),
        "end": end,
        "over": bool(end) and end != game.result,
        "positions": [position_text(position) for position in positions],
        "moves": list(_moves_json(game, positions)),
        "standing": [margin2(position) / 2 for position in positions],
        "score": _score(last),
        "prisoners": prisoners_of(last),
        "budgets": game.budgets,
        "remarks": [str(remark).removeprefix(": ").removeprefix(":") for remark in record.remarks],
        "depths": () if game_of(record.start.ruleset).unsolved else DEPTHS,
    }


def _moves_json(game: StudioGame, positions: list[Position]) -> Iterable[dict[str, Any]]:
    size = game.record.start.ruleset.size
    for number, (position, played) in enumerate(zip(positions, game.record.moves, strict=False), 1):
        yield {
            "number": number,
            "colour": COLOURS[position.colour].lower(),
            "move": word(played.move, size),
            "said": game.said[number - 1] if number <= len(game.said) else "",
            "left": game.left[number - 1] if number <= len(game.left) else None,
        }


def _score(position: Position) -> str:
    """Return the score of both sides in words, as if the game ended in this position."""
    if parts := game_of(position.ruleset).score_text(position):
        return parts
    lead2 = margin2(position)
    stones = position.black.bit_count(), position.white.bit_count()
    leader = COLOURS[BLACK if lead2 > 0 else WHITE]
    return (
        f"Black has {plural(stones[0], 'stone')}, White {stones[1]}; "
        f"including komi, {leader} leads by {abs(lead2) / 2:g}."
    )


def is_over(game: StudioGame, positions: list[Position]) -> bool:
    """Return whether the last move ended the game."""
    moves = game.record.moves
    return bool(moves) and (moves[-1].move == RESIGN or positions[len(moves) - 1].ends_with(moves[-1].move))


def last_boards(game: StudioGame, positions: list[Position]) -> tuple[int, int]:
    """Return the board before the last move as masks (Black's stones, White's stones).

    If there are no moves, return the initial board.
    """
    before = positions[-2] if len(positions) > 1 else positions[-1]
    return before.black, before.white


def moves_made(game: StudioGame) -> tuple[int, ...]:
    """Return the moves since the start, as points or PASS, without a resignation."""
    return tuple(move.move for move in game.record.moves if move.move >= 0 or move.move == PASS)
