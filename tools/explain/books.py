"""Knowledge files as the commands of this room open them: patterns.txt or patterns.yaml, whole or without a pattern."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from rules.patternfile import BadPatternFile, Book, Pattern, book_of, load
from tools.arguments import BadArgument
from tools.knowledge.problems import did_you_mean

YAML_ENDINGS = (".yaml", ".yml")


def book_from(path: str) -> Book:
    """Return the Book in a patterns.txt, or in a patterns.yaml as it would compile; raise BadArgument."""
    if path.endswith(YAML_ENDINGS):
        from tools.knowledge.textfile import pattern_line

        base, _ = _base(path)
        lines = [pattern_line(pattern) for pattern in base.ranked()]
        return book_of(base.ruleset.name, base.ruleset.size, [Pattern(line) for line in lines])
    try:
        return load(path)
    except BadPatternFile as error:
        raise BadArgument(str(error)) from None


def base_of(path: str):
    """Return the KnowledgeBase behind a knowledge file: of a patterns.txt, the YAML file beside it.

    Where that would compile to something else, say so on standard error. Raise BadArgument where there is none.
    """
    source = path if path.endswith(YAML_ENDINGS) else str(Path(path).with_suffix(".yaml"))
    base, data = _base(source)
    if source != path and Path(path).read_bytes() != data:
        print(f"littlego: {path} is not what {source} compiles to: run `littlego compile`", file=sys.stderr)
    return base


def _base(path: str):
    from tools.knowledge.compiler import compile_text  # the command line says what to install without PyYAML

    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise BadArgument(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    data, problems, base = compile_text(text, path, with_examples=False)
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise BadArgument(f"{str(problems[0]).splitlines()[0]}{more}")
    return base, data


def without(book: Book, ids: Iterable[str]) -> Book:
    """Return the book without these patterns; raise BadArgument for an id that it does not have."""
    known, left_out = [pattern.id for pattern in book.patterns], set(ids)
    for pattern_id in left_out.difference(known):
        hint = did_you_mean(pattern_id, known)
        raise BadArgument(f"no pattern `{pattern_id}`" + (f"; {hint}" if hint else ""))
    return book_of(book.ruleset_name, book.size, [one for one in book.patterns if one.id not in left_out])
