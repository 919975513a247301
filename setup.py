"""The build of the package with rules/, the player and its patterns from the repository's root."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
KNOWLEDGE = (
    "patterns.yaml",
    "patterns.txt",
    "patterns.match.yaml",
    "patterns.match.txt",
    "overrides.txt",
    "docs/proof/black.json",
    "docs/proof/white.json",
    "docs/tutorial/first.yaml",
)


class BuildWithPlayer(build_py):
    """A build step that copies files from the repository's root into the package.

    An editable install copies nothing.
    """

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for source, target in self._copies().items():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *map(str, self._copies().values())]

    def _copies(self) -> dict[Path, Path]:
        """Return the copies to make: {source: target}."""
        folder = Path(self.build_lib) / "littlego"
        sources = [
            ROOT / "my_player3.py",
            *filter(Path.is_file, (ROOT / name for name in KNOWLEDGE)),
            *sorted((ROOT / "rules").glob("*.py")),
            ROOT / "rules" / "py.typed",
        ]
        return {source: folder / source.relative_to(ROOT) for source in sources}


setup(cmdclass={"build_py": BuildWithPlayer})
