"""The option `--sandbox` of all commands that run programs of others, and what is said where nothing holds these."""

from __future__ import annotations

import sys

import click

from littlego.cli.arguments import ArgumentError
from littlego.sandbox import sandbox

HELP = (
    "Sandbox for the programs of others: bubblewrap, with an error if it does not work; auto, with a warning if it "
    "does not work; none."
)


def _use(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Tell the mode to all that works for this command, in this process and others, until the command ends."""
    if ctx.resilient_parsing:
        return value
    before = sandbox.asked()
    ctx.find_root().call_on_close(lambda: sandbox.use(before))  # its own is not closed where a later option is wrong
    sandbox.use(value or before)
    try:
        sandbox.is_used()
    except sandbox.SandboxError as error:
        sandbox.use(before)
        raise ArgumentError(str(error)) from None
    return value


# `--sandbox auto|bwrap|none`. It is read before players are, whose programs are compiled when their names are.
sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(sandbox.MODES),
    is_eager=True,
    expose_value=False,
    callback=_use,
    help=f"{HELP}  [default: {sandbox.AUTO}]",
)


def warn_unconfined() -> None:
    """Say on standard error, before programs of others are run, that no sandbox holds them, and why."""
    if not sandbox.is_used():
        why = f"--sandbox {sandbox.NONE}" if sandbox.mode() == sandbox.NONE else sandbox.why_not()
        print(f"littlego: no sandbox: {why}; programs of others run with your rights", file=sys.stderr)
