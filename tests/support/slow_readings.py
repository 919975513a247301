"""What readings promise, on boards of slow_go: who falls, which chains are one group, where a side may fill.

X made the last move, so O is to move; a board may not come back at once (`forbidden`).
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
    """Return whether the chain at `prey` falls within so many moves of the attacker, `mover` to move."""
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
    """Return where the attacker plays: at the prey's liberties, and to save an attacker in atari next to it."""
    found = set(free(board, prey))
    for point in border(board, patch(board, prey)):
        if board[point] == OTHER[board[prey]] and len(free(board, point)) == 1:
            found |= free(board, point)
            for near in border(board, patch(board, point)) - patch(board, prey):
                if board[near] == board[prey] and len(free(board, near)) == 1:
                    found |= free(board, near)
    return found


def defences_at(board: dict, prey, moves: int) -> set:
    """Return where the prey is defended: at its liberties, and at those of attackers next to it that have few."""
    found = set(free(board, prey))
    for point in border(board, patch(board, prey)):
        if board[point] == OTHER[board[prey]] and len(free(board, point)) <= moves:
            found |= free(board, point)
    return found


def slow_groups(board: dict, stone: str, forbidden: dict | None) -> int:
    """Return how many groups a colour has, the other to move: chains that join however the other plays are one."""
    chains = chains_of(board, stone)
    groups = [{number} for number in range(len(chains))]
    for first, one in enumerate(chains):
        for second, other in enumerate(chains[:first]):
            if joined_after_all(board, min(one), min(other), stone, forbidden):
                joined = [group for group in groups if group & {first, second}]
                groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return len(groups)


def joined_after_all(board: dict, one, other, stone: str, forbidden: dict | None) -> bool:
    """Return whether one answer to each move of the other colour makes the chains at two points one."""
    return all(
        any(end[one] == end[other] == stone and other in patch(end, one) for end in ends)
        for ends in answers_to_all(board, stone, forbidden)
    )


def answers_to_all(board: dict, stone: str, forbidden: dict | None) -> Iterator[list]:
    """Yield for each move of the other colour, and its pass, the boards after each answer, no move among them."""
    replies = [(play(board, move, OTHER[stone])[0], board) for move in legal(board, OTHER[stone], forbidden)]
    for after, before in [(board, None), *replies]:
        yield [after] + [play(after, answer, stone)[0] for answer in legal(after, stone, before)]


def slow_fills(board: dict, stone: str) -> int:
    """Return on how many points a colour gets two liberties if it plays there, and the other does not or may not."""

    def liberties_of(point, mover: str) -> int:
        after = play(board, point, mover)
        return len(free(after[0], point)) if after else 0

    return sum(
        board[point] == "." and liberties_of(point, stone) > 1 >= liberties_of(point, OTHER[stone]) for point in board
    )
