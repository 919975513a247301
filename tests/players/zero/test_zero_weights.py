"""Tests of the shipped weights of the learning player: their size, their provenance, and games."""

import hashlib
import json
import os
import zipfile
from io import BytesIO

import numpy as np
import pytest

from littlego.match.series import pair_of_games, play_game
from littlego.players.registry import player_for
from littlego.players.zero.player import WEIGHTS
from littlego.rules.position import BLACK, WHITE


def test_the_weights_are_small_and_tell_how_they_were_made():
    assert os.path.getsize(WEIGHTS) <= 800_000
    with zipfile.ZipFile(WEIGHTS) as archive:
        arrays = {name.removesuffix(".npy"): np.load(BytesIO(archive.read(name))) for name in archive.namelist()}
    about = json.loads(str(arrays.pop("about")))
    digest = hashlib.sha256()
    for layer in sorted({name.partition(".")[0] for name in arrays}):
        digest.update(layer.encode() + arrays[f"{layer}.weights"].tobytes() + arrays[f"{layer}.bias"].tobytes())
    assert about["sha256"] == digest.hexdigest()
    assert about["game"] == "little-go" and about["command"].startswith("littlego zero train ")
    assert "/" not in about["command"]
    assert about["curve"][-1][0] == about["games_played"] > 0


@pytest.mark.parametrize("opponent", ["random", "greedy", "aggressive"])
def test_the_shipped_player_wins_with_few_simulations(opponent):
    for seed in (1, 2):
        games = [play_game(game, player_for) for game in pair_of_games(0, "zero:16", opponent, seed)]
        assert [game.winner for game in games] == [BLACK, WHITE]
