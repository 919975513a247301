"""The proof that the submission is acceptable and plays like the original player.

The static checks prove that the course accepts the submission: they cover file types, size, Python 3.7 syntax and
imports. The dynamic checks run in a folder that contains only the submission. They cover whole games, decisions in many
positions, and turns as separate processes.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path, PurePath

from littlego.engines.books import book_in, overrides_beside
from littlego.games.boards import move_text
from littlego.match.host import FilePlayer
from littlego.match.referee import COLOURS, Game, GameRecord
from littlego.parallel import with_progress
from littlego.players.roles.table import RolePlayer
from littlego.rules.engine import decide
from littlego.rules.position import BLACK
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import COUNTS, INPUT, OUTPUT, write_counts
from littlego.sandbox.interpreters import Interpreter
from littlego.scratch import prefix
from littlego.submission.folder import PATTERNS, PLAYER, write_files
from littlego.submission.turns import Given

CHILD = Path(__file__).with_name("child.py")
ACCEPTED = (".py", ".txt", ".json")
MOST_BYTES = 8 << 20  # maximum total size of all files
OLDEST = (3, 7)
STANDARD = sys.stdlib_module_names - {"graphlib", "tomllib", "zoneinfo"}  # without modules newer than Python 3.7
ENOUGH = 1000  # minimum number of positions in which the two players must agree
AS_PROCESSES = 20  # number of these positions that both players also decide as separate processes
RIVAL = "greedy"
SEED = 1


class ProofError(Exception):
    """Raised if the submission fails a check or plays differently from the original player."""


def prove_statics(files: dict[str, bytes]) -> None:
    """Raise ProofError unless the course accepts the files.

    The checks cover file types, size, Python 3.7 syntax and imports.
    """
    if wrong := complaints(files):
        raise ProofError("\n".join(wrong))


def prove_game(files: dict[str, bytes], python: Interpreter, colour: int) -> GameRecord:
    """Return the record of a game that the submission plays under the course's rules in a new folder.

    Raise ProofError if the submitted player loses through a fault, prints an error, creates an unexpected file or
    changes a submitted file.
    """
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
        raise ProofError(f"Python {python.version}, {COLOURS[colour]}: {record.why} {record.note} {' '.join(notes)}")
    if left or changed:
        raise ProofError(
            f"Python {python.version}: after a game, new files: {sorted(left)}, changed files: {changed}; expected none"
        )
    return record


def repository_moves(root: Path, turns: list[Given]) -> list[int]:
    """Return the original player's move in each turn. root: the player's folder."""
    book, overrides = book_in(str(root / PATTERNS)), overrides_beside(str(root / PATTERNS), LITTLE_GO)
    return [
        decide(turn.position(), book, overrides=overrides).move for turn in with_progress(turns, len(turns), "position")
    ]


def prove_agreement(files: dict[str, bytes], python: Interpreter, turns: list[Given], moves: list[int]) -> float:
    """Return the CPU time of the slowest decision in milliseconds; raise ProofError if a move differs.

    The submitted modules decide every turn in one process. moves: the expected moves. Also raise ProofError if the
    process fails or imports a module of the player from another folder.
    """
    with _empty_folder() as name:
        write_files(files, Path(name))
        command = [python.path, "-I", "-S", str(CHILD), "decide", name]
        done = subprocess.run(
            command, input="".join(turn.line() + "\n" for turn in turns), capture_output=True, text=True, cwd=name
        )
        if done.returncode:
            raise ProofError(f"Python {python.version}: {done.stderr.strip() or f'exit status {done.returncode}'}")
        *answers, imported = done.stdout.splitlines()
        strangers = [path for path in imported.split("\t") if os.path.dirname(path) != name]
    if strangers:
        raise ProofError(f"Python {python.version}: imported modules outside the submission: {', '.join(strangers)}")
    _compare(python, turns, moves, [int(answer.split()[0]) for answer in answers])
    return max(float(answer.split()[1]) for answer in answers)


def prove_processes(files: dict[str, bytes], root: Path, python: Interpreter, turns: list[Given]) -> None:
    """Raise ProofError if the submitted player and the original player give different results in a turn.

    For each turn, each player runs in a new process. Both players get the move count that the previous turn would have
    stored. root: the original player's folder.
    """
    with _empty_folder() as name:
        write_files(files, Path(name))
        for turn in with_progress(turns, len(turns), "turn"):
            expected = _turn_output(python, str(root / PLAYER), turn)
            actual = _turn_output(python, os.path.join(name, PLAYER), turn)
            if expected != actual:
                raise ProofError(
                    f"Python {python.version}: the copy returns {actual!r}; expected {expected!r} for input.txt\n"
                    f"{turn.input_text()}"
                )


def _turn_output(python: Interpreter, player: str, turn: Given) -> tuple[bytes, bytes, int]:
    """Return (output.txt, standard error, exit status) of one turn in an otherwise empty folder."""
    with _empty_folder() as name:
        folder = Path(name)
        write_counts(str(folder / COUNTS), turn.counts())
        (folder / INPUT).write_text(turn.input_text(), encoding="ascii", newline="\n")
        done = subprocess.run([python.path, player], cwd=name, capture_output=True)
        output = (folder / OUTPUT).read_bytes() if (folder / OUTPUT).exists() else b"(none)"
    return output, done.stderr, done.returncode


def _compare(python: Interpreter, turns: list[Given], expected: list[int], actual: list[int]) -> None:
    if len(actual) != len(turns):
        raise ProofError(f"Python {python.version}: found {len(actual)} answers; expected {len(turns)}, one per turn")
    if wrong := [index for index, move in enumerate(expected) if actual[index] != move]:
        first = wrong[0]
        played, instead_of = (move_text(moves[first], LITTLE_GO.size) for moves in (actual, expected))
        raise ProofError(
            f"Python {python.version}: {len(wrong)} of {len(turns)} moves differ; the first: {played} instead of "
            f"{instead_of} with {turns[first].left} moves left, for input.txt\n{turns[first].input_text()}"
        )


def _empty_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix=prefix("submit"))


def complaints(files: dict[str, bytes]) -> list[str]:
    """Return a line for each reason why the course would reject the files.

    The function checks file types, size, Python 3.7 syntax and imports.
    """
    strange = [name for name in files if PurePath(name).suffix not in ACCEPTED or PurePath(name).name != name]
    wrong = [f"{name}: the course accepts only {', '.join(ACCEPTED)}" for name in strange]
    together = sum(map(len, files.values()))
    if together > MOST_BYTES:
        wrong.append(f"all files together have {together:,} bytes; expected at most {MOST_BYTES:,}")
    modules = {name.removesuffix(".py") for name in files if name.endswith(".py")}
    for name, data in files.items():
        if name.endswith(".py"):
            wrong += _complaints_about(name, data, modules)
    return wrong


def _complaints_about(name: str, data: bytes, modules: set[str]) -> list[str]:
    try:
        tree = ast.parse(data, name, feature_version=OLDEST)
    except SyntaxError as error:
        return [f"{name}:{error.lineno}:{error.offset}: not valid Python {OLDEST[0]}.{OLDEST[1]}: {error.msg}"]
    wrong = []
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in imports:
        for module in _imported_modules(node):
            if module not in modules | STANDARD:
                shown = f"imports {module}" if module else "has a relative import"
                wrong.append(f"{name}:{node.lineno}: {shown}; expected the standard library or a submitted file")
    return wrong


def _imported_modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the names of the top-level modules that a statement imports, or [''] for a relative import."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    return ["" if node.level else (node.module or "").partition(".")[0]]
