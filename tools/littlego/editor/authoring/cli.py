"""The command `init`, which creates an author's folder with patterns, a position and a game."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from littlego.cli.arguments import FINE, ArgumentError, trying_to
from littlego.cli.commandline import command
from littlego.files import short_name, write_bytes, write_text
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.reference import SCHEMA
from littlego.match.series import Pairing, play_game
from littlego.paths import MATCH_YAML, PATTERNS_YAML, TUTORIAL, patterns_name
from littlego.players.registry import player_for
from littlego.records.sgf_writing import record_sgf

YAML, TXT, SCHEMA_COPY, BOARD, GAME = "patterns.yaml", "patterns.txt", SCHEMA.name, "board.txt", "game.sgf"
EDITOR_LINE = "# yaml-language-server: $schema="
SEED = 1
NEXT = """\
In {folder}:
  {yaml:{width}} {about}; the file to edit{shared}
  {txt:{width}} written by `littlego compile{ruleset}` from {yaml}; the file that the player reads
  {board:{width}} a position, X to move
  {game:{width}} a game in which these patterns play Black against {opponent}
Now:
  cd {quoted}
  littlego explain {board}{ruleset}
  littlego explain {game}:9
  littlego check{ruleset}
  littlego play --black ours --white {opponent}{game_ruleset} --brief
  littlego studio {yaml}"""


@dataclass(frozen=True)
class Kit:
    """The initial files of a new folder for one ruleset.

    `source` is the patterns file to copy. `rules` is the ruleset (with the board size) of the initial game, in which
    `opponent` plays White. `board` is the drawn position. `shared` is a second file to copy, with patterns that
    `source` reuses; None if `source` reuses no patterns. `option` and `size` are the command options that select the
    ruleset and the board size.
    """

    ruleset: str
    source: Path
    rules: str
    opponent: str
    board: str
    shared: Path | None = None
    option: str = ""
    size: str = ""

    @property
    def yaml(self) -> str:
        """The name of the patterns file."""
        return patterns_name(self.ruleset, "yaml")

    @property
    def txt(self) -> str:
        """The name of the compiled file."""
        return patterns_name(self.ruleset, "txt")


SMALL_BOARD = """\
. O . . X
. O O X .
. X X . .
O X . O .
. . . . .
"""
LARGE_BOARD = """\
. . . . . . . . .
. . . . . . . . .
. . X . . . X . .
. . . . O . . X .
. X X . O X X O .
. O . . . O . X .
. . O . O . O . .
. . . . . . . . .
. . . . . . . . .
"""
KITS = {
    kit.ruleset: kit
    for kit in (
        Kit("little-go", PATTERNS_YAML, "little-go", "greedy", SMALL_BOARD),
        Kit("match", MATCH_YAML, "match-9", "silly", LARGE_BOARD, PATTERNS_YAML, " --ruleset match", " --size 9"),
    )
}


@command("init", example="littlego init my-patterns\nlittlego init my-patterns --ruleset match")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--small", is_flag=True, help="Start with the eight patterns of the tutorial.")
@click.option(
    "--ruleset", type=click.Choice(list(KITS)), default="little-go", show_default=True, help="Ruleset of the patterns."
)
def init(folder: Path, small: bool, ruleset: str) -> int:
    """Create FOLDER with patterns.yaml, a drawn board and a game.

    Commands that you run in FOLDER use the patterns in FOLDER, and the player `ours` uses the compiled file there. With
    --ruleset match, the file to edit is patterns.match.yaml; FOLDER also contains patterns.yaml, from which
    patterns.match.yaml reuses patterns. The command never replaces existing files.
    """
    kit = KITS[ruleset]
    if small and kit.source != PATTERNS_YAML:
        raise ArgumentError(
            f"--small with --ruleset {ruleset}: the tutorial's patterns are for 5x5; use only one of these options"
        )
    shared = [] if kit.shared is None else [kit.shared.name]
    if there := [name for name in (kit.yaml, kit.txt, *shared, SCHEMA_COPY, BOARD, GAME) if (folder / name).exists()]:
        raise ArgumentError(f"{short_name(folder)} already contains {there[0]}; expected a new or an empty folder")
    with trying_to(f"make {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        _fill(folder, kit, TUTORIAL if small else kit.source)
    about = "eight patterns to begin with" if small else "all patterns of the player"
    print(_what_is_next(folder, kit, about))
    return FINE


def _fill(folder: Path, kit: Kit, source: Path) -> None:
    """Write all initial files; in the initial game, the new patterns play Black."""
    if kit.shared is not None:
        write_bytes(folder / kit.shared.name, kit.shared.read_bytes())
    _write_patterns(folder, kit, source)
    write_bytes(folder / SCHEMA_COPY, SCHEMA.read_bytes())
    write_text(folder / BOARD, kit.board)
    pairing = Pairing(1, f"ours:{folder / kit.txt}", kit.opponent, SEED, ruleset=kit.rules)
    record = play_game(pairing, player_for)
    write_text(folder / GAME, record_sgf(record._replace(players=("ours", kit.opponent))))


def _what_is_next(folder: Path, kit: Kit, about: str) -> str:
    """Return text that describes the new folder's files and the next steps."""
    width = len(kit.txt) + 2
    return NEXT.format(
        width=width,
        folder=short_name(folder),
        quoted=shlex.quote(str(folder)),
        about=about,
        yaml=kit.yaml,
        txt=kit.txt,
        board=BOARD,
        game=GAME,
        opponent=kit.opponent,
        ruleset=kit.option,
        game_ruleset=kit.option + kit.size,
        shared="" if kit.shared is None else f"\n  {kit.shared.name:{width}} patterns, some of which {kit.yaml} reuses",
    )


def _write_patterns(folder: Path, kit: Kit, source: Path) -> None:
    """Write and compile a copy of a patterns file. The copy's first line names the folder's schema."""
    lines = [line for line in source.read_text(encoding="utf-8").split("\n") if not line.startswith(EDITOR_LINE)]
    text = "\n".join([EDITOR_LINE + SCHEMA_COPY, *lines])
    compiled, problems, _ = compile_text(text, str(source))
    if compiled is None:
        raise ArgumentError(f"{source}: {problems[0].message}; run `littlego check`")
    write_text(folder / kit.yaml, text)
    write_bytes(folder / kit.txt, compiled)
