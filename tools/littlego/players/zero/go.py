"""Go as a game for search and learning: Little-Go and the match on boards up to 10x10. This module runs on Python 3.7.

The loops compute chains and liberties on arrays. Tests compare the results with littlego.rules.position and
littlego.games.match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from littlego.games.kinds import BoardSizeError, GameRuleset
from littlego.players.zero.compilation import jit
from littlego.players.zero.game import ONGOING, Game
from littlego.players.zero.network import ACTIVATION_UNITS, MAX_ACTIVATION, MAX_WIDTH
from littlego.rules.geometry import points_of, symmetry_tables
from littlego.rules.position import BLACK, WHITE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from littlego.players.zero.game import Array, Bools, Integers, States
    from littlego.rules.position import Position
    from littlego.rules.ruleset import Ruleset

# Columns of a state after its board: the forbidden point of a ko or -1; moves left; whether a pass ends the game;
# 1 if Black is to move, else 0; whether the game is over; the mover's prisoners minus the opponent's; whether stones
# were captured; the number of earlier states; then the hashes of earlier states, WORDS each.
KO, LEFT, PASSED, BLACK_MOVES, OVER, PRISONERS, CAPTURED, PAST, HASHES = range(9)
WORDS = 4  # 16-bit words of a hash
PLANES = 5  # planes in the features, see _features
MATCH_LENGTH = 3  # moves per point after which a match counts as finished here; its rules have no limit
NONE = -1


class Board(NamedTuple):
    """The constants of a game that the compiled loops read.

    beside: the neighbours [points, 4] of each point, padded with NONE. keys: random words [2 * points + 1, WORDS] for
    the hashes: a row for a black stone on each point, a row for a white stone on each point, and a row for White to
    move. capacity: the maximum number of hashes that a state records, including the hash of the state itself; 0 under
    simple ko. territory: whether territory and prisoners count in the score. pass_costs: the number of stones that a
    pass costs.
    """

    points: int
    beside: Array
    keys: Array
    capacity: int
    territory: bool
    pass_costs: int
    komi2: int
    left_units: int


class Go(Game):
    """Go under one ruleset.

    A state has a number for each point (1 for a stone of the player to move, -1 for a stone of the opponent, 0 if
    empty), followed by the columns KO to HASHES. A match counts as finished after MATCH_LENGTH moves per point of the
    board. The constructor raises BoardSizeError for boards larger than 10x10.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        size, points = ruleset.size, ruleset.size**2
        territory = isinstance(ruleset, GameRuleset)
        self.name, self.ruleset = ruleset.name, ruleset
        self.points, self.actions = points, points + 1
        self.inputs = PLANES * points + 3 + territory
        if self.inputs > MAX_WIDTH:
            raise BoardSizeError(f"{ruleset.name}: the network reads boards of at most 10x10")
        self.symmetries = np.array(symmetry_tables(size))
        self.length = ruleset.length or MATCH_LENGTH * points
        keys = np.random.RandomState(size).randint(-(2**15), 2**15, (2 * points + 1, WORDS)).astype(np.int16)
        self._board = Board(
            points=points,
            beside=_neighbours(size),
            keys=keys,
            capacity=self.length + 1 if territory else 0,
            territory=territory,
            pass_costs=int(getattr(ruleset, "pass_stones", False)),
            komi2=ruleset.komi2,
            left_units=max(1, min(8, MAX_ACTIVATION // self.length)),
        )

    def start(self, count: int) -> States:
        states = np.zeros((count, self.points + HASHES + WORDS * self._board.capacity), np.int16)
        columns = states[:, self.points :]
        columns[:, KO], columns[:, LEFT], columns[:, BLACK_MOVES] = NONE, self.length, 1
        columns[:, PASSED] = self.ruleset.opening_pass_ends
        columns[:, PAST] = min(1, self._board.capacity)  # the hash of an empty board with Black to move is 0
        return states

    def play(self, states: States, actions: Integers) -> States:
        after = states.copy()
        _play(self._board, after, actions)
        return after

    def legal(self, states: States) -> Bools:
        allowed = np.zeros((len(states), self.actions), np.bool_)
        _legal(self._board, states, allowed)
        return allowed

    def results(self, states: States) -> NDArray[np.int8]:
        columns = states[:, self.points :]
        lead = self.owners(states).sum(1, dtype=np.int64) + self._board.territory * columns[:, PRISONERS]
        leads2 = 2 * lead - np.where(columns[:, BLACK_MOVES], 1, -1) * self._board.komi2
        return np.where(columns[:, OVER], np.sign(leads2), ONGOING).astype(np.int8)

    def features(self, states: States) -> Integers:
        inputs = np.zeros((len(states), self.inputs), np.int64)
        _features(self._board, states, self.legal(states), inputs)
        return inputs

    def owners(self, states: States) -> NDArray[np.int8]:
        owners = states[:, : self.points].astype(np.int8)
        if self._board.territory:
            _add_territory(self._board, owners)
        return owners

    def state_of(self, position: Position) -> States:
        """Return a position of this game's ruleset as an array of one state.

        For a match, the number of moves left is MATCH_LENGTH per point minus the moves made, but at least a quarter of
        the initial number.
        """
        state = self.start(1)
        board, columns = state[0, : self.points], state[0, self.points :]
        board[points_of(position.own)] = 1
        board[points_of(position.theirs)] = -1
        columns[KO] = NONE if self._board.capacity or not position.ko else position.ko.bit_length() - 1
        columns[PASSED], columns[BLACK_MOVES] = position.passed, position.colour == BLACK
        if not self._board.territory:
            columns[LEFT] = position.left
            return state
        columns[LEFT] = max(self.length + 1 - position.number, self.length // 4)
        held = position.prisoners  # type: ignore[attr-defined]
        columns[PRISONERS] = held[position.colour - 1] - held[BLACK + WHITE - position.colour - 1]
        columns[CAPTURED] = any(held)
        self._add_past(columns, position)
        return state

    def _add_past(self, columns: Array, position: Position) -> None:
        """Store the hashes of the current state and of earlier states of a match in `columns`.

        If `columns` has no room for all states, omit the states whose boards differ most from the current board.
        """
        now = position.black, position.white, position.colour
        seen = [state for state in position.seen if state != now]  # type: ignore[attr-defined]
        seen.sort(key=lambda state: bin(state[0] ^ now[0] | state[1] ^ now[1]).count("1"), reverse=True)
        states = [*seen, now][-self._board.capacity :]
        columns[PAST] = len(states)
        columns[HASHES : HASHES + WORDS * len(states)] = np.concatenate([self._hash(*state) for state in states])

    def _hash(self, black: int, white: int, colour: int) -> Array:
        used = [*points_of(black), *(self.points + point for point in points_of(white))]
        used += [2 * self.points] if colour == WHITE else []
        words: Array = np.bitwise_xor.reduce(self._board.keys[used], 0)
        return words


def _neighbours(size: int) -> Array:
    beside = np.full((size * size, 4), NONE)
    for point in range(size * size):
        row, column = divmod(point, size)
        around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        inside = [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]
        beside[point, : len(inside)] = inside
    return beside


@jit
def _survey(board: Board, stones: Array, chains: Array, liberties: Array, scratch: Array) -> None:
    """Write each point's chain number into `chains`, and each chain's liberty count into `liberties`.

    A point without a stone gets NONE in `chains`. scratch: integers [2, points] that the function overwrites.
    """
    stack, seen = scratch[0], scratch[1]
    chains[:], seen[:] = NONE, NONE
    number = 0
    for start in range(board.points):
        if stones[start] == 0 or chains[start] != NONE:
            continue
        chains[start], stack[0], waiting, free = number, start, 1, 0
        while waiting:
            waiting -= 1
            point = stack[waiting]
            for beside in board.beside[point]:
                if beside == NONE:
                    break
                if stones[beside] == 0:
                    free += seen[beside] != number
                    seen[beside] = number
                elif stones[beside] == stones[start] and chains[beside] == NONE:
                    chains[beside], stack[waiting] = number, beside
                    waiting += 1
        liberties[number] = free
        number += 1


@jit
def _play(board: Board, states: Array, actions: Array) -> None:
    """Replace each state by the state after the action with the same index."""
    points, scratch = board.points, np.empty((4, board.points), np.int64)
    for index in range(len(states)):
        stones, columns, move = states[index, :points], states[index, points:], actions[index]
        columns[KO] = NONE
        if move < points:
            _survey(board, stones, scratch[0], scratch[1], scratch[2:])
            _place(board, stones, columns, move, scratch[0], scratch[1])
            columns[PASSED] = 0
        else:
            columns[OVER] = columns[PASSED]
            columns[PASSED] = 1
            columns[PRISONERS] -= board.pass_costs
            if board.capacity:
                _record(board, stones, columns, NONE, scratch[0], scratch[1])
        columns[LEFT] -= 1
        if columns[LEFT] == 0:
            columns[OVER] = 1
        columns[BLACK_MOVES] = 1 - columns[BLACK_MOVES]
        columns[PRISONERS] = -columns[PRISONERS]
        for point in range(points):
            stones[point] = -stones[point]


@jit
def _place(board: Board, stones: Array, columns: Array, move: int, chains: Array, liberties: Array) -> None:
    """Place the mover's stone, remove captured chains, and update the ko point, prisoners and hashes."""
    if board.capacity:
        _record(board, stones, columns, move, chains, liberties)
    taken, last = 0, NONE
    for beside in board.beside[move]:
        if beside != NONE and stones[beside] == -1 and liberties[chains[beside]] == 1:
            for point in range(board.points):
                if chains[point] == chains[beside]:
                    stones[point] = 0
                    taken, last = taken + 1, point
    stones[move] = 1
    columns[PRISONERS] += taken
    columns[CAPTURED] |= taken > 0
    enclosed = True
    for beside in board.beside[move]:
        enclosed = enclosed and (beside in (NONE, last) or stones[beside] == -1)
    if taken == 1 and enclosed and not board.capacity:
        columns[KO] = last


@jit
def _record(board: Board, stones: Array, columns: Array, move: int, chains: Array, liberties: Array) -> None:
    """Add the hash of the state after the mover's move to the recorded hashes.

    stones: the board before the move. move: NONE for a pass.
    """
    slot = HASHES + WORDS * (columns[PAST] % board.capacity)
    _hash_after(board, stones, columns, move, chains, liberties, columns[slot : slot + WORDS])
    columns[PAST] += 1


@jit
def _hash_after(
    board: Board, stones: Array, columns: Array, move: int, chains: Array, liberties: Array, words: Array
) -> None:
    """Write the hash of the state after the mover's move into `words`. move: NONE for a pass."""
    slot = HASHES + WORDS * ((columns[PAST] - 1) % board.capacity)
    mine = 0 if columns[BLACK_MOVES] else board.points
    theirs = board.points - mine
    for word in range(WORDS):
        words[word] = columns[slot + word] ^ board.keys[2 * board.points, word]
        if move != NONE:
            words[word] ^= board.keys[mine + move, word]
    if move == NONE:
        return
    for side in range(4):
        beside = board.beside[move, side]
        if beside == NONE:
            break
        if stones[beside] != -1 or liberties[chains[beside]] != 1:
            continue
        chain, known = chains[beside], False
        for earlier in board.beside[move, :side]:
            known = known or chains[earlier] == chain
        for point in range(board.points):
            if chains[point] == chain and not known:
                for word in range(WORDS):
                    words[word] ^= board.keys[theirs + point, word]


@jit
def _legal(board: Board, states: Array, allowed: Array) -> None:
    """Mark the legal actions of each state in `allowed`, whose elements must all be False before the call."""
    points, scratch = board.points, np.empty((4, board.points), np.int64)
    words = np.empty(WORDS, np.int16)
    for index in range(len(states)):
        stones, columns = states[index, :points], states[index, points:]
        chains, liberties = scratch[0], scratch[1]
        _survey(board, stones, chains, liberties, scratch[2:])
        allowed[index, points] = True
        for move in range(points):
            if stones[move] != 0 or move == columns[KO]:
                continue
            for beside in board.beside[move]:
                if beside == NONE:
                    break
                if stones[beside] == 0 or (liberties[chains[beside]] == 1) == (stones[beside] == -1):
                    allowed[index, move] = True
            if allowed[index, move] and board.capacity and columns[CAPTURED]:
                _hash_after(board, stones, columns, move, chains, liberties, words)
                allowed[index, move] = not _is_repeated(board, columns, words)


@jit
def _is_repeated(board: Board, columns: Array, words: Array) -> bool:
    """Return whether a recorded state has the hash in `words`."""
    for past in range(min(columns[PAST], board.capacity)):
        slot = HASHES + WORDS * past
        if columns[slot] == words[0] and np.all(columns[slot : slot + WORDS] == words):
            return True
    return False


@jit
def _features(board: Board, states: Array, allowed: Array, inputs: Array) -> None:
    """Write the network's input into `inputs`: planes, then scalars.

    Planes: the mover's stones, the opponent's stones, legal points, stones in chains with one liberty, and stones in
    chains with two liberties.
    """
    points, scratch = board.points, np.empty((4, board.points), np.int64)
    chains, liberties = scratch[0], scratch[1]
    for index in range(len(states)):
        _survey(board, states[index, :points], chains, liberties, scratch[2:])
        for point in range(points):
            if chains[point] != NONE:
                inputs[index, 3 * points + point] = ACTIVATION_UNITS * (liberties[chains[point]] == 1)
                inputs[index, 4 * points + point] = ACTIVATION_UNITS * (liberties[chains[point]] == 2)
            inputs[index, point] = ACTIVATION_UNITS * (states[index, point] == 1)
            inputs[index, points + point] = ACTIVATION_UNITS * (states[index, point] == -1)
            inputs[index, 2 * points + point] = ACTIVATION_UNITS * allowed[index, point]
        columns, scalars = states[index, points:], inputs[index, PLANES * points :]
        scalars[0] = min(MAX_ACTIVATION, board.left_units * columns[LEFT])
        scalars[1] = ACTIVATION_UNITS * columns[BLACK_MOVES]
        scalars[2] = ACTIVATION_UNITS * columns[PASSED]
        if board.territory:
            scalars[3] = max(0, min(MAX_ACTIVATION, 128 + 4 * columns[PRISONERS]))


@jit
def _add_territory(board: Board, owners: Array) -> None:
    """Assign each empty region that touches stones of only one player to that player."""
    stack, regions = np.empty(board.points, np.int64), np.empty(board.points, np.int64)
    for index in range(len(owners)):
        regions[:] = NONE
        for start in range(board.points):
            if owners[index, start] != 0 or regions[start] != NONE:
                continue
            regions[start], stack[0], found, done, black, white = start, start, 1, 0, False, False
            while done < found:
                point = stack[done]
                done += 1
                for beside in board.beside[point]:
                    if beside == NONE:
                        break
                    if regions[beside] == NONE and owners[index, beside] == 0:
                        regions[beside], stack[found] = start, beside
                        found += 1
                    elif regions[beside] == NONE:
                        black, white = black or owners[index, beside] == 1, white or owners[index, beside] == -1
            if black != white:
                for point in stack[:found]:
                    owners[index, point] = 1 if black else -1
