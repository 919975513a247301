"""Tests that the pattern language's reference pages, generated from declarations, are up to date."""

from __future__ import annotations

from littlego.knowledge.keys import PATTERN_KEYS
from littlego.knowledge.reference import PAGES, refresh
from littlego.rules.facts import FACTS

TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)


def test_the_pages_are_up_to_date():
    assert refresh(TEXT) == TEXT, "run `littlego dev regenerate tables`"


def test_every_key_and_every_fact_has_a_row():
    assert all(f"| `{name}` |" in TEXT for name in PATTERN_KEYS)
    assert all(f"| `{name}" in TEXT and fact.promise in TEXT for name, fact in FACTS.items())


def test_a_stale_table_is_rebuilt():
    stale = TEXT.replace("| `doubt` |", "| `dubt` |")
    assert stale != TEXT and refresh(stale) == TEXT
