"""Tests that pyproject.toml, test.sh, the workflow and the pre-commit hooks agree."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
LOCK = ROOT / ".github" / "requirements.lock"
SUITE = (ROOT / "test.sh").read_text(encoding="utf-8")


def minor_versions() -> list[str]:
    """Return the Python versions that `requires-python` allows."""
    low, high = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups()
    return [f"3.{minor}" for minor in range(int(low), int(high))]


def test_every_place_names_the_same_versions_of_python():
    named = "Programming Language :: Python :: 3."
    assert [name[len(named) - 2 :] for name in PROJECT["classifiers"] if name.startswith(named)] == minor_versions()
    assert WORKFLOW["jobs"]["suite"]["strategy"]["matrix"]["python"] == minor_versions()
    low, high = re.search(r"\((3, \d+)\) <= sys.version_info < \((3, \d+)\)", SUITE).groups()
    assert PROJECT["requires-python"] == f">={low},<{high}".replace(", ", ".")


def test_there_are_three_extras():
    assert set(PROJECT["optional-dependencies"]) == {"cluster", "test", "zero"}
    assert all(re.search(r"[=~]=\d+\.\d+", find("test", tool)) for tool in ("mypy", "ruff", "vermin"))


def find(extra: str, name: str) -> str:
    """Return the requirement for the package `name` in an extra."""
    (found,) = (one for one in PROJECT["optional-dependencies"][extra] if re.match(rf"{name}\b", one))
    return found


def test_the_workflow_and_the_hooks_run_what_the_suite_and_the_authors_run():
    steps = [step.get("run", "") for job in WORKFLOW["jobs"].values() for step in job["steps"]]
    assert "bash .ci/run" in steps and "littlego check --format github" in steps
    assert "sh test.sh" in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    entries = [hook["entry"] for hook in HOOKS]
    for check in ("ruff check", "ruff format --check", "mypy"):
        assert f".venv/bin/python -m {check}" in SUITE.splitlines()
        assert any(entry.startswith(f".venv/bin/python -m {check}") for entry in entries)
    assert any(entry.startswith(".venv/bin/littlego check") for entry in entries)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_and_may_read_only(path):
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) for name, _ in used)
    assert all(re.fullmatch(r" # v\d+\.\d+\.\d+", version) for _, version in used)
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def jobs_of(name: str) -> dict:
    """Return the jobs of a workflow."""
    return yaml.safe_load((ROOT / ".github/workflows" / name).read_text(encoding="utf-8"))["jobs"]


SYSTEMS = {"Linux": "ubuntu", "macOS": "macos", "Windows": "windows"}  # column of the table -> start of the runner


def test_the_table_of_systems_lists_the_matrix():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, *systems = [cell.strip() for cell in re.search(r"^\| \|(.*)\|$", text, re.M)[0].strip("|").split("|")]
    rows = re.findall(r"^\| (player|wheel), Python (3\.\d+) \|(.*)\|$", text, re.M)
    for job, found in jobs_of("compatibility.yml").items():
        matrix = found["strategy"]["matrix"]
        assert [version for name, version, _ in rows if name == job] == matrix["python"]
        assert [SYSTEMS[system] for system in systems] == [name.partition("-")[0] for name in matrix["os"]]
    assert all(cell.strip() in ("run", "not run") for *_, cells in rows for cell in cells.split("|"))


def test_the_matrix_has_every_supported_version():
    versions = {job: found["strategy"]["matrix"]["python"] for job, found in jobs_of("compatibility.yml").items()}
    newest = int(minor_versions()[-1].partition(".")[2])
    assert versions == {"player": [f"3.{minor}" for minor in range(7, newest + 1)], "wheel": minor_versions()}


def test_the_commands_of_the_table_are_those_of_the_matrix():
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    for job in jobs_of("compatibility.yml").values():
        assert " && ".join(step["run"] for step in job["steps"] if "run" in step) in text


def test_the_nightly_workflow_runs_all_that_the_suite_leaves_out():
    left_out = re.findall(
        r"not (\w+)", tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["addopts"]
    )
    jobs = jobs_of("nightly.yml")
    markers = [marker.partition(" ")[0] for marker in jobs["tests"]["strategy"]["matrix"]["marker"]]
    assert sorted(markers) == sorted(left_out)
    steps = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
    assert any(step.startswith('bash .ci/run -m "$MARKER"') for step in steps)
    assert any(step.startswith("littlego dev attack ") for step in steps)


def test_workflows_pin_one_release_of_each_action():
    pins: dict[str, set[str]] = {}
    for path in WORKFLOWS:
        for name, pin in re.findall(r"uses: ([\w/-]+)@(.*)", path.read_text(encoding="utf-8")):
            pins.setdefault(name, set()).add(pin)
    assert all(len(found) == 1 for found in pins.values())


GRANTED = {
    "release.yml": {"publish": {"id-token": "write"}},
    "pages.yml": {"publish": {"id-token": "write", "pages": "write"}},
}


def test_workflows_name_actions_by_commit_and_may_only_read():
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        used = re.findall(r"uses: (.*)", text)
        assert used and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in used), path
        workflow = yaml.safe_load(text)
        assert workflow["permissions"] == {"contents": "read"}
        granted = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
        assert granted == GRANTED.get(path.name, {})


def locked() -> dict[str, str]:
    """Return the versions in the lock file by normalized name; check that each has hashes."""
    versions = {}
    for entry in re.split(r"\n(?=\S)", LOCK.read_text(encoding="utf-8")):
        if found := re.match(r"([\w.-]+)==([\w.]+)", entry):
            assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), found[1]
            versions[canonicalize_name(found[1])] = found[2]
    return versions


def test_the_lock_has_every_dependency_within_its_bounds():
    versions = locked()
    extras = PROJECT["optional-dependencies"]
    for line in (*PROJECT["dependencies"], *extras["cluster"], *extras["test"]):
        requirement = Requirement(line)
        if requirement.name != "littlego":
            assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), line


def test_the_lock_names_no_registry_and_ci_installs_from_it():
    assert not re.search(r"(?m)^\s*(-i|--\S*(url|link)|--trusted)|://", LOCK.read_text(encoding="utf-8"))
    assert f"LITTLEGO_LOCK-{LOCK.relative_to(ROOT)}" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    for path in WORKFLOWS:  # the wheel is also tried with the newest versions within the bounds
        installs = re.findall(
            r"pip install (?!--require-hashes|--no-deps|[\w-]+==)(.*)", path.read_text(encoding="utf-8")
        )
        assert installs == (["."] if path.name == "compatibility.yml" else []), path


def test_games_of_the_player_are_played_as_the_matrix_plays_them():
    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci/play_games.py"), "1"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 and re.search(r": 12 turns of 1 games$", done.stdout.strip()), done.stderr


def test_only_the_job_that_publishes_may_ask_for_a_token():
    jobs = jobs_of("release.yml")
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "build": None,
        "publish": {"id-token": "write"},
    }
