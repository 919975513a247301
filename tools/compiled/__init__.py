"""The rules of the game and the rule engine in a form that numba compiles: for walks over millions of positions.

What is compiled is kept in .cache/numba, one folder for each state of the sources: numba's own cache would not notice
that a function in another file has changed.
"""

from tools.cache import FOLDER
from tools.meaning import meaning_of

CALLED = ("tools.compiled", "tools.solver.search", "tools.solver.search")  # by compiled code in other files


def _keep_compiled_code() -> None:
    from numba import config

    config.CACHE_DIR = str(FOLDER / "numba" / meaning_of(*CALLED)[:32])  # type: ignore[attr-defined]


_keep_compiled_code()
