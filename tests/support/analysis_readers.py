"""Readers of engines' analysis lines, written according to the source code of Sabaki and Lizzie."""

from __future__ import annotations

import re


def sabaki(line: str) -> list:
    """Return (move, visits, percent, lead, pv) of each move of a line, as Sabaki 0.60 reads it.

    A move has key-value pairs, then `pv` with its vertices. A winrate with a decimal point is a fraction; other
    winrates are hundredths of a percent. Moves that are not points are dropped, and each pv ends before its first pass.
    """
    moves = []
    for text in re.split(r"\s*info\s+", line)[1:]:
        pv = re.search(r"(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*$", text.strip())
        assert pv, text
        *pairs, last = text[: pv.start()].split()
        assert last == "pv" and len(pairs) % 2 == 0
        told = dict(zip(pairs[::2], pairs[1::2], strict=True))
        winrate = float(told["winrate"])
        if re.fullmatch(r"[A-Za-z]\d+", told["move"]):
            lead = float(told["scoreLead"]) if "scoreLead" in told else None
            percent = winrate * 100 if "." in told["winrate"] else winrate / 100
            moves.append((told["move"], int(told["visits"]), percent, lead, pv[0].split("pass")[0].split()))
    return moves


def lizzie(line: str) -> list:
    """Return (move, visits, percent, pv) of each move as Lizzie 0.7.4 reads Leela Zero's dialect.

    The dialect has single spaces and whole numbers, and everything after `pv` is the variation.
    """
    moves = []
    assert line.startswith("info ")
    for text in line[len("info") :].split(" info "):
        words, told = text.strip().split(" "), {}
        while words[0] != "pv":
            told[words[0]] = words[1]
            del words[:2]
        assert re.fullmatch(r"\d+", told["winrate"]) and re.fullmatch(r"\d+", told["visits"])
        moves.append((told["move"], int(told["visits"]), int(told["winrate"]) / 100, words[1:]))
    return moves
