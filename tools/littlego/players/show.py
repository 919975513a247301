"""Text for the terminal: the moves of a game, its result, and the summary of a series."""

from __future__ import annotations

import shlex
import sys

from littlego.cli.terminal import time_text, wrap_text
from littlego.engines.draw.decisions import SIGNS, reason_line
from littlego.games.boards import NUMBERED_ALONE, board_text, move_text_both
from littlego.games.kinds import GamePosition
from littlego.games.little_go import game_of
from littlego.match.referee import COLOURS, GameRecord, Move, Watch, last_position
from littlego.match.series import Pairing, Tally, colour_of, own_moves, tally
from littlego.players.ours import decide_at
from littlego.rules.position import BLACK, PASS, WHITE, Position

LOSSES_SHOWN = 5
MOVES_A_LARGE_BOARD = 20  # moves between two boards, for boards larger than NUMBERED_ALONE


def boards_by_default(size: int) -> int:
    """Return the default interval between drawn boards, in moves, for a board size."""
    return 1 if size <= NUMBERED_ALONE else MOVES_A_LARGE_BOARD


def watch_game(names: tuple[str, str], every: int = 1, last: bool = False) -> Watch:
    """Return a function for play_game's `watch`; it prints moves, the players' reasons and boards.

    every: the interval between boards in moves, 0 for none. last: whether to draw the final board regardless of
    `every`. If `last` is true and passes end a match, the final board is not drawn, because the score text contains it.
    """

    def watch(before: Position, move: Move, after: Position) -> None:
        size = before.ruleset.size
        who = f"{COLOURS[move.colour]} ({SIGNS[move.colour]}, {names[move.colour - 1]})"
        spent = f"  {1000 * move.cpu:.0f} ms" if move.cpu else ""
        left = "" if move.left is None else f"  {time_text(move.left)} left"
        head = f"{move.number:2}. {who}: {move_text_both(move.move, size)}"
        drawn = every and move.number % every == 0
        if last and before.ends_with(move.move):
            # the score text of a match that ends by passes contains the board
            drawn = move.move != PASS or not isinstance(before, GamePosition)
        print(f"\n{head}{spent}{left}" if drawn else f"{head}{left}")
        if drawn:
            print(board_text(size, after.black, after.white, move.move if move.move >= 0 else None))
        for line in (reason_of(before, move, names[move.colour - 1]), move.warning, move.note):
            if line:
                print(wrap_text("    ", line))
        sys.stdout.flush()

    return watch


def reason_of(before: Position, move: Move, name: str) -> str:
    """Return the reason for a move, or '' if the player gave no reason.

    The program my_player3 sends no reasons, so the engine in this process recomputes the decision.
    """
    if move.reason or name != "my_player3":
        return move.reason
    decision = decide_at(before)
    reason = reason_line(decision)
    return reason if decision.move == move.move else f"(the engine in this process plays another move: {reason})"


def result_text(record: GameRecord) -> str:
    """Return a game's result in one or two lines."""
    score = game_of(record.ruleset).sums_text(last_position(record))
    if record.winner == 0:
        return f"A tie. ({record.why}; {score})"
    winner = f"{COLOURS[record.winner]} ({record.players[record.winner - 1]}) wins"
    if record.fault:
        shown = f"\n    details: {record.note}" if record.note else ""
        return f"{winner}. {record.why}. ({game_of(record.ruleset).fault_text(last_position(record))}){shown}"
    if record.resigned:
        return f"{winner}. ({record.why}; {score})"
    return f"{winner} by {abs(record.lead2) / 2:g}. ({record.why}; {score})"


def _held_lines(records: list[GameRecord]) -> list[str]:
    """Return one line about each program's isolation; omit players that run in this process."""
    held = dict.fromkeys((name, how) for record in records for name, how in zip(record.players, record.held) if how)
    return [f"isolation of {name}: {how}" for name, how in held]


def series_text(results: list[tuple[Pairing, GameRecord]], first: str, second: str) -> str:
    """Return the summary of a series, with commands that replay up to LOSSES_SHOWN games lost by `first`.

    results: the pairing and the record of each game, in game order.
    """
    distinct = len({record.key for _, record in results})
    cut = [len(record.moves) for _, record in results if record.is_cut_off]
    lost = [_replay_line(game, record) for game, record in results if record.winner == colour_of(game, False)]
    lines = [
        f"{first} against {second}: {len(results)} games",
        *_player_lines(results, first, True),
        *_player_lines(results, second, False),
        *_held_lines([record for _, record in results]),
        f"distinct games: {distinct} of {len(results)}",
        *([f"unfinished games scored after {cut[0]} moves: {len(cut)}"] if cut else []),
        *([f"first games lost by {first}:", *lost[:LOSSES_SHOWN]] if lost else []),
    ]
    return "\n".join(lines)


def _player_lines(results: list[tuple[Pairing, GameRecord]], name: str, is_first: bool) -> list[str]:
    sums = tally(results, is_first)
    both = sums[BLACK].plus(sums[WHITE])
    won = " | ".join(f"as {COLOURS[colour]} {_wins_text(sums[colour])}" for colour in (BLACK, WHITE))
    seats = [(game, record, colour_of(game, is_first)) for game, record in results]
    faults = [(game, record) for game, record, colour in seats if record.fault == colour]
    illegal = len([record for _, record in faults if "illegal move" in record.why])
    warnings = len([move for _, record, colour in seats for move in own_moves(record, colour) if move.warning])
    return [
        f"{name}:",
        f"  wins          {won}" + (f" | ties {both.ties}" if both.ties else ""),
        f"  mean margin   {both.lead or 0.0:+.2f} points after komi",
        f"  CPU per move  mean {1000 * (both.cpu_a_move or 0.0):.1f} ms, slowest {1000 * both.slowest:.1f} ms",
        f"  illegal moves {illegal}, other faults {len(faults) - illegal}, warnings {warnings}",
        *(
            f"    game {game.number + 1}: {record.why}" + (f" (details: {record.note})" if record.note else "")
            for game, record in faults[:LOSSES_SHOWN]
        ),
    ]


def _wins_text(tally: Tally) -> str:
    return f"{tally.wins} of {tally.games}" + (f" ({100 * tally.wins / tally.games:.1f}%)" if tally.games else "")


def _replay_line(game: Pairing, record: GameRecord) -> str:
    how = f" ({record.why})" if record.fault or record.resigned else f", by {abs(record.lead2) / 2:g}"
    openings = f" --openings {game.openings}" if game.openings else ""
    names = f"--black {shlex.quote(game.black)} --white {shlex.quote(game.white)}"
    minutes = f" --minutes {game.minutes:g}" if game.minutes is not None else ""
    ruleset = " ".join(["", *game_of(record.ruleset).options_text.split()])
    options = f"{openings}{ruleset}{minutes}"
    return f"  game {game.number + 1}{how}: littlego play {names} --seed {game.seed}{options}"
