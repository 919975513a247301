"""A learner's settings as options of an argparse parser; with click, see tools.learning.cli.settings_options."""

from __future__ import annotations

import argparse
import math

from tools.arguments import ArgumentError
from tools.learning.qlearner import Settings


def add_settings(parser: argparse.ArgumentParser, defaults: Settings) -> None:
    """Add an option for each of a learner's settings."""
    helps = {
        "alpha": "learning rate, above 0 to 1",
        "gamma": "what a turn's delay leaves of a value, 0 to 1",
        "win": "reward for a win",
        "draw": "reward for a draw",
        "lose": "reward for a loss",
        "initial_q": "value of what was never tried",
        "explore": "share of training moves drawn by lot",
    }
    for name, text in helps.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=float,
            default=getattr(defaults, name),
            metavar="X",
            help=f"{text} (default: %(default)g)",
        )


def settings_of(args: argparse.Namespace) -> Settings:
    """Return the settings that the options give; raise ArgumentError where no learner can use them."""
    settings = Settings(*(getattr(args, name) for name in Settings._fields))
    for name, least in (("alpha", "above 0"), ("gamma", "from 0"), ("explore", "from 0")):
        value = getattr(settings, name)
        if not 0 <= value <= 1 or name == "alpha" and not value:
            raise ArgumentError(f"--{name} {value:g}: expected a number {least} to 1")
    for name in ("win", "draw", "lose", "initial_q"):
        if not math.isfinite(getattr(settings, name)):
            raise ArgumentError(f"--{name.replace('_', '-')} {getattr(settings, name):g}: expected a finite number")
    if not settings.lose <= settings.draw <= settings.win or settings.lose == settings.win:
        raise ArgumentError(
            f"--win {settings.win:g} --draw {settings.draw:g} --lose {settings.lose:g}: "
            "expected a win to be worth more than a loss, and a draw to lie between"
        )
    return settings
