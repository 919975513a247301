"""Characters that look like an ASCII character, and their Unicode names.

Look-alikes come from pasted text, automatic curly quotes and non-Latin keyboard layouts. Patterns files and drawn
boards depend on exact characters, so messages must distinguish characters that look the same. This module runs
on Python 3.7.
"""

from __future__ import annotations

import unicodedata

# Look-alike -> the ASCII character that the look-alike resembles. Unicode normal forms cover further look-alikes, such
# as full-width characters.
_TAKEN_FOR = {
    # Cyrillic first, then Greek.
    **dict(zip("АВЕЅІЈКМНОРСТХҮҒаеорсухіјѕһԁԛԝ", "ABESIJKMHOPCTXYFaeopcyxijshdqw")),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυ", "ABEZHIKMNOPTYXaivopu")),
    **dict.fromkeys("“”„‟«»″〝〞", '"'),
    **dict.fromkeys("‘’‚‛‹›′´", "'"),
    **dict.fromkeys("‐‑‒–—―−─━", "-"),
    **dict.fromkeys("│┃║¦ǀ∣❘", "|"),
    **dict.fromkeys("┼╋", "+"),
    **dict.fromkeys("∗⁎✱✳⚹", "*"),
    **dict.fromkeys("·•∙⋅・。", "."),
    **dict.fromkeys("✕✖❌╳", "X"),
    **dict.fromkeys("○◯⚪⭕", "O"),
    **dict.fromkeys("∶ː˸", ":"),
    **dict.fromkeys("،、", ","),
}


def taken_for(character: str) -> str:
    """Return the ASCII character that a look-alike resembles, or '' for other characters.

    White space outside ASCII resembles a space. The result for an ASCII character is ''.
    """
    if character.isascii():
        return ""
    normal = unicodedata.normalize("NFKC", character)
    is_plain = len(normal) == 1 and normal.isascii() and normal.isprintable()
    return normal if is_plain else " " if character.isspace() else _TAKEN_FOR.get(character, "")


def is_invisible(character: str) -> bool:
    """Return whether a character is an invisible format character, such as a zero-width space."""
    return unicodedata.category(character) == "Cf"


def code_point(character: str) -> str:
    """Return a character's code point and name, such as `U+041E CYRILLIC CAPITAL LETTER O`."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def describe_lookalike(text: str) -> str:
    """Return a description of a text's first look-alike or invisible character, or '' if there is none.

    A text that is a single non-ASCII character is always described.
    """
    alone = len(text) == 1
    odd = next(
        (
            character
            for character in text
            if taken_for(character) or is_invisible(character) or alone and not character.isascii()
        ),
        "",
    )
    if not odd:
        return ""
    meant = taken_for(odd)
    shown = "" if alone else "it contains " if is_invisible(odd) or meant == " " else f"`{odd}` is "
    instead = f" instead of {f'`{meant}`' if meant != ' ' else 'a space'}" if meant else ""
    return f"{shown}{code_point(odd)}{instead}"
