"""The proof: the handed-in files, alone in an empty folder, play whole games and decide what the repository decides."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rules.engine import decide
from rules.patternfile import load
from rules.position import BLACK, PASS
from rules.ruleset import LITTLE_GO
from rules.turn import COUNTS, INPUT, OUTPUT, write_counts
from tools.draw.boards import move_text
from tools.match.host import FilePlayer
from tools.match.interpreters import Interpreter
from tools.match.referee import COLOURS, Game, GameRecord
from tools.opponents.ours import overrides_beside
from tools.opponents.roles import RolePlayer
from tools.submission.flatten import PLAYER
from tools.submission.folder import PATTERNS, write_files
from tools.submission.statics import complaints
from tools.submission.turns import Given

TRIAL = Path(__file__).with_name("trial.py")
ENOUGH = 1000  # positions on which the two must agree, at least
AS_PROCESSES = 20  # of them, decided once more by real turns over input.txt and output.txt
RIVAL = "greedy"
SEED = 1


class NotProved(Exception):
    """What the handed-in files do otherwise than the repository, or cannot do; one line each."""


class Agreement(NamedTuple):
    """The same decisions under one interpreter: positions, and the most milliseconds of CPU that one decision took."""

    positions: int
    slowest: float


def prove_statics(files: dict[str, bytes]) -> None:
    """Raise NotProved unless the files are of accepted kinds, in Python 3.7 syntax, and import nothing else."""
    found = complaints(files)
    if found:
        raise NotProved("\n".join(found))


def prove_game(files: dict[str, bytes], python: Interpreter, colour: int) -> GameRecord:
    """Play a whole game in a folder that holds nothing else, as the course does; raise NotProved for a fault."""
    with _empty_folder() as name:
        folder = Path(name)
        write_files(files, folder)
        ours = FilePlayer(PLAYER, [python.path, PLAYER], name)
        rival = RolePlayer(RIVAL, SEED)
        record = Game((ours, rival) if colour == BLACK else (rival, ours), LITTLE_GO, seed=SEED).play()
        notes = [move.note for move in record.moves if move.note]
        left = {path.name for path in folder.iterdir()} - set(files) - {INPUT, OUTPUT, COUNTS, "__pycache__"}
        changed = [file for file, data in files.items() if (folder / file).read_bytes() != data]
    if record.fault == colour or notes:
        raise NotProved(f"Python {python.version}, {COLOURS[colour]}: {record.why} {record.note} {' '.join(notes)}")
    if left or changed:
        raise NotProved(f"Python {python.version}: a game leaves {sorted(left)} behind and changes {changed}")
    return record


def repository_moves(root: Path, turns: list[Given], advance: Callable[[], object]) -> list[int]:
    """Return what the repository's player decides in each turn; `advance` is called after each."""
    book, overrides = load(str(root / PATTERNS)), overrides_beside(str(root / PATTERNS), LITTLE_GO)
    moves = []
    for turn in turns:
        moves.append(decide(turn.position(), book, overrides=overrides).move)
        advance()
    return moves


def prove_agreement(files: dict[str, bytes], python: Interpreter, turns: list[Given], moves: list[int]) -> Agreement:
    """Let the handed-in modules decide every turn in one process; raise NotProved where a move differs."""
    with _empty_folder() as name:
        write_files(files, Path(name))
        command = [python.path, "-I", "-S", str(TRIAL), name]
        text = "".join(turn.line() + "\n" for turn in turns)
        done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=name)
        if done.returncode:
            raise NotProved(f"Python {python.version}: {done.stderr.strip() or f'exit status {done.returncode}'}")
        *answers, imported = done.stdout.splitlines()
        strangers = [path for path in imported.split("\t") if os.path.dirname(path) != name]
    if strangers:
        raise NotProved(f"Python {python.version}: imported from elsewhere: {', '.join(strangers)}")
    found = [int(answer.split()[0]) for answer in answers]
    _compare(python, turns, moves, found)
    return Agreement(len(turns), max(float(answer.split()[1]) for answer in answers))


def prove_processes(
    files: dict[str, bytes], root: Path, python: Interpreter, turns: list[Given], advance: Callable[[], object]
) -> None:
    """Play turns as real processes with the handed-in and the repository's player; raise NotProved where they differ.

    Both find the move count that an earlier turn would have left.
    """
    with _empty_folder() as name:
        write_files(files, Path(name))
        for turn in turns:
            expected = _turn_output(python, str(root / PLAYER), turn)
            found = _turn_output(python, os.path.join(name, PLAYER), turn)
            if expected != found:
                shown = turn.input_text()
                raise NotProved(f"Python {python.version}: {found!r} instead of {expected!r} for input.txt\n{shown}")
            advance()


def _turn_output(python: Interpreter, player: str, turn: Given) -> tuple[bytes, bytes, int]:
    """Return (output.txt, standard error, exit status) of one turn in an otherwise empty folder."""
    with _empty_folder() as name:
        folder = Path(name)
        write_counts(str(folder / COUNTS), {turn.colour: (LITTLE_GO.length - turn.left - 1, turn.previous)})
        (folder / INPUT).write_text(turn.input_text(), encoding="ascii", newline="\n")
        done = subprocess.run([python.path, player], cwd=name, capture_output=True)
        output = (folder / OUTPUT).read_bytes() if (folder / OUTPUT).exists() else b"(none)"
    return output, done.stderr, done.returncode


def _compare(python: Interpreter, turns: list[Given], moves: list[int], found: list[int]) -> None:
    if len(found) != len(turns):
        raise NotProved(f"Python {python.version}: {len(found)} answers to {len(turns)} turns")
    wrong = [index for index, move in enumerate(moves) if found[index] != move]
    if wrong:
        turn, size = turns[wrong[0]], LITTLE_GO.size
        said, expected = (_shown(move, size) for move in (found[wrong[0]], moves[wrong[0]]))
        raise NotProved(
            f"Python {python.version}: {len(wrong)} of {len(turns)} moves differ; the first: {said} instead of "
            f"{expected}, {turn.left} moves left, input.txt\n{turn.input_text()}"
        )


def _shown(move: int, size: int) -> str:
    return "PASS" if move == PASS else move_text(move, size)


def _empty_folder() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="littlego-submit-")
