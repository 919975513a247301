"""The reference of the pattern language is made from the declarations, and is up to date."""

from __future__ import annotations

from rules.facts import FACTS
from tools.knowledge.keys import PATTERN_KEYS
from tools.knowledge.reference import PAGE, refresh

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_is_up_to_date():
    assert refresh(TEXT) == TEXT, "run `littlego dev regenerate tables`"


def test_it_tells_every_key_and_every_fact():
    assert all(f"| `{name}` |" in TEXT for name in PATTERN_KEYS)
    assert all(f"| `{name}" in TEXT and fact.promise in TEXT for name, fact in FACTS.items())


def test_a_stale_table_is_made_anew():
    stale = TEXT.replace("| `doubt` |", "| `dubt` |")
    assert stale != TEXT and refresh(stale) == TEXT
