"""Tests of the pages in docs/: purpose, entry in README.md, and total number of words."""

from __future__ import annotations

import re

import pytest
from fresh_clone import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
MOST_WORDS = 40_000  # limit for all pages together, as counted by `cat docs/*.md | wc -w`


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_states_its_purpose_and_readme_lists_it(page):
    title, purpose = page.read_text(encoding="utf-8").split("\n\n")[:2]
    assert title.startswith("# ") and purpose.startswith("This page ")
    assert f"](docs/{page.name})" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_all_pages_together_have_at_most_40_000_words():
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in PAGES) <= MOST_WORDS


def test_a_table_of_figures_stands_on_the_page_of_results_alone():
    others = [page for page in PAGES if page.name != "results.md"]
    assert not [page.name for page in others if re.search(r"<!-- figures:", page.read_text(encoding="utf-8"))]
