"""How far off a win rate may be: Wilson's interval for games won out of games played."""

from __future__ import annotations

CONFIDENCE = 0.95  # of every interval that the arena shows


def wilson(wins: int, games: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Return the two limits, 0 to 1, between which the true win rate lies with that confidence; None without games."""
    if not games:
        return None
    from scipy.stats import binomtest  # a second of its own

    interval = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def rate_text(wins: int, games: int) -> str:
    """Return `62.5% (45.8 to 76.8)`: the rate and Wilson's limits, in percent; without games, that there are none."""
    limits = wilson(wins, games)
    if limits is None:
        return "no games"
    low, high = limits
    return f"{100 * wins / games:.1f}% ({100 * low:.1f} to {100 * high:.1f})"
