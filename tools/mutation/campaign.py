"""All mutants of many patterns on several processes. Each result is kept at once: a stopped run goes on there."""

from __future__ import annotations

from collections.abc import Sequence

from tools.mutation.pins import Pin
from tools.mutation.trial import SURVIVED, Fate, Request, fates_of, laboratory, pins_of
from tools.parallel import each, with_progress


def fates_of_all(text: str, filename: str, ids: Sequence[str], jobs: int, cached: bool = True) -> list[Fate]:
    """Return the fates of the mutants of some patterns of a file, in the order of the ids.

    With fewer patterns than processes, each process takes a share of the recorded positions.
    """
    laboratory(text, filename)  # before the processes are made, so that they need not make their own
    shares = max(1, jobs // max(len(ids), 1))
    requests = [Request(text, filename, name, share, shares, cached) for name in ids for share in range(shares)]
    tried = each(fates_of, requests, min(jobs, len(requests)) or 1)
    found: dict[str, list[Fate]] = {}
    for request, fates in with_progress(tried, len(requests), "pattern"):
        found[request.pattern] = _merged(found[request.pattern], fates) if request.pattern in found else fates
    return [fate for name in ids for fate in found[name]]


def pins_of_all(text: str, filename: str, survivors: Sequence[Fate], jobs: int) -> dict[tuple[str, str], Pin]:
    """Return by (pattern, mutant) the boards that would kill these survivors, where one was found."""
    names: dict[str, set[str]] = {}
    for fate in survivors:
        names.setdefault(fate.pattern, set()).add(fate.name)
    wanted = [(Request(text, filename, pattern), frozenset(found)) for pattern, found in names.items()]
    tried = each(_pins, wanted, min(jobs, len(wanted)) or 1)
    found = {}
    for (request, _), pins in with_progress(tried, len(wanted), "pattern"):
        found.update({(request.pattern, name): pin for name, pin in pins.items()})
    return found


def _pins(wanted: tuple[Request, frozenset[str]]) -> dict[str, Pin]:
    return pins_of(*wanted)


def _merged(fates: list[Fate], others: list[Fate]) -> list[Fate]:
    """Return what became of the same mutants in two shares: one that survived in both survived."""
    return [other if fate.fate == SURVIVED else fate for fate, other in zip(fates, others, strict=True)]
