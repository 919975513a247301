"""A copy of the repository that resembles a fresh clone and uses the installed dependencies."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE_PACKAGES = [path for path in sys.path if path.endswith("site-packages")]  # where the project's dependencies are


def clone_to(folder: Path) -> None:
    """Copy the files that git tracks, or would track after `git add`, to a folder."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def clean_environment(home: Path, *programs: Path) -> dict[str, str]:
    """Return a new user's environment variables, with the folders `programs` first in PATH.

    No variable refers to the repository, and pip installs without downloads.
    """
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    path = os.pathsep.join([*map(str, programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    pip = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return {
        **kept,
        **pip,
        "PATH": path,
        "HOME": str(home),
        "COLUMNS": "80",
        "PYTHONPATH": os.pathsep.join(SITE_PACKAGES),
    }
