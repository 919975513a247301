"""Tests of the wheel: built, installed into an empty environment, and used outside of the repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from bubblewrap import needs_bubblewrap
from es_modules import import_map
from fresh_clone import ROOT, SITE_PACKAGES, clean_environment, clone_to

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built in a copy of the repository, since building leaves files behind."""
    folder = tmp_path_factory.mktemp("source")
    clone_to(folder)
    return build_wheel(folder, tmp_path_factory.mktemp("wheels"))


def build_wheel(source: Path, wheels: Path) -> Path:
    """Build the wheel of a folder or an sdist, and return the wheel's path."""
    build = "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(wheels), str(source)
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", *build], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = wheels.iterdir()
    return made


def link_dependencies(packages: Path) -> None:
    """Link the project's dependencies into the folder where pip would put them."""
    for path in SITE_PACKAGES:
        for one in Path(path).iterdir():
            is_ours = "littlego" in one.name or (packages / one.name).exists()
            if not is_ours and one.suffix != ".pth":
                (packages / one.name).symlink_to(one)


class Installed:
    """An environment with the wheel installed, and an author's folder."""

    def __init__(self, wheel: Path, folder: Path):
        self.folder, self.work, self.home = folder / "env", folder / "work", folder / "home"
        venv.create(self.folder)
        python = str(self.folder / "bin" / "python")
        install = "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)
        done = subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", *install], timeout=300)
        assert done.returncode == 0
        (self.packages,) = self.folder.glob("lib/python*/site-packages")
        link_dependencies(self.packages)
        for path in (self.work, self.home):
            path.mkdir()
        self.before = self.files()

    def files(self) -> dict[str, bytes]:
        """Return all of our installed files, without Python's own caches."""
        installed = (path for path in self.packages.rglob("*") if path.is_file() and not path.is_symlink())
        paths = [path for path in installed if path.suffix != ".pyc"]
        return {str(path): path.read_bytes() for path in paths}

    def run(self, *words: str, status: int = 0, folder: str = ".") -> str:
        """Run `littlego` in the environment and return its output, including errors."""
        with self.start(*words, folder=folder) as process:
            said, _ = process.communicate(timeout=300)
        assert process.returncode == status, said
        assert str(ROOT) not in said
        return said

    def python(self, *words: str, folder: str = ".") -> subprocess.CompletedProcess[str]:
        """Run the environment's Python."""
        return subprocess.run(
            [str(self.folder / "bin" / "python"), *words],
            cwd=self.work / folder,
            env=clean_environment(self.home, self.folder / "bin"),
            capture_output=True,
            text=True,
            timeout=120,
        )

    def start(self, *words: str, folder: str = ".") -> subprocess.Popen[str]:
        """Start `littlego` in the environment, with standard error merged into standard output."""
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
    """The wheel's environment; the author's folder is `mine`. No command may change installed files."""
    made = Installed(wheel, tmp_path_factory.mktemp("installed"))
    assert "littlego check" in made.run("init", "mine", "--small")
    yield made
    assert made.files() == made.before


def test_it_has_all_that_is_not_python_and_no_test(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = [path for path in (ROOT / "tools" / "littlego").rglob("*") if path.is_file()]
    shipped = {path.relative_to(ROOT / "tools").as_posix() for path in wanted if path.suffix != ".pyc"}
    player = {"my_player3.py", "patterns.yaml", "patterns.txt", "overrides.txt"}
    player |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "rules").glob("*.py")}
    assert shipped | {f"littlego/{name}" for name in player} <= names
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"littlego", next(top for top in tops if top.endswith(".dist-info"))}


def test_the_sdist_builds_the_same_wheel(wheel, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    clone_to(source)
    code = "from setuptools.build_meta import build_sdist; print(build_sdist('..'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    assert contents(build_wheel(archive, tmp_path / "wheels")) == contents(wheel)


def contents(wheel: Path) -> dict[str, bytes]:
    """Return {name: bytes} of a wheel's files."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_one_name_is_new_in_site_packages(installed):
    new = {path.name for path in installed.packages.iterdir() if not path.is_symlink()}
    assert {name for name in new if not re.match(r"(pip|setuptools)\b|__pycache__", name)} == {
        "littlego",
        next(name for name in new if name.startswith("littlego-") and name.endswith(".dist-info")),
    }
    for name in ("tools", "rules"):
        done = installed.python("-c", f"import {name}")
        assert done.returncode == 1 and f"No module named '{name}'" in done.stderr


def test_a_user_s_own_tools_and_rules_are_left_alone(installed):
    """Our modules do not import a user's `tools` and `rules`, and the user's modules do not import ours.

    The user's modules lie beside the script, in the environment and in the current folder.
    """
    ours = "import littlego, littlego.rules.engine; print(littlego.decide(littlego.Board.empty()).move)"
    theirs = "import tools, tools.part, rules; print(tools.part.NAME, rules.NAME, tools.__file__)"
    folder = installed.work / "theirs"
    for place in (folder, installed.packages):
        (place / "tools").mkdir(parents=True)
        (place / "tools" / "__init__.py").write_text("")
        (place / "tools" / "part.py").write_text("NAME = 'theirs'")
        (place / "rules.py").write_text("NAME = 'too'")
    try:
        for code in (f"{ours}; {theirs}", f"{theirs}; {ours}"):
            (folder / "script.py").write_text(code)
            done = installed.python("script.py", folder="theirs")
            assert done.returncode == 0 and "(2, 2)" in done.stdout, done.stderr
            assert f"theirs too {folder}" in done.stdout
        (folder / "tools" / "part.py").write_text("raise SystemExit('theirs was run')")
        (folder / "rules.py").write_text("raise SystemExit('theirs was run')")
        assert "Black (ours) wins" in installed.run(
            "play", "--black", "ours", "--white", "greedy", "--brief", folder="theirs"
        )
        assert installed.python("-m", "littlego", "facts", folder="theirs").returncode == 0
    finally:
        shutil.rmtree(installed.packages / "tools")
        shutil.rmtree(installed.packages / "__pycache__", ignore_errors=True)
        (installed.packages / "rules.py").unlink()


def test_a_checkout_on_a_path_with_a_space_is_installed_for_editing(tmp_path):
    checkout, target = tmp_path / "my checkout", tmp_path / "env"
    checkout.mkdir()
    clone_to(checkout)
    venv.create(target)
    (packages,) = target.glob("lib/python*/site-packages")
    link_dependencies(packages)  # setuptools builds the package
    python = str(target / "bin" / "python")
    install = "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(checkout)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", *install], capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    code = "import littlego; print(littlego.decide(littlego.Board.empty()).move, littlego.__file__)"
    done = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout == f"(2, 2) {checkout}/tools/littlego/__init__.py\n", done.stderr


def test_the_author_s_own_patterns_are_checked_tested_and_compiled(installed):
    assert "8 patterns, no fault" in installed.run("check", folder="mine")
    assert "23 of 23 examples hold" in installed.run("test", folder="mine")
    compiled = (installed.work / "mine" / "patterns.txt").read_bytes()
    (installed.work / "mine" / "patterns.txt").unlink()
    installed.run("compile", folder="mine")
    assert (installed.work / "mine" / "patterns.txt").read_bytes() == compiled


def test_the_player_explains_itself_with_all_its_patterns(installed):
    shipped = installed.packages / "littlego" / "patterns.txt"
    said = installed.run("explain", "board.txt", "--patterns", str(shipped), folder="mine")
    assert "Chosen: 2,3 rather than 1,0: connect-against-the-cut +21, " in said


def test_the_gallery_is_written_where_it_is_asked_for(installed):
    installed.run("dev", "gallery", "patterns.yaml", "-o", "page", folder="mine")
    assert "<svg" in (installed.work / "mine" / "page" / "index.html").read_text()


@pytest.mark.parametrize("ours", ["ours", "my_player3"])
def test_games_are_played(installed, ours):
    said = installed.run("play", "--black", ours, "--white", "greedy", "--brief")
    assert f"Black ({ours}) wins" in said and "2,2 rather than 1,1: open-in-the-centre (priority 950" in said


def test_our_patterns_are_not_compiled_where_they_are(installed):
    shipped = installed.packages / "littlego" / "patterns.yaml"
    said = installed.run("compile", str(shipped), status=2)
    assert "part of the installed package; `littlego init FOLDER` creates a folder of your own" in said


def test_the_api_is_installed(installed):
    code = "import littlego; print(littlego.decide(littlego.Board.empty()).move)"
    python = [str(installed.folder / "bin" / "python"), "-c", code]
    done = subprocess.run(python, cwd=installed.work, capture_output=True, text=True, timeout=60)
    assert done.stdout == "(2, 2)\n", done.stderr


def test_the_studio_serves_all_of_its_page_from_the_wheel(installed):
    with installed.start("studio", "--no-open", folder="mine") as process:
        lines = (re.search(r"(http://\S+/)#token=(\S+)", line) for line in process.stdout)
        url, token = next(filter(None, lines)).groups()
        page = fetch(url).decode()
        static = ROOT / "tools" / "littlego" / "studio" / "static"
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


# A program that passes; if it finds anything of ours by import, path or name, it reports this and plays an illegal
# move.
CANARY = """
import os, sys
OURS = {"last_resort.py", "patternfile.py", "patterns.match.txt", "patterns.match.yaml", "overrides.txt"}
def look():
    found = []
    for name in ("littlego", "rules", "littlego.rules.engine"):
        try: module = __import__(name)
        except ImportError: continue
        found += [module.__file__] * bool(module.__file__)  # not an empty folder in the place of our package
    for place, below, names in os.walk("/"):
        if place == "/": below[:] = [name for name in below if name not in ("proc", "sys", "dev", "game")]
        found += [os.path.join(place, name) for name in OURS & set(names)]
        if os.path.basename(place) == "littlego" and "__init__.py" in names: found.append(place)
    return found
found = [] if os.path.exists("looked") else look()
open("looked", "w").close()
sys.stderr.write("found %s" % found[:5] if found else "")
open("output.txt", "w").write("9,9" if found else "PASS")
"""


def system_python(folder: Path, wheel: Path) -> Path:
    """Return a copy of the interpreter with the wheel and its dependencies installed."""

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    skipped = shutil.ignore_patterns("site-packages", "__pycache__", "test", "idlelib", "share")
    shutil.copytree(sys.base_prefix, folder, symlinks=True, copy_function=link, ignore=skipped)
    (library,) = folder.glob("lib/python3*/os.py")
    packages = library.parent / "site-packages"
    packages.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    link_dependencies(packages)
    return folder / "bin" / "python3"


@needs_bubblewrap
@pytest.mark.parametrize("kind", ["wheel", "named", "pipx", "editable", "system"])
def test_a_program_sees_nothing_of_ours_in_any_installation(kind, installed, wheel, tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "my_player3.py").write_text(CANARY)
    command, player = [str(installed.folder / "bin" / "littlego")], "folder:theirs"
    if kind == "named":
        player = f"folder:python={installed.folder / 'bin' / 'python'}:theirs"
    elif kind == "pipx":
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "littlego").symlink_to(installed.folder / "bin" / "littlego")
        command = [str(tmp_path / "bin" / "littlego")]
    elif kind == "editable":
        command = [sys.executable, "-m", "littlego"]
    elif kind == "system":
        command = [str(system_python(tmp_path / "python", wheel)), "-m", "littlego"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LITTLEGO_SANDBOX": "bwrap"}  # no Python 3.7
    words = [*command, "play", "--black", player, "--white", "random", "--seed", "1"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert " wins by " in done.stdout and "found" not in done.stdout + done.stderr, done.stdout + done.stderr
