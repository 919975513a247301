"""The examples on the documentation pages of problem codes, completed to whole files.

A page shows only the relevant keys, which replace the keys of the same name in drawn_patterns.FILE. `phases` becomes a
key of the file. `# no `KEY`` removes a key. Each list item (`- id:`) is completed to a pattern. ```yaml file``` marks a
whole file, in which `patterns: ...` is replaced by the patterns of FILE. ```yaml latin-1``` sets the encoding.
`<U+0007>` is replaced by the character with this hexadecimal number.
"""

from __future__ import annotations

import re
from textwrap import dedent, indent

from drawn_patterns import FILE

HEAD, BODY = FILE.split("patterns:\n")
Keys = list[tuple[str, str]]  # each key, at the left margin, with its whole text including the key's line


def wrong_and_right(page: str) -> tuple[bytes, bytes]:
    """Return the two files that a page shows: the wrong file, then the corrected file."""
    wrong, right = (whole_file(*found) for found in re.findall(r"^```yaml ?([\w-]*)\n(.*?)^```$", page, re.M | re.S))
    return wrong, right


def whole_file(style: str, fragment: str) -> bytes:
    """Return the complete file of an example."""
    fragment = re.sub(r"<U\+(\w{4})>", lambda found: chr(int(found[1], 16)), fragment)
    if style == "file":
        text = fragment.replace("patterns: ...\n", "patterns:\n" + BODY)
    else:
        phases = "".join(text for name, text in keys_of(fragment) if name == "phases")
        fragment = fragment.replace(phases, "")
        items = [unhung(item) for item in re.split(r"^- ", fragment, flags=re.M)[1:]] or [fragment]
        text = HEAD + phases + "patterns:\n" + "".join(map(entry, items))
    return text.encode("latin-1" if style == "latin-1" else "utf-8")


def unhung(item: str) -> str:
    """Return a list item without its dash, with all lines shifted to the left margin."""
    first, _, rest = item.partition("\n")
    return first + "\n" + dedent(rest)


def entry(fragment: str) -> str:
    """Return the entry of FILE's pattern, with the fragment's keys added or replaced."""
    given = keys_of(fragment)
    names = {name for name, _ in given} | set(re.findall(r"^# no `(\w+)`$", fragment, re.M))
    whole: Keys = []
    for name, text in keys_of(dedent(BODY.replace("- id", "  id", 1))):
        whole += [pair for pair in given if pair[0] == name] if name in names else [(name, text)]
    whole += [pair for pair in given if pair not in whole]
    drawn = "".join(text for _, text in whole)
    return "  - " + indent(drawn, "    ")[4:]


def keys_of(text: str) -> Keys:
    return [(found[1], found[0]) for found in re.finditer(r"^(\w+):.*\n(?:[ \n].*\n?)*", text, re.M)]
