"""Tests that our player wins every game as Black without its side file, against five opponents."""

from __future__ import annotations

import pytest

from littlego.games.boards import board_text, move_text
from littlego.match.referee import GameRecord
from littlego.match.series import Pairing, play_game
from littlego.players.cli import player_without_reasons
from littlego.players.ours import decide_at
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import BLACK, RESIGN, opening

# White's role, number of games in the suite, number in the long series; only one game for the deterministic alphabeta
SERIES = [
    ("erring:0.1:greedy", 15, 800),
    ("erring:0.2:greedy", 15, 800),
    ("aggressive", 5, 200),
    ("alphabeta", 1, 1),
    ("erring:0.1:alphabeta", 5, 199),
]


def check_series(white: str, games: int) -> None:
    """Play games with seeds from 1,000,000 on; fail if Black does not win every game."""
    pairings = [Pairing(2 * number, "ours-uncounted", white, 1_000_000 + number) for number in range(games)]
    lost = [record for game in pairings if (record := play_game(game, player_without_reasons)).winner != BLACK]
    if lost:
        seeds = ", ".join(str(record.seed) for record in lost)
        pytest.fail(f"{len(lost)} of {games} lost to {white}, seeds {seeds}; the first:\n{departure(lost[0])}")


def departure(record: GameRecord) -> str:
    """Return a game as SGF, and Black's first move that differs from the move with a known count."""
    position = opening(record.ruleset)
    for move in record.moves:
        known = decide_at(position).move if move.colour == BLACK else move.move
        if move.move != known or move.move == RESIGN:
            size = record.ruleset.size
            board = board_text(size, position.black, position.white, move.move if move.move >= 0 else None)
            head = f"move {move.number}: {move_text(move.move, size)}, with a known count {move_text(known, size)}"
            return f"{head}\n{board}\n{record.why}\n{record_sgf(record)}"
        position = position.play(move.move)
    return f"every move as with a known count\n{record.why}\n{record_sgf(record)}"


@pytest.mark.parametrize(("white", "games", "_"), SERIES)
def test_loses_no_game_without_the_side_file(white, games, _):
    check_series(white, games)


@pytest.mark.slow
@pytest.mark.parametrize(("white", "_", "games"), SERIES)
def test_loses_no_game_of_the_long_series(white, _, games):
    check_series(white, games)


def test_a_lost_game_is_shown_with_the_move_to_blame():
    record = play_game(Pairing(0, "erring:0.5:ours", "ours", 3), player_without_reasons)
    assert record.winner != BLACK
    told = departure(record)
    by_mistake = next(move for move in record.moves if move.reason == "by mistake" and move.colour == BLACK)
    assert told.startswith(f"move {by_mistake.number}: ") and "with a known count" in told and "(;" in told
    won = play_game(Pairing(0, "ours", "random", 3), player_without_reasons)
    assert departure(won).startswith("every move as with a known count\n")
