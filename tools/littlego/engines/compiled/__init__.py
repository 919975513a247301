"""The rules and the rule engine in a form that numba compiles, to evaluate millions of positions.

The compiled functions of a module are in a folder of littlego's cache. The folder's name is a digest of the code of
this package, of the module, and of all project modules that they import, because numba's own cache would not notice a
change to an imported function. The digest ignores comments and docstrings. An edit to a comment, to a docstring or to a
module that is not imported therefore causes no recompilation.
"""

import os
from functools import cache
from pathlib import Path

from littlego.cache import FOLDER, VARIABLE, PrivateFolderError, make_private
from littlego.cli.arguments import ArgumentError
from littlego.meaning import is_ours, meaning_of

BELOW = "littlego.engines.compiled"


def keep_apart(module: str) -> None:
    """Make numba cache functions in the cache folder of `module` from now on.

    Raise ArgumentError if littlego's cache folder cannot be created, or if other users can write to it: numba unpickles
    the cached files, and unpickling can run arbitrary code.
    """
    try:
        make_private(FOLDER)
    except PrivateFolderError as error:
        raise ArgumentError(f"{error.filename} {error.strerror}") from None
    except OSError as error:
        raise ArgumentError(
            f"cannot create {FOLDER} for compiled code: {error.strerror}; set {VARIABLE} to a folder of your own"
        ) from None
    from numba import config

    config._config_fname = os.devnull  # otherwise numba reads settings from the current folder
    config.reload_config()  # type: ignore[no-untyped-call]
    config.CACHE_DIR = folder_of(module)  # type: ignore[attr-defined]


@cache
def folder_of(module: str) -> str:
    """Return the cache folder for the compiled functions of a module.

    A module outside littlego, such as a test, uses the cache folder of littlego.truth.solver, whose functions it may
    call.
    """
    return str(FOLDER / "numba" / meaning_of(BELOW, module if is_ours(module) else "littlego.truth.solver")[:32])


def is_kept(module: str) -> bool:
    """Return whether the compiled functions of a module are cached; if not, the first calls are slow."""
    return Path(folder_of(module)).is_dir()


keep_apart(BELOW)
