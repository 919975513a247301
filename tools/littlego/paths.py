"""Where files lie: the package, our player, its knowledge, and the recorded data of the rooms.

Runs on Python 3.7.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CODE = PACKAGE.parent  # the folder that a program needs in its path to import the package
INSTALLED = (
    PACKAGE / "my_player3.py"
).is_file()  # a wheel has the player there (see setup.py), a repository at its root
HOME = PACKAGE if INSTALLED else PACKAGE.parents[1]  # our player's folder: my_player3.py, rules/, patterns.txt and more

PATTERNS_YAML, PATTERNS_TXT = HOME / "patterns.yaml", HOME / "patterns.txt"
MATCH_YAML, MATCH_TXT = HOME / "patterns.match.yaml", HOME / "patterns.match.txt"  # of the match, on all boards
TUTORIAL = HOME / "docs" / "tutorial" / "first.yaml"  # the patterns that the tutorial begins with
OVERRIDES = HOME / "overrides.txt"  # single positions proved to need another move; `littlego prove` makes them
RECORDS = PACKAGE / "records"
DECISIONS = RECORDS / "decisions.txt"  # what our player plays in recorded positions; `littlego diff --accept` writes it
MATCH_DECISIONS = RECORDS / "match_decisions.txt"  # the same of the match
LABELS = PACKAGE / "truth" / "labels" / "labels.npz"  # positions with the moves that win them: `littlego dev label`
REAL_GAMES = RECORDS / "real_games.jsonl"  # games of the course's own players against students' programs
ENGINE_GAMES = RECORDS / "engine_games.xz"  # games of GNU Go; `littlego dev selfplay` adds to it
OWN_GAMES = RECORDS / "own_games.xz"  # games of ours against GNU Go, made in the same way
STEMS = {"little-go": "patterns", "match": "patterns.match"}  # of the names of patterns files, by their rulesets


def patterns_name(ruleset: str, ending: str) -> str:
    """Return the name of the patterns file for positions of a ruleset, by its name; ending: `yaml` or `txt`."""
    return STEMS[game_of(ruleset)] + "." + ending


def game_of(ruleset: str) -> str:
    """Return the game of a ruleset, which the ruleset's name begins with: `match` for `match-9`."""
    return next(game for game in STEMS if ruleset.startswith(game))
