"""Estimates of strength in logistic Elo, and a sequential test of whether a player is stronger.

The two games of a pair share an opening that may favour one colour, so only the results of different pairs are
independent. The standard error is therefore computed from the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points
(`results.pentanomial`).

The test is the generalized sequential probability ratio test over pairs of games, as in tests of chess engines. The
test stops when the log-likelihood ratio reaches a bound computed from the allowed error probabilities. Each hypothesis
states the first player's expected share of the points. For each hypothesis, the test uses the most likely distribution
of a pair's five outcomes that has the stated share as its mean. Michel Van den Bergh describes the theory in "Comments
on normalized Elo" and "The support of the MLE of multinomials" (cantate.be/Fishtest: normalized_elo_practical.pdf and
support_MLE_multinomial.pdf).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

from littlego.shares import CONFIDENCE

SCALE = 400  # Elo for odds of 10 to 1
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # shares of a pair's two points, in the order of the counts
FEWEST = 10  # minimum number of pairs for a meaningful standard error
NOT_ENOUGH = "not enough games"
UNSEEN = 1e-3  # pseudocount for an outcome that has not occurred yet, as in fishtest and fastchess
H0, H1 = "H0", "H1"


class Estimate(NamedTuple):
    """An Elo difference with its confidence interval. If the difference is positive, the first player is stronger."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.elo:+z.1f} ({self.low:+z.1f} to {self.high:+z.1f})"


def share_of(elo: float) -> float:
    """Return the expected share of the points, 0 to 1, for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / SCALE))


def elo_of(share: float) -> float:
    """Return the Elo difference for a share of the points. share: above 0 and below 1."""
    return SCALE * log10(share / (1 - share))


def estimate(counts: Sequence[int], confidence: float = CONFIDENCE) -> Estimate | None:
    """Return the Elo difference with a confidence interval, or None if there are not enough games.

    counts: see verdict. confidence: the confidence level of the interval, between 0 and 1. The limits of the interval
    are the mean share of the points minus and plus the margin of error, converted to Elo. The result is None if there
    are fewer than FEWEST pairs, if all pairs have the same result, or if a limit of the share's interval is not between
    0 and 1.
    """
    pairs = sum(counts)
    if pairs < FEWEST or max(counts) == pairs:
        return None
    share = fsum(count * points for count, points in zip(counts, SHARES, strict=True)) / pairs
    variance = fsum(count * (points - share) ** 2 for count, points in zip(counts, SHARES, strict=True)) / pairs
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(variance / pairs)
    if not 0 < share - reach < share + reach < 1:
        return None
    return Estimate(elo_of(share), elo_of(share - reach), elo_of(share + reach))


def estimate_text(counts: Sequence[int]) -> str:
    """Return the estimate as text, or the reason why there is no estimate."""
    difference, pairs = estimate(counts), sum(counts)
    if difference:
        return str(difference)
    if pairs >= FEWEST and max(counts) == pairs:
        points = 2 * SHARES[list(counts).index(pairs)]
        return f"{NOT_ENOUGH} with different results (all {pairs} pairs ended {points:g}-{2 - points:g})"
    return NOT_ENOUGH


class Hypothesis(NamedTuple):
    """The two hypotheses of a test about the players' difference in Elo, and the test's error rates.

    H0: the first player is stronger by at most elo0 Elo.

    H1: the first player is stronger by at least elo1 Elo.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05  # maximum share of tests that accept H1 although H0 is true
    beta: float = 0.05  # maximum share of tests that accept H0 although H1 is true

    def __str__(self) -> str:
        return f"H0: {self.elo0:+g} Elo or less, H1: {self.elo1:+g} Elo or more"


class Verdict(NamedTuple):
    """The state of a sequential test. The test ends when `llr` reaches `lower` or `upper`."""

    llr: float  # log-likelihood ratio of H1 to H0
    lower: float
    upper: float
    accepted: str  # "H0", "H1", or "" while the test is open

    def __str__(self) -> str:
        return f"{self.llr:+z.2f} ({self.lower:.2f} to {self.upper:.2f})"


def find_fault(hypothesis: Hypothesis) -> str:
    """Return a description of the error in a Hypothesis, or '' if the hypothesis is valid."""
    elo0, elo1, alpha, beta = hypothesis
    if not -1000 <= elo0 < elo1 <= 1000:
        return f"elo0 {elo0:g} and elo1 {elo1:g}: expected elo0 below elo1, both between -1000 and 1000"
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        return f"alpha {alpha:g} and beta {beta:g}: expected both above 0 and below 0.5"
    return ""


def verdict(counts: Sequence[int], hypothesis: Hypothesis) -> Verdict:
    """Return the state of a test. counts: numbers of pairs with 0, 1/2, 1, 3/2 and 2 points for the first player."""
    alpha, beta = hypothesis.alpha, hypothesis.beta
    lower, upper = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    llr = likelihood_ratio(counts, share_of(hypothesis.elo0), share_of(hypothesis.elo1))
    return Verdict(llr, lower, upper, H0 if llr <= lower else H1 if llr >= upper else "")


def likelihood_ratio(counts: Sequence[int], share0: float, share1: float) -> float:
    """Return the log-likelihood ratio of the mean share `share1` to the mean share `share0`. counts: see verdict."""
    if not sum(counts):
        return 0.0
    seen = [count or UNSEEN for count in counts]
    whole = fsum(seen)
    shares_seen = [count / whole for count in seen]
    tilts = [_tilt(shares_seen, share) for share in (share0, share1)]
    # Under each hypothesis, the most likely distribution is the observed distribution divided by
    # 1 + tilt * (points - share). The observed distribution therefore cancels in the ratio.
    return fsum(
        count * log((1 + tilts[0] * (points - share0)) / (1 + tilts[1] * (points - share1)))
        for count, points in zip(seen, SHARES, strict=True)
    )


def _tilt(seen: Sequence[float], share: float) -> float:
    """Return the parameter `tilt` of the maximum-likelihood distribution with the mean `share`.

    seen: the observed frequencies of the five outcomes, all above 0. The distribution divides each frequency by 1 +
    tilt * (points - share); no quotient exceeds 1.
    """
    from scipy.optimize import brentq

    offs = [points - share for points in SHARES]
    low = max((part - 1) / off for part, off in zip(seen, offs, strict=True) if off > 0)
    high = min((part - 1) / off for part, off in zip(seen, offs, strict=True) if off < 0)

    def excess(tilt: float) -> float:
        return fsum(part * off / (1 + tilt * off) for part, off in zip(seen, offs, strict=True))

    return float(brentq(excess, low, high, xtol=1e-15, rtol=1e-14))


def verdict_text(counts: Sequence[int], hypothesis: Hypothesis) -> str:
    """Return a test's state as text: the accepted hypothesis, or `not enough games to decide`."""
    answer = verdict(counts, hypothesis)
    if answer.accepted == H1:
        return f"H1 accepted: over {hypothesis.elo0:g} Elo stronger" if hypothesis.elo0 else "H1 accepted: stronger"
    if answer.accepted == H0:
        return f"H0 accepted: less than {hypothesis.elo1:g} Elo stronger"
    return f"{NOT_ENOUGH} to decide"
