"""Characters that are taken for those of a keyboard: which one is meant, and what they really are.

They come in by pasting, by another keyboard layout and by editors that make quotes curly. The pages of a patterns file
and drawn boards are read by what stands there, so a message must tell two characters apart that look the same. Runs on
Python 3.7.
"""

from __future__ import annotations

import unicodedata

# Each look-alike below the character that it is taken for; full-width and the like are known by their normal form.
_TAKEN_FOR = {
    # Cyrillic, then Greek.
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
    """Return the ASCII character that another one looks like, a blank for any white space; '' where there is none."""
    if character.isascii():
        return ""
    normal = unicodedata.normalize("NFKC", character)
    is_plain = len(normal) == 1 and normal.isascii() and normal.isprintable()
    return normal if is_plain else " " if character.isspace() else _TAKEN_FOR.get(character, "")


def is_invisible(character: str) -> bool:
    """Return whether a character takes no room, as a zero-width space does."""
    return unicodedata.category(character) == "Cf"


def code_point(character: str) -> str:
    """Return a character's number and name, as `U+041E CYRILLIC CAPITAL LETTER O`."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def describe_lookalike(text: str) -> str:
    """Return what the first character of a text really is that looks like another or cannot be seen, else ''.

    A text of one character is told by its number and name, if it is no ASCII.
    """
    alone = len(text) == 1
    odd = next((one for one in text if taken_for(one) or is_invisible(one) or alone and not one.isascii()), "")
    if not odd:
        return ""
    meant = taken_for(odd)
    shown = "" if alone else "it holds " if is_invisible(odd) or meant == " " else f"`{odd}` is "
    instead = f" instead of {f'`{meant}`' if meant != ' ' else 'a space'}" if meant else ""
    return f"{shown}{code_point(odd)}{instead}"
