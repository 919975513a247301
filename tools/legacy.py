"""Commands that argparse still reads, as commands of the root group. Goes when the last room has moved to click."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

import click


def legacy(name: str, modules: Sequence[str]) -> click.Command:
    """Return a command that hands its words to the argparse parser which the modules' `add_parsers` make."""

    def run(words: tuple[str, ...]) -> int:
        parser = argparse.ArgumentParser(prog="littlego")
        subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
        for module in modules:
            importlib.import_module(module).add_parsers(subparsers)
        args = parser.parse_args([name, *words])
        status: int = args.run(args)
        return status

    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)
    settings = {"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": False}
    return click.Command(name, callback=run, params=[words], add_help_option=False, context_settings=settings)
