"""Tests that pyproject.toml, test.sh, the workflow and the pre-commit hooks agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
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


def test_there_are_two_extras():
    assert set(PROJECT["optional-dependencies"]) == {"cluster", "test"}
    assert all(re.search(r"[=~]=\d+\.\d+", find("test", tool)) for tool in ("mypy", "ruff", "vermin"))


def find(extra: str, name: str) -> str:
    """Return an extra's requirement of a package."""
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


def test_only_the_job_that_publishes_may_ask_for_a_token():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"]
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "build": None,
        "publish": {"id-token": "write"},
    }
