"""Python API of a rule-based Little-Go player: positions, the player's decisions and their reasons.

>>> import littlego
>>> board = littlego.Board.from_text('''
...     . . . . .
...     . . O X .
...     . O X X .
...     . . O . .
...     . . . . .''')
>>> decision = littlego.decide(board)
>>> decision.move
(1, 1)
>>> decision.reason.split("; ")[0]
'1,1 rather than 3,3: any-atari-gains-time +27, 7 more +40'

Points are (row, column), counted from 0 at the upper left; a pass is None. In a notebook, boards and decisions are
displayed as drawings. An invalid argument raises a ValueError or a TypeError that says what is expected.

The modules used by `sh build.sh` and by the roles (built-in opponents) also run on Python 3.7. In a checkout, the
player's engine `littlego.rules` lies in rules/ at the repository's root, beside my_player3.py.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from littlego.api import Board, Decision, Move, Point, Reason, decide

__all__ = ["Board", "Decision", "Move", "Point", "Reason", "decide"]  # defined in littlego.api

_HERE = os.path.dirname(os.path.abspath(__file__))
if not os.path.isdir(os.path.join(_HERE, "rules")):  # a checkout, not an installed package
    __path__.append(os.path.dirname(os.path.dirname(_HERE)))


def __getattr__(name: str) -> object:
    """Return the API object with this name. The API is loaded on first use, so that `import littlego` is fast."""
    if name not in __all__:
        raise AttributeError(f"module 'littlego' has no attribute {name!r}")
    from importlib import import_module  # no import statement, so that other modules do not depend on the API

    return getattr(import_module("littlego.api"), name)


def __dir__() -> "list[str]":
    return sorted([*globals(), *__all__])
