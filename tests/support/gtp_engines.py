"""GTP engines for tests, as Python programs: a correct engine, and variants that each break one rule."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

# Plays the points of POINTS in turn, then passes; `edit` is the placeholder for the code in which the variants differ.
# The engine logs its input to the file `heard`.
ENGINE = """
import os, sys, time
points, heard = {points!r}.split(), open('heard', 'w')
known = 'protocol_version name version list_commands boardsize clear_board komi play genmove quit'.split() + {more!r}
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def answer(words):
    if words[0] == 'genmove': return '= ' + (points.pop(0) if points else 'pass')
    if words[0] == 'list_commands': return '= ' + '\\n'.join(known)
    if words[0] == 'name': return '= Test'
    if words[0] == 'version': return '= 1'
    return '= ' if words[0] in known else '? unknown command'
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    words = line.split()
{edit}
    say(answer(words) + '\\n\\n')
    if words[0] == 'quit': break
"""
AT_GENMOVE = "    if words[0] == 'genmove': "
BROKEN = {  # name: (code of the behaviour, a regular expression for the reason of the loss)
    "dies": (f"{AT_GENMOVE}sys.exit(3)", r"ended with exit status 3 \(after the command genmove b\)"),
    "is killed": (f"{AT_GENMOVE}os.kill(os.getpid(), 9)", r"was ended by signal 9 \(after the command genmove b\)"),
    "dies at once": ("    sys.exit(4)", r"ended with exit status 4 \(after the command name\)"),
    "says what it is": (
        f"{AT_GENMOVE}say('hello\\n\\n'); continue",
        "answered genmove b with 'hello'; expected = or ?",
    ),
    "garbage": (
        f"{AT_GENMOVE}os.write(1, bytes(range(1, 256)) + b'\\n\\n'); continue",
        r"answered genmove b with '.*'.*; expected = or \?",
    ),
    "an escape": (
        f"{AT_GENMOVE}say('= \\u202e\\x1b[31mred\\n\\n'); continue",
        r"with '\\u202e\[31mred'; expected a point",
    ),
    "floods": (f"{AT_GENMOVE}\n        while True: say('= ' + 'x' * 65536)", "with more than 1,048,576 bytes"),
    "nothing": (f"{AT_GENMOVE}say('=\\n\\n'); continue", "answered genmove b with ''; expected a point"),
    "off the board": (
        f"{AT_GENMOVE}say('= F6\\n\\n'); continue",
        "answered genmove b with 'F6'; expected a point of the 5x5",
    ),
    "no such column": (f"{AT_GENMOVE}say('= I3\\n\\n'); continue", "answered genmove b with 'I3'; expected a point"),
    "refuses": (f"{AT_GENMOVE}say('? no idea\\n\\n'); continue", "refused genmove b: 'no idea'"),
    "refuses komi": ("    if words[0] == 'komi': say('? komi?\\n\\n'); continue", "refused komi 2.5: 'komi.'"),
    "refuses the size": (
        "    if words[0] == 'boardsize': say('? unacceptable size\\n\\n'); continue",
        "refused boardsize 5: 'unacceptable size'",
    ),
    "talks unasked": (
        "    if words[0] == 'komi': say('= \\n\\n= \\n\\n'); time.sleep(0.1); continue",
        "wrote '=' before the command",
    ),
    "closes its output": (
        f"{AT_GENMOVE}os.close(1); time.sleep(9)",
        r"closed its standard output \(after the command genmove b\)",
    ),
}
LATE = {
    "is silent": (f"{AT_GENMOVE}time.sleep(60)", "gave no answer to genmove b in"),
    "never ends its answer": (
        f"{AT_GENMOVE}say('= C3\\n'); time.sleep(60)",
        "gave no answer to genmove b in .*, only '= C3'",
    ),
    "dribbles": (
        f"{AT_GENMOVE}\n        while True: say('x'); time.sleep(0.01)",
        "gave no answer to genmove b in .*, only 'x",
    ),
    "rings its bell": (
        f"{AT_GENMOVE}\n        while True: os.write(1, bytes(65536))",
        "gave no answer to genmove b in .* s$",
    ),
    "shouts": (f"{AT_GENMOVE}\n        while True: sys.stderr.write('x' * 65536)", "gave no answer to genmove b in"),
}


def engine_text(edit: str = "", points: str = "C3 B2 D4 B4 D2", more: tuple[str, ...] = ()) -> str:
    """Return an engine's program.

    edit: code that runs before the answer to a line. points: the engine's moves. more: additional commands that the
    engine lists as known.
    """
    return ENGINE.format(points=points, more=list(more), edit=edit)


def write_engine(folder: Path, edit: str = "", **others: object) -> list[str]:
    """Write an engine into a folder and return its command."""
    path = folder / "engine.py"
    path.write_text(engine_text(edit, **others), encoding="ascii")  # type: ignore[arg-type]
    return [sys.executable, str(path)]


def engine_name(folder: Path, edit: str = "", **others: object) -> str:
    """Write an engine into a folder and return the player's name."""
    return "gtp:" + shlex.join(write_engine(folder, edit, **others))
