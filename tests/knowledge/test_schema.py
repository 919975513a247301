"""Tests that the editors' schema is up to date, documents each key, and is named in patterns.yaml."""

from __future__ import annotations

import json
import re

import pytest
from drawn_patterns import FILE, changed
from editor_yaml import complaints
from knowledge_files import ROOT, YAML

from littlego.cli.main import main
from littlego.knowledge.keys import EXAMPLE_KEYS, EXAMPLES_KEYS, FILE_KEYS, PATTERN_KEYS
from littlego.knowledge.model import CLASSES
from littlego.knowledge.programs import sizes_text, usage
from littlego.knowledge.reference import SCHEMA, schema, schema_text
from littlego.rules.facts import FACTS

LISTS = ("examples that match", "examples that do not match")


def parts(found, name: str = ""):
    """Yield (key, value) for all nested members of a schema."""
    yield name, found
    for key, value in found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ():
        yield from parts(value, str(key))


def test_the_committed_file_is_what_the_declarations_make():
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), "run `littlego dev schema`"


def test_patterns_yaml_names_it():
    first = YAML.read_text(encoding="utf-8").splitlines()[0]
    named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert named and (ROOT / named[1]).samefile(SCHEMA)


def test_the_shipped_patterns_are_in_order():
    assert complaints(YAML.read_text(encoding="utf-8")) == []
    assert complaints(FILE) == []


def test_every_key_is_known_and_explained_where_it_belongs():
    made = schema()
    definitions = made["definitions"]
    places = [(made, FILE_KEYS), (definitions["pattern"], PATTERN_KEYS), (definitions["examples"], EXAMPLES_KEYS)]
    places += [(definitions[name]["items"], EXAMPLE_KEYS) for name in LISTS]
    for found, declared in places:
        assert list(found["properties"]) == list(declared)
        assert found["additionalProperties"] is False
        for name, key in declared.items():
            assert found["properties"][name]["markdownDescription"].startswith(key.meaning)


def test_every_class_can_be_completed_with_its_meaning():
    found = schema()["definitions"]["pattern"]["properties"]["class"]
    assert dict(zip(found["enum"], found["enumDescriptions"], strict=True)) == CLASSES


@pytest.mark.parametrize("key", ["points", "when"])
def test_every_fact_is_shown_with_its_promise_and_can_be_completed(key):
    found = schema()["definitions"]["pattern"]["properties"][key]
    offered = found.get("items", found)["defaultSnippets"]
    for name, fact in FACTS.items():
        sizes = f" (boards of {sizes_text(name)})" if sizes_text(name) else ""
        assert f"| `{usage(name)}` | {fact.promise}{sizes} |" in found["markdownDescription"]
        assert {"label": usage(name), "description": fact.promise + sizes, "body": usage(name)} in offered


def test_no_key_is_suggested_twice():
    declared = schema()["definitions"]["pattern"]["properties"]
    for name, found in parts(schema()):
        if name == "properties" and found is not declared:
            assert all("markdownDescription" in value or value.get("doNotSuggest") for value in found.values())


def test_it_holds_no_second_grammar():
    assert not any(name in ("pattern", "if", "not") for name, value in parts(schema()) if not isinstance(value, dict))


@pytest.mark.parametrize(
    "old, new, wanted",
    [
        ("class: capture", "class: captures", "patterns/0/class: 'captures' is not one of"),
        ("priority: 900", "prio: 900", "'prio' was unexpected"),
        ("priority: 900", "priority: many", "patterns/0/priority: 'many' is not of type 'integer'"),
        ("    summary:", "    tag:", "'summary' is a required property"),
        ("          move: 2,2\n", "", "patterns/0/examples/matches/0: 'move' is a required property"),
        ("    diagram: |\n      O *\n", "", "is not valid under any of the given schemas"),
    ],
)
def test_an_editor_says_what_is_wrong_and_where(old, new, wanted):
    said = complaints(changed(old, new))
    assert any(wanted in line for line in said), said


def test_the_command_writes_it_and_checks_it(tmp_path, capsys):
    output = tmp_path / "schema.json"
    assert main(["dev", "schema", "--check", "-o", str(output)]) == 1
    assert "run `littlego dev schema`" in capsys.readouterr().err
    assert main(["dev", "schema", "-o", str(output)]) == 0
    assert json.loads(output.read_text(encoding="utf-8")) == schema()
    assert main(["dev", "schema", "--check", "-o", str(output)]) == 0
    output.write_bytes(b"\xff")
    assert main(["dev", "schema", "--check", "-o", str(output)]) == 1
    assert main(["dev", "schema", "-o", str(tmp_path / "no" / "schema.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 2
