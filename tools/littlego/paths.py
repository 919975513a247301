"""Paths of the project: the package, our player, its patterns and recorded data.

This module runs on Python 3.7.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CODE = PACKAGE.parent  # the folder for sys.path from which the package can be imported
INSTALLED = (
    PACKAGE / "my_player3.py"
).is_file()  # in a wheel the player lies in the package (see setup.py), in a repository at the root
HOME = PACKAGE if INSTALLED else PACKAGE.parents[1]  # our player's folder: my_player3.py, rules/, patterns.txt and more

PATTERNS_YAML, PATTERNS_TXT = HOME / "patterns.yaml", HOME / "patterns.txt"
MATCH_YAML, MATCH_TXT = HOME / "patterns.match.yaml", HOME / "patterns.match.txt"  # the match game, all board sizes
TUTORIAL = HOME / "docs" / "tutorial" / "first.yaml"  # the initial patterns of the tutorial
OVERRIDES = HOME / "overrides.txt"  # moves for single positions, required by a proof; written by `littlego prove`
RECORDS = PACKAGE / "records"
DECISIONS = RECORDS / "decisions.txt"  # our player's moves in recorded positions; updated by `littlego diff --accept`
MATCH_DECISIONS = RECORDS / "match_decisions.txt"  # our player's moves in recorded positions of the match game
LABELS = PACKAGE / "truth" / "labels" / "labels.npz"  # solved positions; written by `littlego dev label`
PROBLEMS = RECORDS / "problems.yaml"  # drawn positions of the match with their right moves; see records/problems.py
REAL_GAMES = RECORDS / "real_games.jsonl"  # games of the course's players against students' programs
ENGINE_GAMES = RECORDS / "engine_games.xz"  # games of GNU Go; extended by `littlego dev selfplay`
OWN_GAMES = RECORDS / "own_games.xz"  # games of our player against GNU Go; extended by the same command
STEMS = {"little-go": "patterns", "match": "patterns.match"}  # game -> stem of the names of its patterns files


def patterns_name(ruleset: str, ending: str) -> str:
    """Return the name of a ruleset's patterns file. ruleset: the ruleset's name. ending: `yaml` or `txt`."""
    return STEMS[game_of(ruleset)] + "." + ending


def patterns_file(ruleset: str, ending: str) -> Path:
    """Return the default patterns file: the current folder's file if it exists, else the shipped file.

    The parameters are the same as for patterns_name. The returned path is relative if the file is in the current
    folder.
    """
    here = Path(patterns_name(ruleset, ending))
    return here if here.is_file() else HOME / here


def is_shipped(path: Path) -> bool:
    """Return whether a file lies directly in HOME, where the shipped files are."""
    return path.resolve().parent == HOME


def game_of(ruleset: str) -> str:
    """Return the name of a ruleset's game, such as `match` for `match-9`."""
    return next(game for game in STEMS if ruleset.startswith(game))


def revision() -> str:
    """Return the commit of this checkout, with `+` if files differ from the commit; '' if git fails."""
    import subprocess  # most programs that import this module start no process

    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+"],
            cwd=HOME,
            capture_output=True,
            text=True,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
