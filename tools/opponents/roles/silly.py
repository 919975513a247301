"""The agent that the match's public server brings along to try it: it raises its own score. Runs on Python 3.7.

It plays the move after which its score is highest less the other's, were the game to end there, and never passes
while it is behind; of equal moves it takes any. Written from a description of that server's agent: no code of it is
here. In Little-Go, where stones alone count, that is a player that captures what it can.
"""

from __future__ import annotations

import random

from rules.geometry import points_of
from rules.position import BLACK, PASS, Position
from tools.games.game import margin2


def silly_choices(position: Position) -> list[int]:
    """Return the moves after which the mover's lead is highest, the pass among them only where it leads already."""
    sign = 1 if position.colour == BLACK else -1
    leads = {move: sign * margin2(position.play(move)) for move in points_of(position.legal())}
    if sign * margin2(position) >= 0 or not leads:
        leads[PASS] = sign * margin2(position.play(PASS))
    highest = max(leads.values())
    return [move for move, lead in leads.items() if lead == highest]


def choose_silly(position: Position, rng: random.Random) -> int:
    """Return one of silly's choices, each as likely."""
    return rng.choice(silly_choices(position))
