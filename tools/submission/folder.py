"""The folder that is handed in: what goes into it, and how it comes to its place, whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rules import patternfile
from rules.overrides import OverridesError
from rules.turn import COUNTS, INPUT, OUTPUT
from tools.knowledge import overrides
from tools.submission.flatten import MADE_BY, PLAYER, PREFIX, CannotFlatten, flat_sources

PATTERNS, OVERRIDES = "patterns.txt", overrides.NAME
LEFT_BY_PLAY = (INPUT, OUTPUT, COUNTS, "__pycache__")  # what a game in the folder leaves behind


class CannotSubmit(Exception):
    """Why there is nothing to hand in; the text says what was found and what to do."""


def handed_in(root: Path) -> dict[str, bytes]:
    """Return {file name: bytes} of all that is handed in, by name; the same sources give the same bytes.

    root: the repository's folder. Raise CannotSubmit where patterns.txt is stale, it or overrides.txt is damaged, or
    a source is unusable.
    """
    files = player_files(root)
    check_patterns(root)
    check_overrides(root)
    return files


def player_files(root: Path) -> dict[str, bytes]:
    """Return the same files without a look at how fresh patterns.txt is. There need be no overrides.txt."""
    try:
        files = flat_sources(root)
        files[PATTERNS] = (root / PATTERNS).read_bytes()
        if (root / OVERRIDES).is_file():
            files[OVERRIDES] = (root / OVERRIDES).read_bytes()
    except CannotFlatten as error:
        raise CannotSubmit(str(error)) from error
    except (OSError, SyntaxError) as error:
        raise CannotSubmit(f"a source cannot be read: {error}") from error
    return dict(sorted(files.items()))


def check_patterns(root: Path) -> None:
    """Raise CannotSubmit unless patterns.txt is exactly what patterns.yaml compiles to now."""
    from tools.knowledge.compiler import compile_text  # needs PyYAML; the command line says what to install

    source = root / "patterns.yaml"
    try:
        patternfile.load(str(root / PATTERNS))
        data, problems, _ = compile_text(source.read_bytes(), source.name)
        found = (root / PATTERNS).read_bytes()
    except patternfile.BadPatternFile as error:
        reason = str(error).replace(str(root / PATTERNS), PATTERNS)
        raise CannotSubmit(f"{reason}: run `littlego compile`") from error
    except OSError as error:
        raise CannotSubmit(f"cannot read {Path(error.filename).name}: {error.strerror}") from error
    if data is None:
        first = f"{problems[0]}" + (f" (and {len(problems) - 1} more)" if len(problems) > 1 else "")
        raise CannotSubmit(f"{source.name} does not compile: {first}")
    if data != found:
        raise CannotSubmit(f"{PATTERNS} is not what {source.name} compiles to: run `littlego compile`")


def check_overrides(root: Path) -> None:
    """Raise CannotSubmit unless every record of an overrides.txt, if there is one, is in order."""
    try:
        if (root / OVERRIDES).exists():
            overrides.read(root / OVERRIDES)
    except OverridesError as error:
        raise CannotSubmit(f"{OVERRIDES} is damaged ({error}): make it anew") from error
    except OSError as error:
        raise CannotSubmit(f"cannot read {OVERRIDES}: {error.strerror}") from error


def write_files(files: dict[str, bytes], folder: Path) -> None:
    """Write the files into an existing folder."""
    for name, data in files.items():
        (folder / name).write_bytes(data)


def check_target(out: Path) -> None:
    """Raise CannotSubmit where a submission may not go: only a new place, an empty folder or an earlier submission."""
    if not out.parent.is_dir():
        raise CannotSubmit(f"{out}: there is no folder {out.parent} to put it in")
    if not out.exists():
        if out.is_symlink():
            raise CannotSubmit(f"{out}: a link to nothing; remove it or choose another place")
        return
    if not out.is_dir():
        raise CannotSubmit(f"{out}: exists and is no folder")
    if out in (Path.cwd(), *Path.cwd().parents):
        raise CannotSubmit(f"{out}: the current folder cannot be replaced while you are in it; name another one")
    if any(out.iterdir()) and not _earlier(out):
        strangers = sorted(path.name for path in out.iterdir() if not _may_go(path))
        found = f"holds {strangers[0]}" if strangers else f"holds a {PLAYER} that `littlego submit` did not make"
        raise CannotSubmit(f"{out}: {found}; expected a new or an empty folder, or an earlier submission")


def _earlier(out: Path) -> bool:
    try:
        made = (out / PLAYER).read_bytes().startswith(MADE_BY)
    except OSError:
        return False
    return made and all(_may_go(path) for path in out.iterdir())


def _may_go(path: Path) -> bool:
    """Return whether a file of an earlier submission is one that this command made, or that playing there left."""
    name = path.name
    if name in LEFT_BY_PLAY:
        return True
    ours = name in (PLAYER, PATTERNS, OVERRIDES, overrides.FORMER_NAME) or (
        name.startswith(PREFIX) and name.endswith(".py")
    )
    return ours and path.is_file()


@contextmanager
def beside(out: Path) -> Iterator[Path]:
    """Give a new folder on the same file system as `out`, and remove what is left of it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put_in_place(files: dict[str, bytes], out: Path) -> None:
    """Make `out` a folder of exactly these files, replacing an empty folder or an earlier submission whole.

    Raise CannotSubmit (see check_target), or OSError; `out` is then what it was.
    """
    out = Path(os.path.realpath(out)) if out.exists() else out.absolute()
    check_target(out)
    with beside(out) as work:
        made, old = work / "made", work / "old"
        made.mkdir()
        write_files(files, made)
        if out.exists():
            os.rename(out, old)
        try:
            os.rename(made, out)
        except BaseException:
            if old.exists():
                os.rename(old, out)
            raise
