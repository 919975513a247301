"""The library mctx as an oracle for the search of the learning player."""

import functools
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from littlego.players.zero.exact import UNITS, tanh
from littlego.players.zero.game import ONGOING
from littlego.players.zero.search import CONSIDERED, VALUE_SCALE, VISIT_OFFSET


def root_actions(game, evaluate, states, noise, simulations):
    """Return the actions that mctx chooses in 64-bit arithmetic."""
    import jax
    import mctx

    values = functools.partial(
        mctx.qtransform_completed_by_mix_value,
        rescale_values=False,
        value_scale=VALUE_SCALE,
        maxvisit_init=VISIT_OFFSET,
    )

    def given_noise(key, shape, dtype=None):
        return jax.numpy.array(noise / UNITS, dtype)

    with numbers_of_64_bits(), patch("jax.random.gumbel", given_noise):
        logits, value, _ = look(game, evaluate, states)
        logits, value, embedding = map(jax.numpy.array, (logits, value, states))
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=embedding)
        found = mctx.gumbel_muzero_policy(
            None,
            jax.random.PRNGKey(0),
            root,
            recurrent_function(game, evaluate, *logits.shape, states.shape[1]),
            simulations,
            invalid_actions=jax.numpy.array(~game.legal(states)),
            qtransform=values,
            max_num_considered_actions=CONSIDERED,
        )
        return np.asarray(found.action)


@contextmanager
def numbers_of_64_bits():
    """Let JAX use 64 bits in all threads; jax.enable_x64 would not reach the threads of callbacks."""
    import jax

    jax.config.update("jax_enable_x64", True)
    try:
        yield
    finally:
        jax.config.update("jax_enable_x64", False)


def look(game, evaluate, states):
    """Return logits, the network's values, and the results of states."""
    logits, units = evaluate(game.features(states))
    return np.where(game.legal(states), logits / UNITS, -1e30), tanh(units), game.results(states)


def recurrent_function(game, evaluate, batch, actions, columns):
    """Return the function with which mctx plays an action; a game that is over continues without rewards."""
    import jax
    import mctx

    def play(states, chosen):
        after, going = np.array(states), game.results(np.asarray(states)) == ONGOING
        after[going] = game.play(after[going], np.asarray(chosen)[going].astype(np.int64))
        logits, values, results = look(game, evaluate, after)
        ended = results != ONGOING
        rewards = np.where(going & ended, -results, 0.0)
        return after, logits, np.where(ended, 0.0, values), rewards, np.where(ended, 0.0, -1.0)

    def function(parameters, key, chosen, states):
        number = jax.ShapeDtypeStruct((batch,), np.float64)
        shapes = jax.ShapeDtypeStruct((batch, columns), np.int16), jax.ShapeDtypeStruct((batch, actions), np.float64)
        after, logits, values, rewards, discounts = jax.pure_callback(
            play, (*shapes, number, number, number), states, chosen
        )
        return mctx.RecurrentFnOutput(reward=rewards, discount=discounts, prior_logits=logits, value=values), after

    return function
