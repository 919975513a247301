"""The plan of a grading's games, and the function that plays one game.

The plan sets the games' order and seeds. The program plays via the course's file protocol; the role plays in this
process.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from littlego.match.host import FilePlayer
from littlego.match.protocol import Turn
from littlego.match.referee import COLOURS, GameRecord, Player, Reply, record_json
from littlego.match.series import Pairing, play_game
from littlego.match.student_programs import Program, ProgramError, copy_to, player_of
from littlego.players.registry import make_player
from littlego.rules.position import BLACK, WHITE, margin2, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox.workfolder import FILES, make_bounded, remove_tree
from littlego.scratch import prefix
from littlego.stalled import StalledError

# Source: section 6 of the course's 2025 handout, on grading.
STAGES = {1: ("random", "greedy", "aggressive", "alphabeta"), 2: ("qlearning", "championship")}
ROLES = STAGES[1] + STAGES[2]
RESERVED = "alphabeta"  # `submit` plays all roles of stage 1 except this role
GAMES = 20  # against each role, half of them as Black; `submit` plays half as many in stage 2
REPETITIONS = 3  # repetitions of the whole grading; the best repetition counts

MOST_GAMES = 100  # maximum number of games against a role; each repetition reserves this many seeds per role
MOST_REPETITIONS = 999
KNOWN = {INPUT, OUTPUT, "__pycache__"}  # files in every work folder
MOST_FILES = 100  # limit for the stored names of files that a program created
_A_REPETITION, _A_SEED = 1_000, 1_000_000  # numbers of seeds reserved for each repetition and for each --seed


class GradedGame(NamedTuple):
    """A game of a grading.

    repetition: the repetition's number, from 1. index: the zero-based index of the game among the repetition's games
    against the role. colour: the program's colour.
    """

    repetition: int
    stage: int
    role: str
    index: int  # type: ignore[assignment]  # hides the unused method tuple.index
    colour: int
    seed: int


def plan_games(repetitions: int, stages: Sequence[int], games: int, seed: int) -> list[GradedGame]:
    """Return all games of a grading in order: `games` games against each role in each repetition.

    The program is Black in games with an even index. Each game has a unique seed, composed of --seed, the repetition,
    the role's index and the game's index: with --seed 4, the eighth game of repetition 2 against the fourth role has
    seed 4002307.
    """
    return [
        _graded_game(repetition, stage, role, index, seed)
        for repetition in range(1, repetitions + 1)
        for stage in stages
        for role in STAGES[stage]
        for index in range(games)
    ]


def planned(repetition: int, role: str, index: int, seed: int) -> GradedGame | None:
    """Return the planned game with the given properties; None if no plan contains such a game."""
    stage = next((stage for stage, roles in STAGES.items() if role in roles), None)
    if stage is None or not 1 <= repetition <= MOST_REPETITIONS or not 0 <= index < MOST_GAMES:
        return None
    return _graded_game(repetition, stage, role, index, seed)


def _graded_game(repetition: int, stage: int, role: str, index: int, seed: int) -> GradedGame:
    own = _A_SEED * seed + _A_REPETITION * repetition + MOST_GAMES * ROLES.index(role) + index
    return GradedGame(repetition, stage, role, index, WHITE if index % 2 else BLACK, own)


def is_submitted(game: GradedGame, games: int) -> bool:
    """Return whether the course's `submit` plays this game.

    In stage 1, `submit` omits the role RESERVED; in stage 2, it plays only the first half of the games against each
    role.
    """
    return game.role != RESERVED if game.stage == 1 else game.index < games // 2


class Task(NamedTuple):
    """A planned game with the program, folder and limits for playing it.

    factor: how many times slower the grader's machine is than this machine. folder: the folder for copies of the
    program. left: seconds of wall time that remain for the program after the games finished so far.
    """

    game: GradedGame
    program: Program
    factor: float
    folder: str
    left: float = math.inf


class Outcome(NamedTuple):
    """A finished game of a grading, as plain values for JSON.

    fault: whether the program lost through a fault. failed: whether the role lost through a fault. seconds: the
    program's CPU time for each turn (including a turn that lost the game), converted to seconds of the grader's
    machine. warnings, notes: the non-empty warnings and notes of the program's replies. left: the names of files that
    the program created in its folder. record: the game as returned by record_json. held: a description of the program's
    sandbox. wall: the elapsed seconds of the program's turns, excluding the time that the program waited for a core.
    replayed: the number of turns played again because other work on the machine or a full disk disturbed them. void:
    why the game could not be judged even though turns were replayed, or ''. If `void` is not empty, only `game`,
    `replayed` and `void` are meaningful.
    """

    game: GradedGame
    won: bool
    tie: bool
    fault: bool
    failed: bool
    seconds: list[float]
    warnings: list[str]
    notes: list[str]
    left: list[str]
    record: dict[str, Any]
    held: str = ""
    wall: float = 0.0
    replayed: int = 0
    void: str = ""


class WatchedPlayer(Player):
    """A player that records all replies of the player that it wraps, including a losing reply."""

    timed = False  # the host measures the program

    def __init__(self, player: Player):
        self.player = player
        self.name = player.name
        self.replies: list[Reply] = []

    def choose(self, turn: Turn) -> Reply:
        """Return the wrapped player's reply."""
        self.replies.append(self.player.choose(turn))
        self.held = self.player.held
        return self.replies[-1]

    def close(self) -> None:
        self.player.close()


def play(task: Task) -> Outcome:
    """Play one game and return its outcome.

    As in the course, files in the program's folder remain from game to game. Each process has one copy of this folder
    for each repetition and stage.
    """
    game, folder = task.game, _folder_for(task)
    player = player_of(task.program, folder, task.factor)
    player.whole = task.left
    program = WatchedPlayer(player)
    black, white = (program, game.role) if game.colour == BLACK else (game.role, program)
    try:
        record = play_game(Pairing(game.index, black, white, game.seed), _make_player)
    except StalledError as error:
        lost = forfeit(game, player.name, str(error))
        return lost._replace(fault=False, replayed=player.replayed, void=str(error))
    left = _list_new_files(player, task.program)
    if player.spoilt:
        remove_tree(folder)  # the next game starts with a new copy
    return Outcome(
        game,
        record.winner == game.colour,
        record.winner == 0,
        record.fault == game.colour,
        record.fault not in (0, game.colour),
        [round(reply.cpu, 6) for reply in program.replies],
        [reply.warning for reply in program.replies if reply.warning],
        [reply.note for reply in program.replies if reply.note],
        left,
        record_json(record),
        program.held,
        round(player.waited, 3),
        player.replayed,
    )


def _folder_for(task: Task) -> str:
    """Return the folder of this process's copy of the program; create the copy if it is missing."""
    folder = os.path.join(task.folder, f"{os.getpid()}-{task.game.repetition}-{task.game.stage}")
    if os.path.realpath(task.folder) != task.folder:
        raise ProgramError(
            f"{task.folder}, where the program plays, was replaced by a link: the program moved the folder"
        )
    if os.path.islink(folder) or not os.path.isdir(folder):
        remove_tree(folder)
        make_bounded(folder)
        copy_to(task.program, folder)
    return folder


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Yield a temporary folder for copies of programs; then remove the folder and all its files."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix=prefix("grade")))
    try:
        yield folder
    finally:
        remove_tree(folder)


def time_left(outcomes: Iterable[Outcome], wall_limit: float) -> float:
    """Return how many seconds of a wall-time limit remain after the finished games.

    The result is 0 or less if no time remains. wall_limit: the limit in seconds.
    """
    return wall_limit - sum(outcome.wall for outcome in outcomes)


def forfeit_late(game: GradedGame, name: str, wall_limit: float) -> Outcome:
    """Return the Outcome of a game lost without play because the program's wall time is used up."""
    return forfeit(game, name, f"the program's earlier turns took more than {wall_limit:g} s of wall time")


def forfeit(game: GradedGame, name: str, why: str) -> Outcome:
    """Return the Outcome of a game that the program loses without a move.

    name: the program's name. why: the fault.
    """
    players = (name, game.role) if game.colour == BLACK else (game.role, name)
    start = opening(LITTLE_GO)
    record = GameRecord(
        LITTLE_GO,
        players,
        game.seed,
        0,
        (),
        BLACK + WHITE - game.colour,
        f"{COLOURS[game.colour]} lost: {why}",
        margin2(start),
        game.colour,
        "",
        start.black,
        start.white,
    )
    return Outcome(game, False, False, True, False, [], [], [], [], record_json(record))


def _make_player(player: WatchedPlayer | str, game: Pairing) -> Player:
    """Return `player` itself if it is the watched program, else a new player for the role `player`."""
    return player if isinstance(player, WatchedPlayer) else make_player(player, game.seed)


def _list_new_files(player: FilePlayer, program: Program) -> list[str]:
    """Return the names of files that the program created in the work folder, at most MOST_FILES."""
    try:
        with player.work.open() as folder:
            return sorted(set(os.listdir(folder)[:FILES]) - set(os.listdir(program.folder)) - KNOWN)[:MOST_FILES]
    except OSError:
        return []
