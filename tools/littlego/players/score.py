"""Text for the terminal: the state of a game, and the scores of a match."""

from __future__ import annotations

from io import StringIO
from typing import Any

from littlego.cli.terminal import console, new_table, time_text
from littlego.games.boards import board_text, mark_points
from littlego.games.clock import Times
from littlego.games.game import margin2
from littlego.games.little_go import game_of
from littlego.games.match import MatchPosition, MatchRuleset, territory
from littlego.match.referee import COLOURS, GameRecord, last_position, record_json
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, RESIGN, Position

BLACK_TERRITORY, WHITE_TERRITORY = "+", "-"  # marks for territory, because x and o would look like stones


def standing_text(position: Position, times: Times | None = None) -> str:
    """Return the state of the game in words, for the person whose turn it is.

    times: the seconds left on both clocks, or None in a game without clocks.
    """
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    lead2 = margin2(position)
    ahead = f"Black leads by {lead2 / 2:g}" if lead2 > 0 else f"White leads by {-lead2 / 2:g}" if lead2 else "level"
    passed = "The opponent passed; a second pass ends the game." if position.passed and position.number > 1 else ""
    clocks = f"Clocks: Black {time_text(times.black)}, White {time_text(times.white)}." if times else ""
    if isinstance(position, MatchPosition):
        black, white = position.prisoners
        held = f"Prisoners: Black {black}, White {white}. {clocks}".rstrip()
        lines = [f"You are {mover}, move {position.number}. As it stands: {ahead} after komi.", held, passed]
    else:
        lines = [f"You are {mover}, {position.left} moves left, {ahead} after komi. {passed}".rstrip(), clocks]
    return "\n".join(filter(None, lines))


def is_counted(record: GameRecord) -> bool:
    """Return whether a game is a match that was decided by its score, not by a resignation or a fault."""
    return isinstance(record.ruleset, MatchRuleset) and not record.fault and record.moves[-1].move != RESIGN


def counted_text(record: GameRecord, drawn: bool = True) -> str:
    """Return a table of both players' scores in a match that was decided by its score.

    drawn: whether to add the final board with marked territory.
    """
    last = last_position(record)
    assert isinstance(last, MatchPosition)  # only a match is counted
    return (f"{_territory_text(last)}\n\n" if drawn else "") + _table_text(last, record.players)


def _territory_text(position: MatchPosition) -> str:
    """Return the board with marked territory, followed by a legend."""
    drawn = board_text(position.ruleset.size, position.black, position.white)
    ours, theirs = territory(position.black, position.white, position.grid)
    drawn = mark_points(drawn, points_of(ours), BLACK_TERRITORY)
    drawn = mark_points(drawn, points_of(theirs), WHITE_TERRITORY)
    return f"{drawn}\n{BLACK_TERRITORY} is Black's territory, {WHITE_TERRITORY} White's, . nobody's"


def _table_text(position: MatchPosition, names: tuple[str, str]) -> str:
    out, komi = StringIO(), position.ruleset.komi2 / 2
    rows = [
        (f"{COLOURS[colour]} ({name})", *map(str, parts), f"{added:g}" if added else "", f"{sum(parts) + added:g}")
        for (colour, name), parts, added in zip(
            zip(COLOURS, names, strict=True), zip(*position.score(), strict=True), (0, komi), strict=True
        )
    ]
    table = new_table("", "stones", "territory", "prisoners", "komi", "sum", gap=2, rows=rows)
    console(out, width=80).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def game_json(record: GameRecord) -> dict[str, Any]:
    """Return the JSON value of a game: record_json's value and, for a match, the parts of both scores."""
    return {**record_json(record), **game_of(record.ruleset).score_json(last_position(record))}
