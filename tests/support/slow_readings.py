"""Slow versions of facts that read ahead, on boards of slow_go: captures, groups and fillable points.

If the board `forbidden` is given, no move may lead to this board.
"""

from __future__ import annotations

from collections.abc import Iterator

from slow_go import border, free, legal, patch, play

OTHER = {"X": "O", "O": "X"}


def chains_of(board: dict, stone: str) -> list:
    """Return the chains of a colour, as sets of points."""
    found: list = []
    for point in board:
        if board[point] == stone and not any(point in chain for chain in found):
            found.append(patch(board, point))
    return found


def slow_falls(board: dict, prey, mover: str, moves: int, forbidden: dict | None = None) -> bool:
    """Return whether the attacker captures the chain at `prey` in at most `moves` moves, `mover` to move."""
    attacks = mover != board[prey]
    if len(free(board, prey)) > moves:
        return False
    if attacks:
        follow = [play(board, one, mover)[0] for one in attacks_at(board, prey) & legal(board, mover, forbidden)]
        return any(one[prey] == "." or slow_falls(one, prey, OTHER[mover], moves - 1, board) for one in follow)
    follow = [play(board, one, mover)[0] for one in defences_at(board, prey, moves) & legal(board, mover, forbidden)]
    return slow_falls(board, prey, OTHER[mover], moves) and all(
        slow_falls(one, prey, OTHER[mover], moves, board) for one in follow
    )


def attacks_at(board: dict, prey) -> set:
    """Return the attacker's moves: the prey's liberties, and moves that save adjacent attackers in atari."""
    found = set(free(board, prey))
    for point in border(board, patch(board, prey)):
        if board[point] == OTHER[board[prey]] and len(free(board, point)) == 1:
            found |= free(board, point)
            for near in border(board, patch(board, point)) - patch(board, prey):
                if board[near] == board[prey] and len(free(board, near)) == 1:
                    found |= free(board, near)
    return found


def defences_at(board: dict, prey, moves: int) -> set:
    """Return the defences: liberties of the prey, and of adjacent attackers with at most `moves` liberties."""
    found = set(free(board, prey))
    for point in border(board, patch(board, prey)):
        if board[point] == OTHER[board[prey]] and len(free(board, point)) <= moves:
            found |= free(board, point)
    return found


def slow_groups(board: dict, stone: str, forbidden: dict | None) -> int:
    """Return the number of groups of a colour.

    Two chains belong to the same group if they can connect even if the other colour moves first.
    """
    chains = chains_of(board, stone)
    groups = [{number} for number in range(len(chains))]
    for first, one in enumerate(chains):
        for second, other in enumerate(chains[:first]):
            if joined_after_all(board, min(one), min(other), stone, forbidden):
                joined = [group for group in groups if group & {first, second}]
                groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return len(groups)


def joined_after_all(board: dict, one, other, stone: str, forbidden: dict | None) -> bool:
    """Return whether every move of the other colour has an answer that connects the chains at two points."""
    return all(
        any(end[one] == end[other] == stone and other in patch(end, one) for end in ends)
        for ends in answers_to_all(board, stone, forbidden)
    )


def answers_to_all(board: dict, stone: str, forbidden: dict | None) -> Iterator[list]:
    """Yield, for each move or pass of the other colour, the boards after each answer and after no answer."""
    replies = [(play(board, move, OTHER[stone])[0], board) for move in legal(board, OTHER[stone], forbidden)]
    for after, before in [(board, None), *replies]:
        yield [after] + [play(after, answer, stone)[0] for answer in legal(after, stone, before)]


def slow_fills(board: dict, stone: str) -> int:
    """Return the number of points where only a stone of this colour would have at least two liberties."""

    def liberties_of(point, mover: str) -> int:
        after = play(board, point, mover)
        return len(free(after[0], point)) if after else 0

    return sum(
        board[point] == "." and liberties_of(point, stone) > 1 >= liberties_of(point, OTHER[stone]) for point in board
    )
