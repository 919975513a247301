"""Tests that neither the studio nor a command runs code from a stranger's folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from studio_server import LONGEST, SMALL, own_cache, running_studio

pytestmark = pytest.mark.thorough

POSITION = "X.O../...../...../...../..... white"
# Names that Python, its packages, pytest, numba or our own code could import or run from the current folder.
IMPORTED = (
    "sitecustomize", "usercustomize", "conftest", "click", "yaml", "numpy", "numba", "starlette", "uvicorn", "json",
    "multiprocessing", "watchfiles", "my_player3", "host", "GO", "trap",
)  # fmt: skip
PACKAGES = "littlego", "rules", "tools"
HOOKS = "post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"


@pytest.fixture
def canary(tmp_path_factory) -> Path:
    """The path of the file to which every trap writes."""
    return tmp_path_factory.mktemp("canary") / "canary"


@pytest.fixture
def trapped(tmp_path, canary) -> Path:
    """A patterns.yaml in a git repository full of traps."""
    path, trap = tmp_path / "patterns.yaml", f"open({str(canary)!r}, 'a').write(__file__ + '\\n')\n"
    shutil.copy(SMALL, path)
    settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run(["git", *settings, *words], cwd=tmp_path, check=True)
    for name in IMPORTED:
        (tmp_path / f"{name}.py").write_text(trap)
    for name in PACKAGES:
        (tmp_path / name).mkdir()
        for module in ("__init__", "__main__"):
            (tmp_path / name / f"{module}.py").write_text(trap)
    (tmp_path / "trap.pth").write_text(f"import os; {trap}")
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: .\ndisable_jit: 1\ncache_locator_classes: trap.Locator\n")
    script = f"#!/bin/sh\necho $0 >> {canary}\nexit 1\n"
    for name in (*(f".git/hooks/{hook}" for hook in HOOKS), "git", "gnugo", "filter.sh"):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    program = str(tmp_path / "filter.sh")
    keys = ("core.fsmonitor", "core.pager", "core.sshCommand", "gpg.program", "diff.external", "filter.x.smudge",
            "filter.x.clean", "diff.x.textconv", "credential.helper", "core.gitProxy", "core.alternateRefsCommand",
            "core.editor")  # fmt: skip
    for key in keys:
        subprocess.run(["git", "config", key, program], cwd=tmp_path, check=True)
    subprocess.run(["git", "config", "log.showSignature", "true"], cwd=tmp_path, check=True)
    (tmp_path / ".git" / "info" / "attributes").write_text("* filter=x diff=x\n")
    return path


INSTALLED = [str(Path(sys.executable).with_name("littlego"))]


def run(words: list[str], folder: Path, begin: list[str] = INSTALLED) -> str:
    """Run a command in a folder, and return the output, including errors."""
    command = [*begin, *words]
    environment = {**os.environ, **own_cache(folder.parent / f"{folder.name}-cache")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=LONGEST * 5)
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def test_the_traps_work(trapped, canary):
    """git and Python run the traps when they are used directly."""
    subprocess.run(["git", "status"], cwd=trapped.parent, check=True, capture_output=True)
    assert "filter.sh" in canary.read_text()
    subprocess.run([sys.executable, "-c", "import trap"], cwd=trapped.parent, check=True, capture_output=True)
    assert "trap.py" in canary.read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["test"],
        ["compile"],
        ["diff", "HEAD:patterns.yaml", "patterns.yaml"],
        ["diff", ":patterns.yaml", "patterns.yaml"],
        ["explain", "board.txt"],
        ["play", "--black", "HEAD:patterns.yaml", "--white", "ours", "--brief"],
        ["coverage", "--games", "1", "-j", "2"],
    ],
    ids=" ".join,
)
def test_no_command_runs_anything_of_a_strangers_folder(trapped, canary, words):
    (trapped.parent / "board.txt").write_text("X . O . .\n" + ". . . . .\n" * 4)
    run(words, trapped.parent)
    assert not canary.exists(), canary.read_text()


def test_the_module_imports_nothing_of_a_strangers_folder_except_a_package_of_its_own_name(trapped, canary):
    """Python itself imports a package of this name from the folder, before any code of ours runs."""
    shutil.rmtree(trapped.parent / "littlego")
    run(["test"], trapped.parent, [sys.executable, "-m", "littlego"])
    assert not canary.exists(), canary.read_text()


def test_the_studio_runs_nothing_of_a_strangers_folder(trapped, canary):
    """The user opens the folder, and then checks, compares, compiles and plays."""
    with running_studio(trapped, "--player", "greedy", installed=True) as studio:
        for method in ("check", "outline", "players", "game_files", "page_files"):
            studio.ask(method)
        studio.ask("decision", position=POSITION)
        for kind, parameters in (
            ("diff", {"against": "HEAD"}),
            ("compile", {}),
            ("play_out", {"game": "little-go;", "black": "this file", "white": "ours"}),
        ):
            status, job = studio.request(f"/api/jobs/{kind}", parameters)
            assert status == 200, job
            assert '"done"' in studio.stream(f"/api/jobs/{job['job']}/events")
        studio.request("/api/edit", {"revision": 1, "changes": [{"from": 0, "to": 0, "insert": "#"}]})
        digest = studio.request("/api/state")[1]["digest"]
        assert studio.request("/api/save", {"revision": 2, "digest": digest})[0] == 200
    assert not canary.exists(), canary.read_text()
