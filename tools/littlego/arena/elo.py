"""How much stronger one player is, in logistic Elo, and the sequential test whether it is stronger at all.

The two games of a pair share an opening, which may favour a colour: their results are no two independent draws. The
five counts of pairs with 0, 1/2, 1, 3/2 and 2 points are, so the error is taken from them (`results.pentanomial`).

The test stops as soon as the answer is known with errors agreed on beforehand: the generalised sequential probability
ratio test over pairs of games, as the testers of chess engines use it. Each hypothesis says what share of the points a
player takes; how the shares spread over the five outcomes of a pair is left open, and taken as likely as the counts
allow. Theory: M. Van den Bergh, "Comments on normalized Elo" and "The support of the MLE of multinomials",
cantate.be/Fishtest (normalized_elo_practical.pdf, support_MLE_multinomial.pdf).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

from littlego.shares import CONFIDENCE

SCALE = 400  # Elo for odds of 10 to 1
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the two points of a pair, in the order of the counts
FEWEST = 10  # pairs from which a standard error says anything
NOT_ENOUGH = "not enough games"
UNSEEN = 1e-3  # pairs counted for an outcome never seen, as fishtest and fastchess do: it may still come
H0, H1 = "H0", "H1"


class Estimate(NamedTuple):
    """A difference in Elo, above 0 if the first player is stronger, and the limits of its interval."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.elo:+z.1f} ({self.low:+z.1f} to {self.high:+z.1f})"


def share_of(elo: float) -> float:
    """Return the share of the points, 0 to 1, that a player so much stronger takes."""
    return 1 / (1 + 10 ** (-elo / SCALE))


def elo_of(share: float) -> float:
    """Return the difference in Elo at which a player takes that share of the points; between 0 and 1, both excluded."""
    return SCALE * log10(share / (1 - share))


def estimate(counts: Sequence[int], confidence: float = CONFIDENCE) -> Estimate | None:
    """Return the difference that five counts of pairs show; None where they are too few for finite error bars.

    The limits are those of the mean share by its standard error, put on the Elo scale. There are none for fewer than
    FEWEST pairs, for pairs that all ended alike, and where a limit leaves the shares that have an Elo.
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
    """Return the estimate in words, or why there is none."""
    difference, pairs = estimate(counts), sum(counts)
    if difference:
        return str(difference)
    if pairs >= FEWEST and max(counts) == pairs:
        points = 2 * SHARES[list(counts).index(pairs)]
        return f"{NOT_ENOUGH} that differ (all {pairs} pairs ended {points:g}-{2 - points:g})"
    return NOT_ENOUGH


class Hypothesis(NamedTuple):
    """Two differences in logistic Elo to decide between.

    H0: the first player is elo0 stronger or less. H1: it is elo1 stronger or more. alpha: the share of tests that may
    accept H1 where H0 is true; beta: H0 where H1 is true.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __str__(self) -> str:
        return f"H0: {self.elo0:+g} Elo or less, H1: {self.elo1:+g} Elo or more"


class Verdict(NamedTuple):
    """Where a test stands.

    llr: the log of how much likelier the games are under H1. It runs between lower and upper; at either, a hypothesis
    is accepted: "H0", "H1", or "" as long as it is open.
    """

    llr: float
    lower: float
    upper: float
    accepted: str

    def __str__(self) -> str:
        return f"{self.llr:+z.2f} ({self.lower:.2f} to {self.upper:.2f})"


def find_fault(hypothesis: Hypothesis) -> str:
    """Return what makes a hypothesis no test, or ''."""
    elo0, elo1, alpha, beta = hypothesis
    if not -1000 <= elo0 < elo1 <= 1000:
        return f"elo0 {elo0:g} and elo1 {elo1:g}: expected elo0 below elo1, both between -1000 and 1000"
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        return f"alpha {alpha:g} and beta {beta:g}: expected both above 0 and below 0.5"
    return ""


def verdict(counts: Sequence[int], hypothesis: Hypothesis) -> Verdict:
    """Return where the test stands after so many pairs with 0, 1/2, 1, 3/2 and 2 points for the first player."""
    alpha, beta = hypothesis.alpha, hypothesis.beta
    lower, upper = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    llr = likelihood_ratio(counts, share_of(hypothesis.elo0), share_of(hypothesis.elo1))
    return Verdict(llr, lower, upper, H0 if llr <= lower else H1 if llr >= upper else "")


def likelihood_ratio(counts: Sequence[int], share0: float, share1: float) -> float:
    """Return the log of the pairs' likelihood if the mean share of points is share1, less that if it is share0."""
    if not sum(counts):
        return 0.0
    seen = [count or UNSEEN for count in counts]
    whole = fsum(seen)
    shares_seen = [count / whole for count in seen]
    tilts = [_tilt(shares_seen, share) for share in (share0, share1)]
    # The likeliest outcomes are those seen divided by 1 + tilt * (points - share), so the counts themselves cancel.
    return fsum(
        count * log((1 + tilts[0] * (points - share0)) / (1 + tilts[1] * (points - share1)))
        for count, points in zip(seen, SHARES, strict=True)
    )


def _tilt(seen: Sequence[float], share: float) -> float:
    """Return the tilt with which the outcomes seen have a given mean.

    seen: the shares of the five outcomes, none 0. Dividing each by 1 + tilt * (points - share) gives the likeliest
    distribution with that mean; the tilt lies where none of them exceeds 1.
    """
    from scipy.optimize import brentq

    offs = [points - share for points in SHARES]
    low = max((part - 1) / off for part, off in zip(seen, offs, strict=True) if off > 0)
    high = min((part - 1) / off for part, off in zip(seen, offs, strict=True) if off < 0)

    def excess(tilt: float) -> float:
        return fsum(part * off / (1 + tilt * off) for part, off in zip(seen, offs, strict=True))

    return float(brentq(excess, low, high, xtol=1e-15, rtol=1e-14))


def verdict_text(counts: Sequence[int], hypothesis: Hypothesis) -> str:
    """Return what the test says, for people."""
    answer = verdict(counts, hypothesis)
    if answer.accepted == H1:
        return f"H1 accepted: over {hypothesis.elo0:g} Elo stronger" if hypothesis.elo0 else "H1 accepted: stronger"
    if answer.accepted == H0:
        return f"H0 accepted: not {hypothesis.elo1:g} Elo stronger"
    return f"{NOT_ENOUGH} to decide"
