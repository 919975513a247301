"""Games of ours against roles that err: the seed repeats them."""

from __future__ import annotations

from knowledge_files import book

from tools.effects.corpora import decisions_against


def moves(noise, seed=3):
    return [decision.position.black for decision in decisions_against("greedy", book(), 2, seed, noise)]


def test_noise_makes_other_games_and_the_same_ones_again():
    assert moves(0.0) == moves(0.0)
    assert moves(0.5) == moves(0.5) != moves(0.0)
    assert moves(0.5) != moves(0.5, seed=4)


def test_with_noise_alone_the_role_does_not_matter():
    random_only = [
        [decision.position.black for decision in decisions_against(role, book(), 2, 3, 1.0)]
        for role in ("greedy", "aggressive")
    ]
    assert random_only[0] == random_only[1]
