"""The measurements of the learning player and other players for docs/results/zero.json.

The measurements use labelled positions: by default, fewer for the slow ROLES than for the fast players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from littlego.cli.arguments import ArgumentError
from littlego.learning.zero.doubts import FAR, find_doubts, measure_doubts
from littlego.learning.zero.yardstick import blunders_json, grade_moves, grade_network, labels_of
from littlego.parallel import each, with_progress
from littlego.paths import LABELS
from littlego.players.roles.table import choose
from littlego.players.zero.network import Network
from littlego.rules.positionkey import pack_move, unpack
from littlego.truth.grades.grades import MEAN_TO
from littlego.truth.labels import TEST, WORKING
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import Labels, moves_left

SIMULATIONS = (0, 16, 64, 256, 1024)
FAR_SIMULATIONS = (0, 64, 256)
DOUBT_SIMULATIONS = 256
ROLES = ("qlearning", "championship")
RULES, MINED, FAR_KEY, DOUBTS = "rules", "mined", "far", "doubts"  # keys of measurements; other keys name players
CHUNK = 20  # positions per task in which a role chooses moves
SEED = 1  # seed of the roles' random choices


class Plan(NamedTuple):
    """Settings of the measurements.

    part: the part of the labels to use. most: the maximum number of positions that fast players get for each number of
    moves left; 0 for all. role_most: the same for the slow ROLES. regret: for each number of moves left, the maximum
    number of positions in which lost stones are computed; 0 for none.
    """

    part: str = WORKING
    most: int = 0
    role_most: int = 500
    regret: int = 100


def provenance(network: Network) -> dict[str, Any]:
    """Return the provenance in a network's weights file, without the training curve.

    Raise ArgumentError if the network comes from a checkpoint.
    """
    if "sha256" not in network.about:
        raise ArgumentError("a checkpoint has no provenance: name the weights file beside the checkpoint")
    return {name: value for name, value in network.about.items() if name != "curve"}


def measurements(network: Network, decider: Decider, plan: Plan, jobs: int) -> dict[str, Callable[[], Any]]:
    """Return {key: function that measures and returns plain JSON values}.

    The keys are in the order of the results page.
    """
    return {
        RULES: lambda: grade_rules(decider, plan),
        **{f"zero:{number}": partial(_grade_zero, network, number, plan) for number in SIMULATIONS},
        **{role: partial(_grade_role, role, plan, jobs) for role in ROLES},
        FAR_KEY: lambda: _measure_far(network, decider, plan),
        DOUBTS: lambda: _measure_doubts(network, decider, plan),
    }


def grade_rules(decider: Decider, plan: Plan) -> dict[str, Any]:
    """Return, as plain JSON values, how often the rule-based player gives wins away."""
    labels = labels_of(plan.part, None, LABELS, plan.most)
    return blunders_json(grade_moves(decider.decide(labels.codes)[0], labels))


def _grade_zero(network: Network, simulations: int, plan: Plan) -> dict[str, Any]:
    labels = labels_of(plan.part, None, LABELS, plan.most)
    return grade_network(network, simulations, labels, plan.regret).as_json()


def _grade_role(role: str, plan: Plan, jobs: int) -> dict[str, Any]:
    """Return the grade of a role in positions with at most MEAN_TO moves left.

    With more moves left, the role `championship` takes hours.
    """
    labels = labels_of(plan.part, None, LABELS, plan.role_most)
    labels = labels.where(moves_left(labels.codes) <= MEAN_TO)
    chunks = [tuple(labels.codes[start : start + CHUNK].tolist()) for start in range(0, labels.codes.size, CHUNK)]
    moves = dict(with_progress(each(partial(moves_of_role, role), chunks, jobs), len(chunks), f" part of {role}"))
    return blunders_json(grade_moves(np.array([move for chunk in chunks for move in moves[chunk]], np.int64), labels))


def moves_of_role(role: str, codes: Sequence[int]) -> list[int]:
    """Return a role's moves in positions with these codes. Move 25 is a pass."""
    return [pack_move(choose(role, SEED, unpack(code))) for code in codes]


def _measure_far(network: Network, decider: Decider, plan: Plan) -> dict[str, Any]:
    """Return how often the rule-based player and the network give wins away far from the end of the game.

    The result has counts and rates for each number of moves left in FAR. If plan.part is the test part, both parts are
    used, because the test part alone is too small.
    """
    labels = _far(labels_of(None if plan.part == TEST else plan.part, None, LABELS, plan.most))
    players = {RULES: grade_moves(decider.decide(labels.codes)[0], labels)}
    players |= {f"zero:{number}": grade_network(network, number, labels, 0).blunders for number in FAR_SIMULATIONS}
    return {
        "parts": "both parts" if plan.part == TEST else f"the {plan.part} part",
        **{name: blunders_json(rows)["by_moves_left"] for name, rows in players.items()},
    }


def _far(labels: Labels) -> Labels:
    return labels.where(np.isin(moves_left(labels.codes), FAR))


def _measure_doubts(network: Network, decider: Decider, plan: Plan) -> list[dict[str, Any]]:
    """Return the counts of `zero doubts --measure` for positions of the working part, as JSON values.

    The positions are limited to the numbers of moves left in FAR.
    """
    labels = _far(labels_of(WORKING, "all", LABELS, plan.most))
    found = find_doubts(network, decider, labels.codes, DOUBT_SIMULATIONS)
    return [row.as_json() for row in measure_doubts(found, labels, decider)]


def games_of(tournament: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a gauntlet's results against each opponent, with the command that plays the gauntlet.

    tournament: the output of `arena gauntlet --json`. Raise KeyError or TypeError for any other JSON value.
    """
    names = [player["name"] for player in tournament["players"]]
    command = f"littlego arena gauntlet {' '.join(names)} --pairs {tournament['pairs']} --seed {tournament['seed']}"
    command += f" --openings {tournament['openings']}" if tournament["openings"] else ""
    return [
        {
            "player": pairing["first"],
            "opponent": pairing["second"],
            "openings": tournament["openings"],
            **{side: {name: pairing[side][name] for name in ("games", "wins")} for side in ("as_black", "as_white")},
            "different_games": pairing["different_games"],
            "command": command,
        }
        for pairing in tournament["pairings"]
    ]
