"""The compiler from patterns.yaml to patterns.txt.

The compiler reports the mistakes of all patterns in one run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from littlego.engines.books import source_digest
from littlego.knowledge import fields
from littlego.knowledge.boards import read_examples
from littlego.knowledge.diagrams import Diagram, Labels, read_diagram, read_labels
from littlego.knowledge.examples import problem_of, run_examples
from littlego.knowledge.expressions import ExpressionError, Node, Number, parse, start
from littlego.knowledge.keys import EXAMPLES_KEYS, FILE_KEYS, PATTERN_KEYS, RULESETS, keys_of
from littlego.knowledge.model import (
    CLASSES,
    MATCHES,
    NO_MATCH,
    TODO_MATCH,
    TODO_NO_MATCH,
    Example,
    KnowledgeBase,
    KnownPattern,
    Place,
)
from littlego.knowledge.problems import Problem, did_you_mean, quoted
from littlego.knowledge.programs import conjuncts, cost, fold, mistakes, postfix
from littlego.knowledge.sequences import Step, read_replies, read_sequence
from littlego.knowledge.sharing import read_shared
from littlego.knowledge.source import Source, compose
from littlego.knowledge.tablereader import read_phases, read_rows
from littlego.knowledge.tables import EACH, Phases, Points, Row, one_line
from littlego.knowledge.textfile import to_bytes
from littlego.rules.ruleset import LITTLE_GO, Ruleset

_NO_LIST = yaml.SequenceNode("", [])


def compile_text(
    text: str | bytes, filename: str, with_examples: bool = True
) -> tuple[bytes | None, list[Problem], KnowledgeBase]:
    """Return (bytes of patterns.txt, problems, valid patterns) for the text of a patterns file.

    The problems are in file order. The bytes are None if the text has any problem. with_examples: whether to run the
    examples and to report each failing example as a problem.
    """
    source = Source(text if isinstance(text, str) else text.decode("utf-8", "replace"), filename)
    if isinstance(text, bytes):
        _check_encoding(text, source)
    base = read(source)
    problems = list(dict.fromkeys(source.problems))
    if with_examples:
        problems += filter(None, (problem_of(outcome, filename) for outcome in run_examples(base)))
    problems = sorted(replace(problem, excerpt=source.line(problem.line)) for problem in problems)
    return (None if problems else to_bytes(base)), problems, base


def _check_encoding(data: bytes, source: Source) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        source.report(
            len(data[: error.start].decode("utf-8")),
            "P001",
            f"the byte 0x{data[error.start]:02x}",
            expected="UTF-8 text",
            hint="save the file as UTF-8",
        )


def read(source: Source, taken: Mapping[str, int] | None = None) -> KnowledgeBase:
    """Return the valid patterns of a source, and report the mistakes in the source.

    taken: {id: line number} for the ids that are already used elsewhere in the file.
    """
    return read_nodes(source, compose(source), taken)


def read_nodes(source: Source, root: yaml.Node | None, taken: Mapping[str, int] | None = None) -> KnowledgeBase:
    """Return the result of `read` for a source that is already parsed as YAML. root: the source's root node."""
    digest = source_digest(source.text.encode("utf-8", "surrogatepass"))
    if root is None:
        if not source.problems:
            source.report(0, "P005", "an empty file", "`ruleset: little-go`, then `patterns:`")
        return KnowledgeBase(source.filename, LITTLE_GO, digest)
    top = fields.mapping(source, root, FILE_KEYS, "the file") or {}
    for key, declared in FILE_KEYS.items():
        if declared.required and key not in top and isinstance(root, yaml.MappingNode) and not source.repaired:
            source.report_at(root, "P008", f"no `{key}`", f"the key `{key}` at the left margin")
    ruleset = _read_ruleset(source, top)
    phases = read_phases(source, top["phases"], ruleset.length) if "phases" in top else {}
    patterns = _read_patterns(source, top, ruleset, phases, dict(taken or {}))
    shared = read_shared(source, top["shares"], ruleset, patterns, read) if "shares" in top else []
    return KnowledgeBase(source.filename, ruleset, digest, patterns, shared, phases or {})


def _read_ruleset(source: Source, top: dict[str, yaml.Node]) -> Ruleset:
    name = fields.word(source, top["ruleset"], "`ruleset`") if "ruleset" in top else None
    if name is not None and name not in RULESETS:
        source.report_at(
            top["ruleset"],
            "P011",
            f"unknown ruleset {quoted(name)}",
            expected=" or ".join(RULESETS),
            hint=did_you_mean(name, RULESETS),
        )
    return RULESETS.get(name or "", LITTLE_GO)


def _read_patterns(
    source: Source, top: dict[str, yaml.Node], ruleset: Ruleset, phases: Phases | None, lines: dict[str, int]
) -> list[KnownPattern]:
    node = top.get("patterns")
    if node is None or source.repaired and not isinstance(node, yaml.SequenceNode):
        return []
    items = fields.items(source, node, "`patterns`", "`littlego new` prints a first pattern")
    known = keys_of(PATTERN_KEYS, ruleset.name)
    mappings = ((item, fields.mapping(source, item, known, "a pattern")) for item in items)
    readers = (_Reader(source, item, keys, ruleset, phases, lines) for item, keys in mappings if keys is not None)
    return [pattern for reader in readers for pattern in reader.patterns()]


@dataclass
class _Reader:
    """The reader of one entry: a pattern, or a sequence whose moves become patterns."""

    source: Source
    node: yaml.Node
    values: dict[str, yaml.Node]  # the node of each key
    ruleset: Ruleset
    phases: Phases | None  # the file's phases; None if their declaration has mistakes
    lines: dict[str, int]  # the line of each id read so far
    places: dict[str, Place] = field(default_factory=dict)  # the places of labels and conditions
    step: Step | None = None  # the move of a sequence that is being read

    def patterns(self) -> list[KnownPattern]:
        """Return the patterns of the entry, or report the entry's mistakes and return []."""
        known = self.source.count
        line, column = self.source.place(self.node.start_mark.index)
        passes, forbid = self._read_passes(), self._read_flag("forbid")
        name = self._read_id()
        values: dict[str, Any] = {
            "kind": self._read_class(),
            "summary": self._read_value("summary"),
            "priority": self._read_priority(forbid),
            "passes": passes,
            "forbid": forbid,
            "sacrifice": self._read_other_flag("sacrifice", forbid),
            "risk": self._read_other_flag("risk", forbid or passes or self._read_flag("sacrifice")),
            "rare": self._read_value("rare"),
            "doubt": self._read_value("doubt"),
            "tags": self._read_tags(),
            "rulesets": self._read_rulesets(),
        }
        examples = self._read_examples(passes)
        is_sequence = "sequence" in self.values
        drawn = self._read_steps(name, passes) if is_sequence else {name: self._read_drawn_fields(passes)}
        if self.source.count > known:
            return []
        places = {key: self.source.place(node.start_mark.index) for key, node in self.values.items()} | self.places
        values |= {"line": line, "column": column, "places": places, "sequence": name if is_sequence else ""}
        first, *others = (KnownPattern(id=one, examples=[], **values, **shape) for one, shape in drawn.items())
        return [replace(first, examples=examples, companions=tuple(others)), *others]

    def _read_steps(self, name: str, passes: bool) -> dict[str, dict[str, Any]]:
        """Return {id: fields from _read_drawn_fields} for each move that becomes a pattern."""
        for key, hint in (("diagram", "draw the sequence under `sequence`"), ("move", "the drawing shows the moves")):
            if key in self.values:
                self._report(key, "P037", f"`{key}` together with `sequence`", "one of the two", hint)
        drawn = read_sequence(self.source, self.values["sequence"], self.ruleset.size)
        numbers = sorted(drawn or ())
        if "replies" in self.values:
            numbers = read_replies(self.source, self.values["replies"], len(numbers)) if drawn else []
        steps = {}
        for number in numbers if drawn else ():
            self._take_id(f"{name}-{number}" if name else "")
            self.step = drawn[number] if drawn else None
            steps[f"{name}-{number}"] = self._read_drawn_fields(passes)
        return steps

    def _read_drawn_fields(self, passes: bool) -> dict[str, Any]:
        """Return the fields of KnownPattern that depend on the diagram, the labels and the expressions."""
        diagram, labels = self._read_shape(passes)
        points = self._read_points(labels, passes)
        shared = self.values.get("shared_points")
        shared_points = self._read_expression(shared, "`shared_points`", labels, passes) if shared else None
        when_text, conditions = self._read_when(labels, passes)
        conditions.sort(key=lambda condition: cost(condition[0]))
        self._keep_places(labels, [place for _, place in conditions])
        return {
            "rows": diagram.rows if diagram else [],
            "label_rows": labels.rows if labels and labels.symbols else [],
            **points,
            "shared_points": (postfix(shared_points), getattr(shared, "value", "")) if shared_points else (),
            "when": [postfix(condition) for condition, _ in conditions],
            "when_text": when_text,
            "specificity": (diagram.specificity() if diagram else 0) + len(conditions),
        }

    def _keep_places(self, labels: Labels | None, conditions: list[int]) -> None:
        """Record the line and column of each label and condition. conditions: the text index of each condition."""
        for name, index in (labels.indexes if labels else {}).items():
            self.places[f"labels {name}"] = self.source.place(index)
        for number, index in enumerate(conditions):
            self.places[f"when {number}"] = self.source.place(index)

    def _report(self, key: str, code: str, message: str, expected: str = "", hint: str = "") -> None:
        """Report a problem at the value of a key, or at the entry if the key is missing."""
        self.source.report_at(self.values.get(key, self.node), code, message, expected, hint)

    def _read_value(self, key: str, read: Callable[..., str | None] = fields.text, what: str = "") -> str:
        """Return the text of a key's value, or '' for a missing key or an invalid value.

        Report an invalid value and a missing required key.
        """
        if key in self.values:
            return read(self.source, self.values[key], what or f"`{key}`") or ""
        if PATTERN_KEYS[key].required:
            self._report(key, "P008", f"a pattern without `{key}`", f"the key `{key}`")
        return ""

    def _read_flag(self, key: str) -> bool:
        return key in self.values and bool(fields.boolean(self.source, self.values[key], f"`{key}`"))

    def _read_other_flag(self, key: str, excluded: bool) -> bool:
        """Return the value of `sacrifice` or `risk`. excluded: whether another key of the pattern excludes the flag."""
        flag = self._read_flag(key)
        if flag and excluded:
            others = "`forbid`" if key == "sacrifice" else "`forbid`, `sacrifice` or `move: pass`"
            self._report(
                key,
                "P018",
                f"`{key}` together with {others}",
                expected="one of them",
                hint="`forbid` always vetoes the move; the price of `risk` does not apply to a sacrifice or a pass",
            )
        return flag

    def _read_id(self) -> str:
        name = self._read_value("id", fields.name, "the id")
        self._take_id(name)
        return name

    def _take_id(self, name: str) -> None:
        """Record an id, or report that the id is already used."""
        if name in self.lines:
            self._report(
                "id", "P013", f"the id `{name}` is already used", "a unique id", f"line {self.lines[name]} defines it"
            )
        elif name:
            self.lines[name] = self.source.place(self.values["id"].start_mark.index)[0]

    def _read_class(self) -> str:
        kind = self._read_value("class", fields.word)
        if kind and kind not in CLASSES:
            self._report(
                "class",
                "P014",
                f"unknown class {quoted(kind)}",
                expected="one of " + ", ".join(CLASSES),
                hint=did_you_mean(kind, CLASSES),
            )
        return kind

    def _read_priority(self, forbid: bool) -> int:
        if "priority" in self.values:
            bounds = PATTERN_KEYS["priority"].least, PATTERN_KEYS["priority"].most
            return fields.integer(self.source, self.values["priority"], "`priority`", *bounds) or 0
        if not forbid:
            self._report(
                "priority",
                "P008",
                "a pattern without `priority`",
                expected="the key `priority`",
                hint="the highest priority decides; a pattern that only adds points has priority 500",
            )
        return 0

    def _read_passes(self) -> bool:
        word = self._read_value("move", fields.word)
        if word and word != "pass":
            self._report(
                "move", "P017", f"`move` is {quoted(word)}", "`pass`", "a move on the board is the `*` of the diagram"
            )
        return word == "pass"

    def _read_shape(self, passes: bool) -> tuple[Diagram | None, Labels | None]:
        """Return (diagram, labels).

        The diagram is None if it is missing or invalid. The labels are None if the pattern has the key `labels`, but
        its labels or its diagram are invalid.
        """
        size = self.ruleset.size
        if self.step:
            node = self.values.get("labels")
            return self.step.diagram, self.step.labels(self.source, node, size) if node else Labels()
        if "diagram" not in self.values:
            if not passes:
                self._report(
                    "diagram", "P008", "a pattern without `diagram`", "`diagram: |` with one `*`, or `move: pass`"
                )
            if "labels" in self.values:
                self._report("labels", "P029", "`labels` without `diagram`", "the diagram whose points the labels name")
            return None, Labels()
        diagram = read_diagram(self.source, self.values["diagram"], size, passes)
        if "labels" not in self.values:
            return diagram, Labels()
        return diagram, read_labels(self.source, self.values["labels"], diagram, size) if diagram else None

    def _read_points(self, labels: Labels | None, passes: bool) -> dict[str, str]:
        """Return the fields of KnownPattern that describe the points."""
        node = self.values.get("points")
        if node is None:
            return {"points": "0", "points_text": "0", "table": ""}
        rows: tuple[Row, ...] = ()
        tree: Node = Number(0, 0)
        text = getattr(node, "value", "")
        if isinstance(node, yaml.MappingNode):
            rows, text, tree = self._read_table(node, labels, passes)
        else:
            tree = self._read_expression(node, "`points`", labels, passes) or tree
        prices = sum(rows, ()) if rows else ((tree.value,) if isinstance(tree, Number) else ())
        if "risk" in self.values and not (isinstance(tree, Number) and prices and max(prices) < 0):
            self._report(
                "points", "P036", "the price of a risk is not a negative number", "a negative number such as -40"
            )
        points = Points(text, rows, tuple((self.phases or {}).values()))
        return {"points": postfix(tree), "points_text": points.line if rows else text, "table": points.table}

    def _read_table(
        self, node: yaml.MappingNode, labels: Labels | None, passes: bool
    ) -> tuple[tuple[Row, ...], str, Node]:
        """Return (rows, text of `each`, tree of `each`) of a table of points, and report the table's mistakes."""
        rows = read_rows(self.source, node, self.phases) or ()
        if len(self.values.get("rulesets", _NO_LIST).value) > 1 and "shared_points" not in self.values:
            message = "a table of points in a pattern that another ruleset shares"
            self._report("points", "P056", message, "`shared_points`, the points in the other ruleset")
        each = next((value for key, value in node.value if key.value == EACH), None)
        tree = self._read_expression(each, f"`{EACH}`", labels, passes) if each else None
        if each and isinstance(tree, Number):
            hint = f"add {tree.value} to the numbers of the rows"
            self.source.report_at(each, "P056", f"`{EACH}` is a number", "an expression with a fact", hint)
        return rows, one_line(getattr(each, "value", "")), tree or Number(0, 0)

    def _read_when(self, labels: Labels | None, passes: bool) -> tuple[list[str], list[tuple[Node, int]]]:
        """Return the texts of the `when` items, and a list of (condition, text index)."""
        node = self.values.get("when")
        if node is None:
            return [], []
        items = [node] if isinstance(node, yaml.ScalarNode) else fields.items(self.source, node, "`when`")
        texts: list[str] = []
        conditions: list[tuple[Node, int]] = []
        for item in items:
            tree = self._read_expression(item, "a condition", labels, passes)
            texts += [" ".join(item.value.split())] if isinstance(item, yaml.ScalarNode) else []
            places = self.source.indexes(item) if tree and isinstance(item, yaml.ScalarNode) else []
            for condition in conjuncts(tree) if tree else ():
                if isinstance(condition, Number):
                    message = f"a condition that is always {'true' if condition.value else 'false'}"
                    self.source.report_at(item, "P053", message, "a condition with a fact")
                conditions.append((condition, places[start(condition)]))
        return texts, conditions

    def _read_expression(self, node: yaml.Node, what: str, labels: Labels | None, passes: bool) -> Node | None:
        """Return an expression's tree with folded constants, or None after reporting mistakes."""
        if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
            self.source.report_at(
                node, "P040", f"{what} is {fields.kind_of(node)}", "an expression such as `100 * size(A)`"
            )
            return None
        try:
            tree = parse(node.value)
            wrong = list(mistakes(tree, labels.symbols if labels else None, passes, self.ruleset.size))
            if not wrong:
                return fold(tree)
        except ExpressionError as error:
            wrong = [error]
        places = self.source.indexes(node)
        for one in wrong:
            self.source.report(places[min(one.at, len(places) - 1)], one.code, one.message, one.expected, one.hint)
        return None

    def _read_tags(self) -> list[str]:
        if "tags" not in self.values:
            return []
        return [
            fields.name(self.source, item, "the tag") or ""
            for item in fields.items(self.source, self.values["tags"], "`tags`")
        ]

    def _read_rulesets(self) -> tuple[str, ...]:
        """Return the names of the rulesets in which the pattern applies."""
        own, node = self.ruleset.name, self.values.get("rulesets")
        if node is None:
            if "shared_points" in self.values:
                self._report(
                    "shared_points",
                    "P011",
                    "`shared_points` without `rulesets`",
                    "`rulesets`, the rulesets that share the pattern",
                )
            return (own,)
        names = []
        for item in fields.items(self.source, node, "`rulesets`"):
            name = fields.word(self.source, item, "a ruleset")
            if name is not None and name not in RULESETS:
                message, known = f"unknown ruleset {quoted(name)}", " or ".join(RULESETS)
                self.source.report_at(item, "P011", message, known, did_you_mean(name, RULESETS))
            names += [name] if name else []
        if own not in names:
            hint = "or move the pattern to a file of another ruleset"
            self._report("rulesets", "P011", "`rulesets` lacks the file's own ruleset", f"`{own}` in the list", hint)
        return tuple(dict.fromkeys(names))

    def _read_examples(self, passes: bool) -> list[Example]:
        """Return the entry's examples of all kinds. Report a missing key `examples`, `matches` or `no_match`."""
        groups = {key: self.values[key] for key in (TODO_MATCH, TODO_NO_MATCH) if key in self.values}
        if "examples" not in self.values:
            self._report(
                "examples", "P008", "a pattern without `examples`", f"`examples:` with `{MATCHES}` and `{NO_MATCH}`"
            )
        else:
            node = self.values["examples"]
            drawn = fields.mapping(self.source, node, EXAMPLES_KEYS, "`examples`")
            for key in EXAMPLES_KEYS:
                if drawn is not None and key not in drawn:
                    self.source.report_at(
                        node, "P008", f"`examples` without `{key}`", f"at least one example under `{key}`"
                    )
            groups = {**(drawn or {}), **groups}
        return [
            example
            for key, node in groups.items()
            for example in read_examples(self.source, node, key, self.ruleset, passes)
        ]
