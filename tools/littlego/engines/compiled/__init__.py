"""The rules of the game and the rule engine in a form that numba compiles: for walks over millions of positions.

What is compiled is kept in .cache/numba, one folder for each state of the sources: numba's own cache would not notice
that a function in another file has changed. The folder of a module with compiled functions is named after what that
module and all below it in the import graph mean, so an edit elsewhere, or of words alone, costs no compiling.
"""

from functools import cache
from pathlib import Path

from littlego.cache import FOLDER, PrivateFolderError, make_private
from littlego.cli.arguments import ArgumentError
from littlego.meaning import is_ours, meaning_of

BELOW = "littlego.engines.compiled"


def keep_apart(module: str) -> None:
    """Let numba keep what is compiled next in the folder for functions of this module.

    Raise ArgumentError where others can write there: numba unpickles what it finds, and so runs it.
    """
    try:
        make_private(FOLDER)
    except PrivateFolderError as error:
        raise ArgumentError(f"{error.filename} {error.strerror}") from None
    except OSError:  # nothing can be kept there; numba says so where it matters
        pass
    from numba import config

    config.CACHE_DIR = folder_of(module)  # type: ignore[attr-defined]


@cache
def folder_of(module: str) -> str:
    """Return the folder for the compiled functions of a module; those of tests may call any in truth/solver too."""
    return str(FOLDER / "numba" / meaning_of(BELOW, module if is_ours(module) else "littlego.truth.solver")[:32])


def is_kept(module: str) -> bool:
    """Return whether functions of a module were compiled before; where not, its first use takes a while."""
    return Path(folder_of(module)).is_dir()


keep_apart(BELOW)
