"""The galleries of the site: all shipped patterns, each with a link into the playground."""

from __future__ import annotations

from littlego.cli.arguments import ArgumentError
from littlego.editor.entries import Entries
from littlego.editor.links import BASES, link_to
from littlego.editor.positions import position_text
from littlego.judging.gallery.atlas import card_of, page_of_cards
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.problems import in_one_line


def gallery(ruleset: str, playground: str) -> str:
    """Return the gallery page for the shipped patterns of a ruleset.

    playground: the address of the playground relative to the gallery page. Raise ArgumentError if the patterns have a
    mistake.
    """
    path = BASES[ruleset]
    text = path.read_text(encoding="utf-8")
    entries = Entries(text, path.name)
    _, problems, base = compile_text(text, str(path), with_examples=False)
    if problems:
        raise ArgumentError(in_one_line(problems))
    cards = [card_of(pattern, base, playground + _fragment(pattern, entries, ruleset)) for pattern in base.patterns]
    return page_of_cards(cards, path.name)


def _fragment(pattern: KnownPattern, entries: Entries, ruleset: str) -> str:
    """Return the URL fragment of a pattern, with the board of its first matching example, if any."""
    boards = [position_text(example.position()) for example in pattern.examples if example.must_fire]
    entry = entries.cut.text_of(entries.entry(pattern.id))
    return f"#v1={link_to(entry, boards[0] if boards else '', ruleset).text()}"
