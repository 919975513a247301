"""The terms of a game in words: for records that other programs show, which know our rulesets by no name."""

from __future__ import annotations

from rules.ruleset import SUPERKO, Ruleset
from tools.games.match import MatchRuleset


def terms_text(ruleset: Ruleset) -> str:
    """Return what is counted, how long a game is, and what ends it, in one line."""
    komi = f"{ruleset.komi2 / 2:g}"
    if isinstance(ruleset, MatchRuleset):
        counted = f"stones, territory and prisoners count, and White gets {komi}; nothing is removed as dead"
        ends = "two passes end it"
        passing = "a pass hands a stone over as a prisoner" if ruleset.pass_stones else "a pass costs nothing"
        ko = "no move makes an earlier board with the same player to move again (situational superko)"
    else:
        counted = f"stones alone count, and White gets {komi}"
        ends = f"it ends after {ruleset.length} moves, passes included, or with two passes"
        passing = "a pass as the first move ends it" if ruleset.opening_pass_ends else "a pass costs nothing"
        ko = "superko" if ruleset.ko == SUPERKO else "simple ko"
    return f"Rules {ruleset.name}: {counted}; {ends}; {passing}; {ko}; no suicide."
