"""Data that the tools read: solved positions, decisions on record, recorded games (README.md: where each is from)."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
DECISIONS = FOLDER / "decisions.txt"  # what our player plays in recorded positions; `littlego diff --accept` writes it
LABELS = FOLDER / "labels.npz"  # positions with the moves that win them; `littlego label` adds to it
REAL_GAMES = FOLDER / "real_games.jsonl"  # games of the course's own players against students' programs
