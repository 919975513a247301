"""Rulesets: objects with the constants of a game. LITTLE_GO is the ruleset of the course's game."""

from __future__ import annotations

SIMPLE_KO, SUPERKO = "simple", "superko"


class Ruleset:
    """The constants of a game of Go.

    name: the name in patterns.yaml and patterns.txt. size: points per side, 2 to 19. komi2: White's compensation in
    half points (komi 2.5 is 5), so that scores stay ints. length: moves in a whole game, passes included, or 0 for no
    limit. ko: SIMPLE_KO (no return to the board before the opponent's last move) or SUPERKO (no return to any earlier
    board). opening_pass_ends: whether a pass as the first move of a game ends the game.
    """

    __slots__ = ("name", "size", "komi2", "length", "ko", "opening_pass_ends")

    def __init__(
        self, name: str, size: int, komi2: int, length: int, ko: str = SIMPLE_KO, opening_pass_ends: bool = True
    ) -> None:
        self.name = name
        self.size = size
        self.komi2 = komi2
        self.length = length
        self.ko = ko
        self.opening_pass_ends = opening_pass_ends


def little_go(size: int = 5) -> Ruleset:
    """Return the course's rules for a size x size board: komi size/2 and size*size-1 moves.

    The course itself plays on 5x5 only, and the patterns, overrides and proofs are for this size.
    """
    name = "little-go" if size == 5 else "little-go-%d" % size
    return Ruleset(name, size, komi2=size, length=size * size - 1)


LITTLE_GO = little_go()
