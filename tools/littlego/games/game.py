"""Functions for every game: opening, lead, winner, legality, and lookup of games by name.

The package rules/ implements the course's game, in which only stones count. Each game with other rules has its own
position class. This module runs on Python 3.7.
"""

from __future__ import annotations

import re

from littlego.games.kinds import Game, GamePosition, GameRuleset
from littlego.games.little_go import game_of, little_go_of
from littlego.rules import position as stones
from littlego.rules.geometry import Grid, Mask, Point
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO, Ruleset

_LITTLE_GO = re.compile(r"little-go(?:-(\d\d?))?", re.ASCII)


def opening(ruleset: Ruleset) -> Position:
    """Return the position before the first move of a game with this ruleset."""
    return ruleset.opening() if isinstance(ruleset, GameRuleset) else stones.opening(ruleset)


def margin2(position: Position) -> int:
    """Return Black's lead after komi in half points: negative if White leads, 0 for a tie."""
    return position.margin2() if isinstance(position, GamePosition) else stones.margin2(position)


def winner_of(position: Position) -> int:
    """Return who would win if the game ended now: BLACK, WHITE, or 0 for a tie."""
    margin = margin2(position)
    return BLACK if margin > 0 else WHITE if margin < 0 else 0


def last_move_of(position: Position) -> int | None:
    """Return the opponent's last move (a point or PASS), or None if the position stores no last move."""
    last: int | None = getattr(position, "last", None)
    return last


def is_open(position: Position, point: Point) -> bool:
    """Return whether the mover may play at a point of the board."""
    if isinstance(position, GamePosition):
        return position.allows(point)
    return position.legal() >> point & 1 != 0


def why_illegal(position: Position, move: int) -> str:
    """Return why a move is illegal, or '' if it is legal. PASS and RESIGN are always legal."""
    size = position.ruleset.size
    if move in (PASS, RESIGN):
        return ""
    if not 0 <= move < size * size:
        return "off the board"
    if is_open(position, move):
        return ""
    bit = 1 << move
    if (position.own | position.theirs) & bit:
        return "there is a stone already"
    if position.ko & bit:
        return "it retakes a ko at once"
    if stones.is_legal(bit, position.own, position.theirs, 0, position.grid):
        return "it repeats an earlier board"
    return "it is suicide"


def ruleset_named(name: str) -> Ruleset:
    """Return the cached ruleset with the given name; raise UnknownRulesetError for an unknown name.

    `little-go` and `match` are the two games on their usual boards, 5x5 and 19x19; `little-go-9` and `match-9` are the
    games on 9x9. A match's name may also contain options: see match.match_named.
    """
    size = _LITTLE_GO.fullmatch(name)
    if size is None:
        from littlego.games.match import match_named  # the course's game does not need this import

        return match_named(name)
    return little_go_of(int(size[1])) if size[1] else LITTLE_GO


def game_named(name: str) -> Game:
    """Return the game for a ruleset's name; raise UnknownRulesetError for an unknown name."""
    return game_of(ruleset_named(name))


def name_for_board(size: int) -> str:
    """Return the name of the default game for a record on a board of this size: `little-go` or `match`."""
    return "little-go" if size <= LITTLE_GO.size else "match"


def all_have_liberties(black: Mask, white: Mask, grid: Grid) -> bool:
    """Return whether every chain on a board has a liberty, as legal positions require."""
    return all(
        stones.liberties(chain, black | white, grid) for side in (black, white) for chain in stones.chains(side, grid)
    )
