"""The rules of the game and the rule engine in a form that numba compiles: for walks over millions of positions.

What is compiled is kept in .cache/numba, one folder for each state of the sources: numba's own cache would not notice
that a function in another file has changed.
"""

from tools.cache import FOLDER, code_digest

SOURCES = ("tools/compiled", "tools/solver/search.py", "tools/solver/table.py", "tools/solver/winning.py", "rules")


def _keep_compiled_code() -> None:
    from numba import config

    config.CACHE_DIR = str(FOLDER / "numba" / code_digest(*SOURCES))


_keep_compiled_code()
