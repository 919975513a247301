"""Patterns files as an editor reads them: as YAML 1.2, checked only by the JSON Schema."""

from __future__ import annotations

import re
from functools import lru_cache

import yaml
from jsonschema import Draft7Validator

from littlego.knowledge.reference import schema


class _Loader(yaml.SafeLoader):
    """PyYAML with the core schema of YAML 1.2, in which `no` and `1:30` are text and `0o7` is a number."""


_CORE = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
)
_Loader.yaml_implicit_resolvers = {}
for _name, _shape, _first in _CORE:
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(f"^(?:{_shape})$"), _first)


def _integer(loader: _Loader, node: yaml.ScalarNode) -> int:
    text = node.value
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


_Loader.add_constructor("tag:yaml.org,2002:int", _integer)


@lru_cache(maxsize=1)
def _validator() -> Draft7Validator:
    Draft7Validator.check_schema(schema())
    return Draft7Validator(schema())


def complaints(text: str) -> list[str]:
    """Return the errors that an editor shows for a text, each as `path: message`, or only the YAML error."""
    try:
        document = yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError) as error:
        return [f"YAML: {error}"]
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {_message(error)}" for error in _validator().iter_errors(document)
    ]


def _message(error) -> str:
    schema_here = error.schema if isinstance(error.schema, dict) else {}
    return schema_here.get("patternErrorMessage") or schema_here.get("errorMessage") or error.message
