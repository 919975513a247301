"""The demo folder: the tutorial's patterns, and a game that a player with these patterns lost.

The folder is deleted when the studio ends. The tutorial in docs/tutorial.md leads from the lost game to a pattern that
wins the game. static/walk.js guides the user through the same steps on the page.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.editor.answers.walking import LOST, OPPONENT, SEED, TXT, YAML
from littlego.files import write_bytes, write_text
from littlego.knowledge.compiler import compile_text
from littlego.match.referee import GameRecord
from littlego.match.series import Pairing, play_game
from littlego.paths import TUTORIAL
from littlego.players.registry import player_for
from littlego.records.sgf_writing import record_sgf
from littlego.scratch import prefix


@contextmanager
def demo_folder() -> Iterator[Path]:
    """Yield the path of the patterns.yaml in a new demo folder.

    The folder is removed after the `with` block. Raise ArgumentError if the folder cannot be written.
    """
    with trying_to("make a folder for the demo"), tempfile.TemporaryDirectory(prefix=prefix("demo")) as folder:
        yield write_demo(Path(folder))


def write_demo(folder: Path) -> Path:
    """Write the files of the demo to a folder; return the path of the patterns.yaml."""
    text = TUTORIAL.read_text(encoding="utf-8")
    compiled, problems, _ = compile_text(text, YAML)
    if compiled is None:
        raise ArgumentError(f"{TUTORIAL}: {problems[0].message}; run `littlego check`")
    write_text(folder / YAML, text)
    write_bytes(folder / TXT, compiled)
    record = _play(folder / TXT)
    write_text(folder / LOST, record_sgf(record._replace(players=("ours", OPPONENT))))
    return folder / YAML


def _play(patterns: Path) -> GameRecord:
    return play_game(Pairing(0, f"ours:{patterns}", OPPONENT, SEED), player_for)
