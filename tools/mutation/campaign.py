"""All mutants of many patterns on several processes. Each result is kept at once: a stopped run goes on there."""

from __future__ import annotations

from collections.abc import Sequence

from tools.knowledge.model import Example
from tools.mutation.laboratory import Setup, laboratory
from tools.mutation.pins import pin_of
from tools.mutation.trial import DECISION, Fate, Request, fates_of
from tools.parallel import each, with_progress


def fates_of_all(setup: Setup, ids: Sequence[str], jobs: int, scheduler: str | None = None) -> list[Fate]:
    """Return the fates of the mutants of some patterns, in the order of the ids.

    With fewer patterns than processes, each process takes a share of the recorded positions; on a cluster, see
    tools.cluster, a pattern's mutants are tried together.
    """
    laboratory(setup)  # before the processes are made, so that they need not make their own
    shares = 1 if scheduler else max(1, jobs // max(len(ids), 1))
    requests = [Request(setup, name, share, shares) for name in ids for share in range(shares)]
    tried = each(fates_of, requests, min(jobs, len(requests)), scheduler)
    found: dict[str, list[Fate]] = {}
    for request, fates in with_progress(tried, len(requests), "pattern"):
        found[request.pattern] = _merged(found[request.pattern], fates) if request.pattern in found else fates
    return [fate for name in ids for fate in found[name]]


def _merged(fates: list[Fate], others: list[Fate]) -> list[Fate]:
    """Return what became of the same mutants in two shares: one that survived in both survived."""
    return [fate if fate.fate == DECISION else other for fate, other in zip(fates, others, strict=True)]


def pins_of_all(
    setup: Setup, survivors: Sequence[Fate], jobs: int, scheduler: str | None = None
) -> dict[tuple[str, str], Example]:
    """Return by (pattern, mutant) the boards that would kill these survivors, where one was found."""
    names: dict[str, set[str]] = {}
    for fate in survivors:
        names.setdefault(fate.pattern, set()).add(fate.name)
    wanted = [(Request(setup, pattern), frozenset(found)) for pattern, found in names.items()]
    found: dict[tuple[str, str], Example] = {}
    tried = each(_pins_of, wanted, min(jobs, max(len(wanted), 1)), scheduler)
    for (request, _), pins in with_progress(tried, len(wanted), "pattern"):
        found.update({(request.pattern, name): pin for name, pin in pins.items()})
    return found


def _pins_of(wanted: tuple[Request, frozenset[str]]) -> dict[str, Example]:
    """Return boards that would kill the named mutants of a pattern, where one was found."""
    request, names = wanted
    lab = laboratory(request.setup)
    named = {mutant.name: known for mutant, known in lab.mutants(request.pattern) if mutant.name in names}
    pins = {name: pin_of(lab.patterns[request.pattern], known, lab.corpus) for name, known in named.items()}
    return {name: pin for name, pin in pins.items() if pin is not None}
