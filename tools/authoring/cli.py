"""The command `init`: a folder with patterns, a position and a game, in which all that authors use works at once."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from tools.arguments import FINE, ArgumentError, trying_to
from tools.commandline import command
from tools.data import HOME, PATTERNS_YAML
from tools.files import short_name, write_bytes, write_text
from tools.knowledge.compiler import compile_text
from tools.knowledge.reference import SCHEMA
from tools.match.series import Pairing, play_game
from tools.match.sgf_writing import record_sgf
from tools.opponents.registry import player_for

FIRST = HOME / "docs" / "tutorial" / "first.yaml"
YAML, TXT, SCHEMA_COPY, BOARD, GAME = "patterns.yaml", "patterns.txt", SCHEMA.name, "board.txt", "game.sgf"
EDITOR_LINE = "# yaml-language-server: $schema="
FIRST_BOARD = """\
. . . . .
. . O X .
. O X X .
. . O . .
. . . . .
"""
OPPONENT, SEED = "greedy", 1
NEXT = """\
In {folder}:
  {yaml:14} {about}; the file to edit
  {txt:14} made from it by `littlego compile`; what the player reads
  {board:14} a position, X to move
  {game:14} a game of these patterns as Black against {opponent}
Now:
  cd {quoted}
  littlego explain {board}
  littlego explain {game}:9
  littlego check
  littlego play --black ours:{txt} --white {opponent} --brief"""


@command("init", example="littlego init my-patterns\nlittlego init my-patterns --small")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--small", is_flag=True, help="Begin with the eight patterns of the tutorial, not with all of ours.")
def init(folder: Path, small: bool) -> int:
    """Make a FOLDER to write patterns in: patterns.yaml, a first board, a game.

    In that folder, and with its patterns, `check`, `test`, `compile`, `explain`, `diff` and `gallery` work at once;
    as a player they are called `ours:patterns.txt`. What is there already is never replaced.
    """
    if there := [name for name in (YAML, TXT, SCHEMA_COPY, BOARD, GAME) if (folder / name).exists()]:
        raise ArgumentError(f"{short_name(folder)} has a {there[0]} already; expected a new or an empty folder")
    with trying_to(f"make {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        _write_patterns(folder, FIRST if small else PATTERNS_YAML)
        write_bytes(folder / SCHEMA_COPY, SCHEMA.read_bytes())
        write_text(folder / BOARD, FIRST_BOARD)
        record = play_game(Pairing(1, f"ours:{folder / TXT}", OPPONENT, SEED), player_for)  # these patterns as Black
        write_text(folder / GAME, record_sgf(record._replace(players=("ours", OPPONENT))))
    about = "eight patterns to begin with" if small else "all patterns of the player"
    places = {"yaml": YAML, "txt": TXT, "board": BOARD, "game": GAME, "opponent": OPPONENT}
    print(NEXT.format(folder=short_name(folder), quoted=shlex.quote(str(folder)), about=about, **places))
    return FINE


def _write_patterns(folder: Path, source: Path) -> None:
    """Write the patterns of a file, its first line naming the schema beside it, and what they compile to."""
    lines = [line for line in source.read_text(encoding="utf-8").split("\n") if not line.startswith(EDITOR_LINE)]
    text = "\n".join([EDITOR_LINE + SCHEMA_COPY, *lines])
    compiled, problems, _ = compile_text(text, str(source))
    if compiled is None:
        raise ArgumentError(f"{source}: {problems[0].message}; run `littlego check`")
    write_text(folder / YAML, text)
    write_bytes(folder / TXT, compiled)
