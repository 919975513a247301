"""Tests of the page's files: vendored files are unchanged, imports exist, and our modules are short."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from es_modules import import_map, imports_of, modules, resolve
from npm_packages import FOLDER, PACKAGES, needs_node, run_node

from littlego.studio.app import STATIC
from littlego.studio.guard import script_hashes
from littlego.studio.vendor import FILES, LICENCES, LIST, VENDOR, file_name, integrity

PAGE = (STATIC / "index.html").read_text(encoding="utf-8")
LISTED = json.loads(LIST.read_text(encoding="utf-8"))
LOCKED = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
MODULES = modules(STATIC)
OURS = {address: source for address, source in MODULES.items() if "/vendor/" not in address}
LONGEST = 400  # maximum number of lines in each of our files


@pytest.mark.parametrize("one", LISTED, ids=lambda one: one["import"])
def test_a_vendored_file_is_that_of_the_locked_package(one):
    lock = LOCKED[f"node_modules/{one['package']}"]
    assert integrity((VENDOR / one["file"]).read_bytes()) == one["integrity"]
    assert (one["version"], one["tarball"], one["licence"]) == (lock["version"], lock["integrity"], lock["license"])
    licence = VENDOR / "licences" / f"{one['package'].lstrip('@').replace('/', '-')}.txt"
    assert "Permission is hereby granted" in licence.read_text() or "Apache License" in licence.read_text()


@needs_node
@pytest.mark.parametrize("one", LISTED, ids=lambda one: one["import"])
def test_npm_s_own_copy_has_the_same_bytes(one):
    """`npm ci` verifies the packages' digests in the lock file."""
    assert (PACKAGES / one["package"] / one["path"]).read_bytes() == (VENDOR / one["file"]).read_bytes()
    licence = next(PACKAGES / one["package"] / name for name in LICENCES if (PACKAGES / one["package"] / name).exists())
    kept = VENDOR / "licences" / f"{one['package'].lstrip('@').replace('/', '-')}.txt"
    assert licence.read_bytes() == kept.read_bytes()


def test_nothing_else_is_vendored():
    assert {one["import"] for one in LISTED} == set(FILES)
    assert {path.name for path in VENDOR.glob("*.js")} == {one["file"] for one in LISTED}
    licences = {f"{package.lstrip('@').replace('/', '-')}.txt" for package, _ in FILES.values()}
    assert {path.name for path in (VENDOR / "licences").iterdir()} == licences


def test_the_import_map_names_one_file_for_each_package():
    assert import_map(PAGE) == {name: f"/static/vendor/{file_name(name)}" for name in FILES}


@pytest.mark.parametrize("address", sorted(MODULES))
def test_every_import_of_every_module_is_found(address):
    found = {name: resolve(name, address, import_map(PAGE)) for name in imports_of(MODULES[address])}
    assert [name for name, target in found.items() if target not in MODULES] == []


def test_imports_are_read_as_browsers_read_them():
    source = """
    import { a, b as c } from "one"; import d from 'two'
    import * as e from "./three.js";
    import "four";
    export { f } from "../five.js";
    export * from "six";
    // import "no-one";
    /* import "no-two"; */
    const text = "import x from nothing";
    const g = await import("/seven.js");
    import {
      h,
    } from "eight";
    """
    names = ["one", "two", "./three.js", "four", "../five.js", "six", "/seven.js", "eight"]
    assert imports_of(source) == names
    assert resolve("../five.js", "/static/views/x.js", {}) == "/static/five.js"
    assert resolve("nine", "/static/x.js", {}) is None


def test_each_vendored_module_imports_what_the_study_says():
    """Test `imports_of` itself, since a function that finds no imports would prove nothing."""
    assert "@codemirror/streamparser" in imports_of((VENDOR / "codemirror-language.js").read_text())
    assert imports_of((VENDOR / "preact-hooks.js").read_text()) == ["preact"]


def test_the_page_asks_for_nothing_elsewhere():
    asked = re.findall(r'(?:src|href)="([^"]*)"', PAGE)
    assert asked and all(one.startswith(("/static/", "data:", "#")) for one in asked)
    for one in asked:
        assert not one.startswith("/static/") or (STATIC / one.removeprefix("/static/")).is_file(), one
    for path in STATIC.rglob("*.css"):
        assert not re.findall(r"@import|url\((?!['\"]?data:)", path.read_text(encoding="utf-8")), path


def test_the_csp_lets_the_import_map_run_and_nothing_else_within_the_page():
    inline = re.findall(r"<script(?![^>]*\bsrc=)", PAGE)
    assert len(inline) == len(script_hashes(PAGE)) == 1
    assert not re.findall(r"\son\w+=|javascript:", PAGE)


@pytest.mark.parametrize("address", sorted(OURS))
def test_our_modules_can_be_read_without_a_build(address):
    source = OURS[address]
    assert source.count("\n") <= LONGEST
    assert source.startswith(("//", "/*")), "what the module is for stands first"


def test_untrusted_text_only_ever_becomes_text():
    """Only one module inserts SVG as markup; Python makes the SVG and escapes its text."""
    allowed = r"dangerouslySetInnerHTML=\$\{\{ __html: \w*[sS]vg\w*"
    for address, source in OURS.items():
        rest = re.sub(allowed, "", source)
        assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", rest), (
            address
        )


@needs_node
def test_the_formatter_would_change_nothing():
    done = subprocess.run(
        ["npm", "run", "--silent", "check", "--prefix", str(FOLDER)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


@needs_node
def test_node_finds_no_mistake_in_our_modules():
    assert run_node("check_modules.js", OURS, "--experimental-vm-modules") == {}
    wrong = run_node("check_modules.js", {"one": "let a = ;", "two": "let a;"}, "--experimental-vm-modules")
    assert list(wrong) == ["one"] and "SyntaxError" in wrong["one"]


def files_of(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def test_only_kinds_of_files_that_the_wheel_takes_are_there():
    """pyproject.toml lists the wheel's files by extension."""
    assert {path.suffix for path in files_of(STATIC)} <= {".css", ".html", ".js", ".json", ".txt", ".svg"}
