"""Training positions from a walk: positions that the current player meets, with their winning moves.

The labels in labels.npz come from recorded games and decisions, and from games of an earlier player against many
opponents. A walk, in contrast, contains every position that the current player can meet, including all positions that
need an override.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from littlego.arrays import write_arrays
from littlego.cli.arguments import trying_to
from littlego.files import short_name
from littlego.truth.labels.decider import BY_OVERRIDE
from littlego.truth.labels.positions import at_stake
from littlego.truth.proof.threads import concatenate
from littlego.truth.proof.values import ALL_MOVES, Values
from littlego.truth.proof.walk import Layer

CHEAP = 8  # maximum moves left with which all winning moves of a position are cheap to compute
COSTLIER = 4  # factor of the cost for every two additional moves left


def sample_walk(
    layers: Sequence[Layer], values: Values, number: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield a sample of each layer with at most ALL_MOVES moves left: (codes, winning moves, weights).

    The winning moves are given as masks. The sample contains only positions with both winning and losing moves: all
    positions where an override decided or the decision failed, and at most `number` other positions. The layer's digest
    is the random seed. With more than CHEAP moves left the sample is smaller, because each position takes longer to
    solve. A weight is the number of positions in the layer that a sampled position represents.
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
    """Write the sampled positions to an .npz file and return their number.

    The columns are `codes`, `winning` and `weight`, as `fit` and `mine` expect.
    """
    result = list(sample_walk(layers, values, number))
    names = "codes", "winning", "weight"
    columns = {name: concatenate([one[k] for one in result]) for k, name in enumerate(names)}
    order = np.argsort(columns["codes"])
    with trying_to(f"write {short_name(path)}"):
        write_arrays(path, np.savez_compressed, **{name: column[order] for name, column in columns.items()})
    return int(order.size)
