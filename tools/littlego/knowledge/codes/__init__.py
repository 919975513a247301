"""The table of problem codes: P codes for compile errors, L codes for lints.

Each code has a Markdown page in this folder. The page explains the problem, shows a wrong and a corrected example, and
says why the problem matters. A code never changes its meaning, and the number of a removed code is not reused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES = (ERROR, WARNING, NOTE)  # most severe first; notes are shown on request and do not count as findings


@dataclass(frozen=True)
class Code:
    """A kind of problem, with a code, a short title and a severity."""

    name: str
    title: str
    severity: str

    def page(self) -> str:
        """Return the code's page in Markdown."""
        return Path(__file__).with_name(f"{self.name}.md").read_text(encoding="utf-8")


_TITLES = {
    ERROR: """
        P001 not UTF-8
        P002 unprintable character
        P003 broken YAML
        P004 alias, anchor or tag
        P005 empty file
        P006 unknown key
        P007 duplicate key
        P008 missing key
        P009 wrong kind of value
        P010 empty value
        P011 unknown ruleset
        P012 malformed name
        P013 id used twice
        P014 unknown class
        P015 not a whole number in range
        P016 neither true nor false
        P017 `move` of a pattern is not `pass`
        P018 flags that exclude each other
        P019 shared file cannot be used
        P020 ragged diagram
        P021 unknown symbol in a diagram
        P022 misplaced edge
        P023 diagram of edges alone
        P024 diagram does not fit on the board
        P025 no `*` in the diagram
        P026 more than one `*`
        P027 `*` together with `move: pass`
        P028 drawing is not a block literal
        P029 labels without diagram
        P030 labels not aligned with the diagram
        P031 label on the edge of the board
        P032 X or O as a label
        P033 unknown label symbol
        P034 too many labelled points
        P035 one label on different kinds of points
        P036 price of a risk is not a negative number
        P037 sequence that cannot be read
        P038 unresolved merge conflict
        P040 no expression
        P041 expression cannot be read
        P042 chained comparison
        P043 number too large or not whole
        P044 expression too long
        P045 unknown fact
        P046 wrong number of arguments
        P047 argument is not a label
        P048 label used as a number
        P049 unknown label
        P050 fact about a chain applied to an empty point
        P051 fact about a point applied to several points
        P052 `*` in a pattern that passes
        P053 condition without a fact
        P054 fact for boards of another size
        P055 phases out of order
        P056 table of points that does not fit the file
        P060 board of the wrong size
        P061 unknown symbol on a board
        P062 chain without liberties
        P063 malformed move of an example
        P064 move on a stone
        P065 impossible previous board
        P066 moves left do not fit the colour
        P067 unknown colour
        P068 more stones than moves
        P069 impossible last move or prisoners
        P070 example does not fire
        P071 example fires
        L201 can never match
        L202 move is never legal
        L211 condition always false
        """,
    WARNING: """
        L203 shadowed by another pattern
        L204 always forbidden
        L205 duplicate of another pattern
        L206 label never used
        L207 labels without a letter
        L208 two labels on one chain
        L209 fact about a point applied to a stone
        L210 condition always true
        L212 points always 0
        L213 todo example passes
        L214 unfinished summary
        L215 points beyond the scale
        L216 claim that holds on a nearly empty board
        L217 colour or moves left in points
        """,
    NOTE: """
        L230 special case of another pattern
        L231 sometimes forbidden
        L232 same pattern for the other colour
        L233 fact never used
        L234 known doubt
        """,
}
CODES = {
    name: Code(name, title, severity)
    for severity, lines in _TITLES.items()
    for name, title in (line.split(maxsplit=1) for line in lines.strip().splitlines())
}
