"""Positions of a walk to learn from: what today's player meets, with the moves that win there.

Labels come from games of an earlier player against many. A walk has every position that this one can meet, and which of
them it needs on record: those first of all are what its patterns get wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from littlego.cli.arguments import trying_to
from littlego.files import short_name
from littlego.truth.labels.decider import BY_OVERRIDE
from littlego.truth.labels.labels import write_arrays
from littlego.truth.labels.positions import at_stake
from littlego.truth.proof.threads import concatenate
from littlego.truth.proof.values import ALL_MOVES, Values
from littlego.truth.proof.walk import Layer

CHEAP = 8  # moves left up to which all winning moves of a position cost next to nothing
COSTLIER = 4  # times, for every two moves further from the end


def sample_walk(
    layers: Sequence[Layer], values: Values, number: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield (codes, masks of winning moves, weights) of each layer near enough to the end, where a win is at stake.

    Of a layer come all positions in which an override decided or the decision failed, and those where a win is at
    stake among so many others, chosen by its digest. Further from the end than CHEAP fewer others are looked at, as
    each takes longer; further than ALL_MOVES none, and no failures. weight: for how many positions one stands.
    """
    for layer in layers:
        if layer.left > ALL_MOVES:
            continue
        wrong = np.union1d(np.flatnonzero(layer.deciders == BY_OVERRIDE), layer.failing)
        others = np.setdiff1d(np.flatnonzero(layer.won), wrong, assume_unique=True)
        looked_at = number // COSTLIER ** max(0, (layer.left - CHEAP + 1) // 2)
        chosen = Random(layer.digest).sample(range(others.size), min(looked_at, others.size))
        weight = np.zeros(layer.codes.size)
        weight[others[chosen]] = others.size / max(len(chosen), 1)
        weight[wrong] = 1
        picked = np.flatnonzero(weight)
        values.watch.left = layer.left
        winning = values.winning(layer.codes[picked])
        stake = at_stake(layer.codes[picked], winning)
        yield layer.codes[picked][stake], winning[stake], weight[picked][stake]


def write_positions(path: Path, layers: Sequence[Layer], values: Values, number: int) -> int:
    """Write them to an .npz file with `codes`, `winning` and `weight`, as `fit` and `mine` read it; return how many."""
    found = list(sample_walk(layers, values, number))
    names = "codes", "winning", "weight"
    columns = {name: concatenate([one[k] for one in found]) for k, name in enumerate(names)}
    order = np.argsort(columns["codes"])
    with trying_to(f"write {short_name(path)}"):
        write_arrays(path, np.savez_compressed, **{name: column[order] for name, column in columns.items()})
    return int(order.size)
