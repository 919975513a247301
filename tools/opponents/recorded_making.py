"""Makes recorded_replies.txt: `python -m tools.opponents.recorded_making`."""

from __future__ import annotations

import sys

from tools.data import REAL_GAMES
from tools.files import write_text
from tools.opponents.fidelity import recorded_decisions
from tools.opponents.recorded import RECORDED
from tools.opponents.replies import key_of, to_text, turned

ABOUT = """What the course's championship player replied in recorded games, and how often; see replies.py.
Made from tools/data/real_games.jsonl by `python -m tools.opponents.recorded_making`."""


def made() -> str:
    """Return the text of recorded_replies.txt."""
    found: dict = {}
    for decision in recorded_decisions(REAL_GAMES, "championship"):
        key, table = key_of(decision.position)
        known = found.setdefault(key, {})
        for move, times in decision.chosen.items():
            image = turned(move, table)
            known[image] = known.get(image, 0) + times
    return to_text(found, ABOUT)


def main() -> int:
    """Write the file."""
    write_text(RECORDED, made())
    return 0


if __name__ == "__main__":
    sys.exit(main())
