"""Tests of the pages about codes: the wrong example has only the page's code, the corrected one none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checking import checked, codes
from code_pages import wrong_and_right

from littlego.knowledge.codes import CODES, NOTE, SEVERITIES

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "tools" / "littlego" / "knowledge" / "codes"


def found_by(data: bytes, code: str) -> set[str]:
    """Return the codes of a file's faults, and also `code` if the file has a note with this code."""
    return {one for one in codes(checked(data, notes=True)) if CODES[one].severity != NOTE or one == code}


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_a_page_shows_what_it_is_about(code):
    wrong, right = wrong_and_right(code.page())
    assert found_by(wrong, code.name) == {code.name}
    if code.name == "L233":  # no small file uses every fact
        assert "`captures`" in str(checked(wrong, notes=True)) and "`captures`" not in str(checked(right, notes=True))
    else:
        assert found_by(right, code.name) == set()


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_a_page_has_all_its_parts(code):
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", code.page(), flags=re.M | re.S), re.M)
    assert headings == [f"{code.name} {code.title}", "Wrong", "Right", "Why it matters"]
    assert max(map(len, code.page().splitlines())) <= 120 or code.name == "P044"


def test_there_is_no_page_without_a_code():
    assert {page.stem for page in PAGES.glob("*.md")} == CODES.keys()


def test_codes_are_well_formed_and_letters_tell_their_kind():
    for name, code in CODES.items():
        assert re.fullmatch("[PL][0-9]{3}", name) and code.name == name and code.severity in SEVERITIES
        assert len(code.title) <= 50


def test_reports_use_declared_codes_and_every_code_is_reported_somewhere():
    sources = [*PAGES.parent.glob("*.py"), *(PAGES.parent / "lint").glob("*.py")]
    used = {code for path in sources for code in re.findall(r'"([PL]\d{3})"', path.read_text(encoding="utf-8"))}
    assert used == CODES.keys()
