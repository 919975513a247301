"""Where the files lie that the tools read: the player, its knowledge, and the data in this folder (see README.md).

Runs on Python 3.7.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
CODE = FOLDER.parents[1]  # where the packages `rules` and `tools` lie
INSTALLED = (FOLDER / "player").is_dir()  # a wheel has the player there (see setup.py), a repository at its root
HOME = FOLDER / "player" if INSTALLED else CODE  # our player's folder: my_player3.py, rules/, patterns.txt and more

PATTERNS_YAML, PATTERNS_TXT = HOME / "patterns.yaml", HOME / "patterns.txt"
MATCH_YAML, MATCH_TXT = HOME / "patterns.match.yaml", HOME / "patterns.match.txt"  # of the match, on all boards
TUTORIAL = HOME / "docs" / "tutorial" / "first.yaml"  # the patterns that the tutorial begins with
OVERRIDES = HOME / "overrides.txt"  # single positions proved to need another move; `littlego prove` makes them
DECISIONS = FOLDER / "decisions.txt"  # what our player plays in recorded positions; `littlego diff --accept` writes it
MATCH_DECISIONS = FOLDER / "match_decisions.txt"  # and in positions of kept games of matches
LABELS = FOLDER / "labels.npz"  # positions with the moves that win them; `littlego dev label` adds to it
REAL_GAMES = FOLDER / "real_games.jsonl"  # games of the course's own players against students' programs
ENGINE_GAMES = FOLDER / "engine_games.xz"  # games of GNU Go; `littlego dev selfplay` adds to it
OWN_GAMES = FOLDER / "own_games.xz"  # games of ours against GNU Go, made in the same way
STEMS = {"little-go": "patterns", "match": "patterns.match"}  # of the names of patterns files, by their rulesets


def patterns_name(ruleset: str, ending: str) -> str:
    """Return the name of the patterns file for positions of a ruleset, by its name; ending: `yaml` or `txt`."""
    return STEMS[game_of(ruleset)] + "." + ending


def game_of(ruleset: str) -> str:
    """Return the game of a ruleset, which the ruleset's name begins with: `match` for `match-9`."""
    return next(game for game in STEMS if ruleset.startswith(game))
