"""The reader of shared patterns, which come from the file that the key `shares` names."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import yaml

from littlego.cli.arguments import ArgumentError
from littlego.knowledge import fields
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.knowledge.problems import in_one_line, quoted
from littlego.knowledge.revisions import read_near
from littlego.knowledge.source import Source
from littlego.rules.ruleset import Ruleset

Read = Callable[[Source], KnowledgeBase]


def read_shared(
    source: Source, node: yaml.Node, ruleset: Ruleset, own: Sequence[KnownPattern], read: Read
) -> list[KnownPattern]:
    """Return the patterns for a ruleset, without examples, from the file that `shares` names.

    If the other file is unusable, report a problem and return []. Also report each id that both files define. own: the
    patterns that the source itself defines. read: the function compiler.read.
    """
    path = fields.text(source, node, "`shares`")
    if path is None:
        return []
    if os.path.isabs(path):
        source.report_at(node, "P019", f"`shares` is {quoted(path)}", "a path relative to this file's folder")
        return []
    try:
        text = read_near(source.filename, path)
    except ArgumentError as error:
        hint = f"copy {quoted(path)} beside this file, or write its path relative to this file's folder"
        source.report_at(node, "P019", str(error).partition("; expected ")[0], "", hint)
        return []
    other = Source(text.decode("utf-8", "replace"), path)
    base = read(other)
    if other.problems:
        hint = f"correct that file: `littlego check {path}` lists all problems"
        source.report_at(node, "P019", f"the shared file has mistakes: {in_one_line(sorted(other.problems))}", "", hint)
        return []
    lines = {pattern.id: pattern.line for pattern in own}
    shared = [pattern for pattern in base.patterns if pattern.serves(ruleset.name)]
    for pattern in shared:
        if pattern.id in lines:
            message = f"the id `{pattern.id}` is in this file and in {path}"
            hint = f"line {lines[pattern.id]} here, line {pattern.line} there"
            source.report_at(node, "P013", message, "a unique id", hint)
    return [pattern.as_shared() for pattern in shared]
