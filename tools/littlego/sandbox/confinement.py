"""The option `--sandbox` of commands that run foreign programs, and the warning if no sandbox is used."""

from __future__ import annotations

import os
import sys

import click

from littlego.cli.arguments import ArgumentError
from littlego.paths import PACKAGE
from littlego.sandbox import sandbox
from littlego.sandbox.cgroups import enter_scope

HELP = (
    "Sandbox for third-party programs. auto: use bubblewrap if bubblewrap works, otherwise warn and use no sandbox; "
    "bwrap: fail if bubblewrap does not work; none: no sandbox."
)


def _use(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Set the sandbox mode of this process and its children until the command ends.

    The command's own process may first restart in a systemd scope (see enter_scope).
    """
    if ctx.resilient_parsing:
        return value
    if os.path.basename(sys.argv[0]) == PACKAGE.name or sys.argv[0] == str(PACKAGE / "__main__.py"):
        enter_scope(sys.orig_argv)  # only the command's own process may be replaced
    before = sandbox.asked()
    ctx.find_root().call_on_close(lambda: sandbox.use(before))  # ctx may not be closed on an error
    sandbox.use(value or before)
    try:
        sandbox.is_used()
    except sandbox.SandboxError as error:
        sandbox.use(before)
        raise ArgumentError(str(error)) from None
    return value


# `--sandbox auto|bwrap|none`. Eager: the sandbox is chosen before a player's name is parsed, because parsing the name
# compiles the player's program.
sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(sandbox.MODES),
    is_eager=True,
    expose_value=False,
    callback=_use,
    help=f"{HELP}  [default: {sandbox.AUTO}]",
)


def warn_unconfined() -> None:
    """Warn on standard error, with the cause, if foreign programs will run without a sandbox."""
    if not sandbox.is_used():
        why = f"--sandbox {sandbox.NONE}" if sandbox.mode() == sandbox.NONE else sandbox.why_not()
        print(f"littlego: no sandbox: {why}; third-party programs run with your permissions", file=sys.stderr)
