"""The wheel: built, installed into an empty environment, and used in a folder that knows nothing of the repository."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from es_modules import import_map
from fresh_clone import ROOT, SITE_PACKAGES, clean_environment, clone_to


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of a copy of the repository: building leaves things in the folder."""
    folder, wheels = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels")
    clone_to(folder)
    build = "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(wheels), str(folder)
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", *build], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = wheels.iterdir()
    return made


class Installed:
    """An environment with the wheel, and a folder of an author in it."""

    def __init__(self, wheel: Path, folder: Path):
        self.folder, self.work, self.home = folder / "env", folder / "work", folder / "home"
        venv.create(self.folder)
        python = str(self.folder / "bin" / "python")
        install = "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)
        done = subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", *install], timeout=300)
        assert done.returncode == 0
        (self.packages,) = self.folder.glob("lib/python*/site-packages")
        self._link_what_it_needs()
        for path in (self.work, self.home):
            path.mkdir()
        self.before = self.files()

    def _link_what_it_needs(self) -> None:
        """Put what the project depends on beside it, in the very folder, as pip does."""
        for path in SITE_PACKAGES:
            for one in Path(path).iterdir():
                is_ours = "littlego" in one.name or (self.packages / one.name).exists()
                if not is_ours and one.suffix != ".pth":
                    (self.packages / one.name).symlink_to(one)

    def files(self) -> dict[str, bytes]:
        """Return all that is installed of ours, but for what Python itself keeps beside its modules."""
        installed = (path for path in self.packages.rglob("*") if path.is_file() and not path.is_symlink())
        paths = [path for path in installed if path.suffix != ".pyc"]
        return {str(path): path.read_bytes() for path in paths}

    def run(self, *words: str, status: int = 0, folder: str = ".") -> str:
        """Run `littlego` there and return what it prints, errors included."""
        with self.start(*words, folder=folder) as process:
            said, _ = process.communicate(timeout=300)
        assert process.returncode == status, said
        assert str(ROOT) not in said
        return said

    def start(self, *words: str, folder: str = ".") -> subprocess.Popen[str]:
        """Start `littlego` there, errors in its standard output."""
        return subprocess.Popen(
            ["littlego", *words],
            cwd=self.work / folder,
            env=clean_environment(self.home, self.folder / "bin"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Iterator[Installed]:
    """The wheel's environment; the author's folder is `mine`. No command may change what is installed."""
    made = Installed(wheel, tmp_path_factory.mktemp("installed"))
    assert "littlego check" in made.run("init", "mine", "--small")
    yield made
    assert made.files() == made.before


def test_it_has_all_that_is_not_python_and_no_test(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = [path for folder in ("rules", "tools") for path in (ROOT / folder).rglob("*") if path.is_file()]
    shipped = {path.relative_to(ROOT).as_posix() for path in wanted if path.suffix != ".pyc"}
    player = {"my_player3.py", "patterns.yaml", "patterns.txt", "overrides.txt"}
    player |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "rules").glob("*.py")}
    assert shipped | {f"tools/littlego/records/player/{name}" for name in player} | {"littlego.py"} <= names
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"rules", "tools", "littlego.py", next(top for top in tops if top.endswith(".dist-info"))}


def test_the_author_s_own_patterns_are_checked_tested_and_compiled(installed):
    assert "8 patterns, no fault" in installed.run("check", folder="mine")
    assert "23 of 23 examples hold" in installed.run("test", folder="mine")
    compiled = (installed.work / "mine" / "patterns.txt").read_bytes()
    (installed.work / "mine" / "patterns.txt").unlink()
    installed.run("compile", folder="mine")
    assert (installed.work / "mine" / "patterns.txt").read_bytes() == compiled


def test_the_player_explains_itself_with_all_its_patterns(installed):
    shipped = installed.packages / "tools" / "data" / "player" / "patterns.txt"
    said = installed.run("explain", "board.txt", "--patterns", str(shipped), folder="mine")
    assert "Chosen: 1,1 rather than 3,3: any-atari-gains-time +27, " in said


def test_the_gallery_is_written_where_it_is_asked_for(installed):
    installed.run("dev", "gallery", "patterns.yaml", "-o", "page", folder="mine")
    assert "<svg" in (installed.work / "mine" / "page" / "index.html").read_text()


@pytest.mark.parametrize("ours", ["ours", "my_player3"])
def test_games_are_played(installed, ours):
    said = installed.run("play", "--black", ours, "--white", "greedy", "--brief")
    assert f"Black ({ours}) wins" in said and "2,2 rather than 1,1: open-in-the-centre (priority 950" in said


def test_our_patterns_are_not_compiled_where_they_are(installed):
    shipped = installed.packages / "tools" / "data" / "player" / "patterns.yaml"
    said = installed.run("compile", str(shipped), status=2)
    assert "part of the installed package; `littlego init FOLDER` makes a folder of yours" in said


def test_the_api_is_installed(installed):
    code = "import littlego; print(littlego.decide(littlego.Board.empty()).move)"
    python = [str(installed.folder / "bin" / "python"), "-c", code]
    done = subprocess.run(python, cwd=installed.work, capture_output=True, text=True, timeout=60)
    assert done.stdout == "(2, 2)\n", done.stderr


def test_the_studio_serves_all_of_its_page_from_the_wheel(installed):
    with installed.start("studio", "--no-open", folder="mine") as process:
        url, token = re.search(r"(http://\S+/)#token=(\S+)", process.stdout.readline()).groups()
        page = fetch(url).decode()
        static = ROOT / "tools" / "studio" / "static"
        names = [path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file()]
        assert set(import_map(page).values()) <= {f"/static/{name}" for name in names}
        for name in names:
            assert fetch(f"{url}static/{name}") == (static / name).read_bytes(), name
        state = json.loads(fetch(f"{url}api/state", {"X-Studio-Token": token}))
        assert state["file"] == "patterns.yaml" and state["readonly"] == ""
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0


def fetch(url: str, headers: dict[str, str] | None = None) -> bytes:
    with urlopen(Request(url, headers=headers or {}), timeout=60) as answer:
        return answer.read()
