"""Similar programs of a class, found by comparing the programs' tokens.

A high percentage is a reason to compare two programs by eye, not proof of copying.

Pygments splits the sources into tokens, and rapidfuzz compares the sequences of tokens. Comments, docstrings, layout,
the author's identifiers and the text of strings do not count, so renaming and reformatting do not hide a similarity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from littlego.files import read_limited
from littlego.grading.classroom.submissions import SOURCES

LEAST = 60  # minimum tokens of a compared program: shorter programs resemble each other by chance
MOST = 20_000  # maximum number of compared tokens of a program
LARGEST = 2_000_000  # maximum bytes of a compared source


class Pair(NamedTuple):
    """The keys of two similar programs, and their similarity in percent."""

    first: str
    second: str
    percent: int


def similar_pairs(programs: Mapping[str, Sequence[str]], least_percent: float) -> list[Pair]:
    """Return the pairs of programs with a similarity of at least `least_percent`, most similar first.

    programs: {key: paths of the program's files}. The function skips programs with fewer than LEAST tokens, and
    compares two programs only by their sources in the main language of the first program.
    """
    from rapidfuzz.distance import Indel

    tokens = {key: tokens_of(paths) for key, paths in programs.items()}
    compared = {key: found for key, found in tokens.items() if sum(map(len, found.values())) >= LEAST}
    pairs = []
    for first, second in combinations(compared, 2):
        one, other = compared[first], compared[second]
        language = max(one, key=lambda suffix: len(one[suffix]))
        if len(other.get(language, ())) < LEAST:
            continue
        share = Indel.normalized_similarity(one[language], other[language], score_cutoff=least_percent / 100)
        if share >= least_percent / 100:
            pairs.append(Pair(first, second, int(100 * share)))
    return sorted(pairs, key=lambda pair: (-pair.percent, pair.first, pair.second))


def tokens_of(paths: Sequence[str]) -> dict[str, list[str]]:
    """Return {suffix: tokens} for the sources of a program; skip unreadable sources."""
    found: dict[str, list[str]] = {}
    for path in sorted(paths):
        suffix = Path(path).suffix
        if suffix in SOURCES:
            try:
                text = read_limited(path, LARGEST).decode("utf-8", "replace")
            except OSError:
                continue
            found[suffix] = [*found.get(suffix, []), *_tokens(text, suffix)][:MOST]
    return found


def _tokens(text: str, suffix: str) -> list[str]:
    from pygments.lexers import CppLexer, JavaLexer, PythonLexer
    from pygments.token import Comment, Keyword, Name, String, Text

    lexer = {".py": PythonLexer, ".cpp": CppLexer, ".java": JavaLexer}[suffix]()
    tokens: list[str] = []
    for kind, value in lexer.get_tokens(text):
        if kind in Comment or kind in Text or kind in String.Doc or not value.strip():
            continue
        if kind in String:
            if tokens[-1:] != ["'"]:  # a string has several tokens
                tokens.append("'")
        elif kind in Name and kind not in Name.Builtin or kind in Keyword.Type:
            tokens.append("name")
        else:
            tokens.append(value)
    return tokens
