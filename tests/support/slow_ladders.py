"""Ladders by brute force: list every board that a ladder can reach, then work back from the captures.

The attacker plays only at liberties of the prey, and only while the prey has at most two liberties. The prey answers at
its last liberty, or captures adjacent attackers in atari. The prey is caught if the attacker forces the capture in
finitely many moves, whatever the prey does, so a cycle is an escape.
"""

from __future__ import annotations

from slow_go import board_of, border, free, patch, play, points


def slow_catches(size: int, own: int, theirs: int, prey: int) -> bool:
    """Return whether X (own, to move, no ko) catches O's chain `prey`."""
    board = board_of(size, own, theirs)
    return forced(("X", board, None, points(prey, size)[0]))


def slow_moves(size: int, own: int, theirs: int, prey: int, most: int) -> int | None:
    """Return the moves that X (own, to move, no ko) needs to catch `prey`, or None if more than `most`."""
    root = ("X", board_of(size, own, theirs), None, points(prey, size)[0])
    return next((moves for moves in range(1, most + 1) if caught_within(root, moves)), None)


def caught_within(node, moves: int) -> bool:
    """Return whether the attacker forces the capture from a node with at most `moves` attacking moves."""
    mover, board, _, prey, *_ = node
    if board[prey] == "." or not moves:
        return board[prey] == "."
    if len(free(board, prey)) > (2 if mover == "X" else 1):
        return False
    if mover == "X":
        return any(caught_within(child, moves - 1) for child in follow(node))
    return all(caught_within(child, moves) for child in follow(node))


def forced(root) -> bool:
    """Return whether the attacker forces the capture. root: (mover, board, forbidden, prey's point)."""
    nodes = {key(root): root}
    queue, children = [root], {}
    while queue:
        node = queue.pop()
        children[key(node)] = [key(child) for child in follow(node)]
        for child in follow(node):
            if key(child) not in nodes:
                nodes[key(child)] = child
                queue.append(child)
    won = {name for name, node in nodes.items() if node[1][node[3]] == "."}
    changed = True
    while changed:
        changed = False
        for name, (mover, board, _, prey, *_) in nodes.items():
            if name in won or len(free(board, prey)) > (2 if mover == "X" else 1):
                continue
            outcomes = [child in won for child in children[name]]
            if any(outcomes) if mover == "X" else all(outcomes):
                won.add(name)
                changed = True
    return key(root) in won


def key(node):
    """Return a key that is equal for equal nodes."""
    mover, board, forbidden = node[:3]
    return mover, tuple(board.values()), forbidden and tuple(forbidden.values())


def follow(node) -> list:
    """Return each next node of the ladder with its move; [] if the prey is captured or free."""
    mover, board, forbidden, prey = node[:4]
    if board[prey] == ".":
        return []
    liberties = free(board, prey)
    if len(liberties) > (2 if mover == "X" else 1):
        return []
    tries = set(liberties)
    if mover == "O":
        attackers = [p for p in border(board, patch(board, prey)) if board[p] == "X"]
        tries |= {p for a in attackers for p in free(board, a) if len(free(board, a)) == 1}
    found = []
    for point in tries:
        after = play(board, point, mover)
        if after and after[0] != forbidden:
            found.append(("O" if mover == "X" else "X", after[0], board if after[1] else None, prey, point))
    return found
