"""Tests of look-alike characters: finding the intended key, and explaining the difference."""

from __future__ import annotations

import pytest

from littlego.games.lookalikes import describe_lookalike, taken_for

PAIRS = {
    "Cyrillic": ("ХО", "XO"),
    "Greek": ("ΧΟΑ", "XOA"),
    "full width": ("ＸＯ＊．：１（）", "XO*.:1()"),
    "mathematical": ("𝐗𝒪", "XO"),
    "signs": ("∗│—∶“’·", "*|-:\"'."),
    "white space": ("\u00a0\u2003\u3000", "   "),
}


@pytest.mark.parametrize(("foreign", "meant"), PAIRS.values(), ids=PAIRS)
def test_the_key_that_was_meant(foreign, meant):
    assert "".join(map(taken_for, foreign)) == meant


@pytest.mark.parametrize("character", [*map(chr, range(128)), "ö", "●", "碁", "\u200b"])
def test_a_key_itself_and_what_looks_like_none(character):
    assert taken_for(character) == ""


TOLD = {
    "О": "U+041E CYRILLIC CAPITAL LETTER O instead of `O`",
    "\u00a0": "U+00A0 NO-BREAK SPACE instead of a space",
    "\u200b": "U+200B ZERO WIDTH SPACE",
    "碁": "U+7881 CJK UNIFIED IDEOGRAPH-7881",
    "tаke": "`а` is U+0430 CYRILLIC SMALL LETTER A instead of `a`",
    "900\u00a0": "it contains U+00A0 NO-BREAK SPACE instead of a space",
    "ta\u200bke": "it contains U+200B ZERO WIDTH SPACE",
    "take": "",
    "größe": "",
    "O": "",
}


@pytest.mark.parametrize(("text", "told"), TOLD.items())
def test_what_a_character_really_is(text, told):
    assert describe_lookalike(text) == told
