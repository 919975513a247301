"""The command line: `python -m tools COMMAND`, the same as the console script `littlego COMMAND`."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import suppress

INSTALL = "python3 -m venv .venv && .venv/bin/pip install -e . && . .venv/bin/activate"
if sys.version_info < (3, 11):  # noqa: UP036 - a line to read beats a traceback
    print(f"littlego: needs Python 3.11 or newer (`sh build.sh`: 3.7); with one: {INSTALL}", file=sys.stderr)
    sys.exit(2)
try:
    import click
    from click.shell_completion import shell_complete
except ModuleNotFoundError:
    print(f"littlego: not installed yet; in the repository's folder: {INSTALL}", file=sys.stderr)
    sys.exit(2)

from tools.arguments import COULD_NOT_RUN, POSIX, ArgumentError
from tools.commandline import WIDTH, Entry, LazyGroup, did_you_mean
from tools.printable import printable, printable_output
from tools.signals import ending_signals

PIPE_CLOSED = 128 + getattr(signal, "SIGPIPE", 13)  # Windows has no such signal
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what writing to a full or broken disk ends with
STATUSES = "Exit status of every command: 0 fine, 1 findings or failed, 2 could not run."
COMPLETE = "_LITTLEGO_COMPLETE"  # set by the shell that wants completions

WRITE, PLAY, MEASURE, MORE = "Write patterns", "Play and grade", "Measure and prove", "More"
COMMANDS = (
    Entry("studio", WRITE, "tools.studio.cli:studio", "Write and see patterns in the browser; step through games."),
    Entry("init", WRITE, "tools.authoring.cli:init", "Make a folder to write patterns in, with all that is needed."),
    Entry("check", WRITE, "tools.lint.cli:check", "Name every mistake in a patterns file, and what is doubtful."),
    Entry("test", WRITE, "tools.knowledge.testing:test_command", "Run the patterns' examples."),
    Entry("compile", WRITE, "tools.lint.compiling:compile_command", "Make patterns.txt, which the player reads."),
    Entry("new", WRITE, "tools.authoring.new:new", "A pattern to begin with, from a position and its move."),
    Entry("diff", WRITE, "tools.effects.cli:diff", "Show which decisions an edit changes, and accept them."),
    Entry("explain", WRITE, "tools.explain.cli:explain", "Why this move, why not that one, and what if."),
    Entry("coverage", WRITE, "tools.effects.cli:coverage", "What each pattern does in play."),
    Entry("mutate", WRITE, "tools.mutation.cli:mutate", "Which cell, condition or number no example pins."),
    Entry("gallery", WRITE, "tools.gallery.cli:gallery", "All patterns on one page, to search and to print."),
    Entry(
        "facts",
        WRITE,
        "tools.knowledge.cli:facts_command",
        "List the facts that a pattern may ask, or those for a need.",
    ),
    Entry("schema", WRITE, "tools.knowledge.cli:schema_command", "Write the JSON Schema of patterns.yaml for editors."),
    Entry("regenerate", WRITE, "tools.regenerate.cli:regenerate", "Make anew all that is made from other files."),
    Entry("play", PLAY, "tools.opponents.cli:play", "Show a game move by move, with our reasons."),
    Entry("match", PLAY, "tools.opponents.cli:match", "Play many games between two players and sum them up."),
    Entry("serve", PLAY, "tools.server.cli:serve", "Be the referee of matches over the network."),
    Entry("join", PLAY, "tools.server.cli:join", "Let a player play at such a server."),
    Entry("selfplay", PLAY, "tools.fitting.selfplay:selfplay", "Keep games of engines, for `fit` to learn from."),
    Entry("arena", PLAY, "tools.arena.cli:arena", "Tournaments, kept in one file, and tests of a change."),
    Entry("handicap", PLAY, "tools.arena.handicap:handicap", "How many stones make two players equal."),
    Entry("gtp", PLAY, "tools.gtp.cli:gtp", "Play for Sabaki, GoGui and others that speak GTP."),
    Entry("grade", PLAY, "tools.grading.cli:grade", "The points that the course would give a player."),
    Entry("annotate", PLAY, "tools.annotation.cli:annotate_command", "Write what we know of a game into its SGF."),
    Entry("submit", PLAY, "tools.submission.cli:submit", "Build the folder that is handed in, and prove it."),
    Entry("tictactoe", PLAY, "tools.learning.cli:tictactoe", "The handout's example of Q-learning."),
    Entry("train", PLAY, "tools.opponents.training:train", "Train the opponent that learns."),
    Entry("solve", MEASURE, "tools.solver.cli:solve", "Who wins a position, with which moves, by how much."),
    Entry("label", MEASURE, "tools.labels.cli:label", "Solve positions and keep their winning moves."),
    Entry("grade-patterns", MEASURE, "tools.grades.cli:grade_patterns", "How often patterns are right."),
    Entry("mine", MEASURE, "tools.mining.cli:mine", "What the blunders ask for: new patterns and changes."),
    Entry("clusters", MEASURE, "tools.mining.clusters_cli:clusters", "What the positions on record share."),
    Entry("fit", MEASURE, "tools.fitting.cli:fit", "Points for patterns, from the moves of games."),
    Entry("tune", MEASURE, "tools.mining.tune_cli:tune", "Points with which fewer wins are given away."),
    Entry("weigh", MEASURE, "tools.mining.weigh_cli:weigh", "What a fact would explain of the wins given away."),
    Entry("prove", MEASURE, "tools.proof.cli:prove", "Whether the player ever gives a win away."),
    Entry("fidelity", MEASURE, "tools.opponents.fidelity:fidelity", "How faithful the six roles are."),
    Entry("attack", MEASURE, "tools.attack.cli:attack", "Damaged and hostile inputs for all that reads a file."),
    Entry("bench", MEASURE, "tools.bench.cli:bench", "What a turn costs, as ratios."),
    Entry("help", MORE, "", "Show the help of a command."),
    Entry("completion", MORE, "", "Print the completion script for a shell."),
)


@click.group(
    cls=LazyGroup,
    entries=COMMANDS,
    epilog=STATUSES,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
)
@click.version_option(package_name="littlego", prog_name="littlego", message="%(prog)s %(version)s")
def root() -> None:
    """A rule-based player of Little-Go, and the workshop in which its rules are written and tested."""


@root.command("help")
@click.argument(
    "words",
    metavar="[COMMAND]...",
    nargs=-1,
    shell_complete=lambda ctx, param, begun: [one.name for one in COMMANDS if one.name.startswith(begun)],
)
def help_command(words: tuple[str, ...]) -> int:
    """Show the help of a command, as `COMMAND --help` does."""
    root.main([*words, "--help"], prog_name="littlego", standalone_mode=False)
    return 0


@root.command("completion", epilog='For example: eval "$(littlego completion bash)"')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the script that completes commands, options and players in a shell."""
    return shell_complete(root, {}, "littlego", COMPLETE, f"{shell}_source")


def main(argv: list[str] | None = None) -> int:
    """Run one command; return its exit status (see STATUSES)."""
    if sys.stdout is None:  # it is closed: `littlego ... >&-`
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    if sys.stderr is None:  # else what is opened next would be taken for it
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error has it: any locale can print any name
    status = 0
    try:
        try:
            status = _run(sys.argv[1:] if argv is None else argv)
        finally:
            sys.stdout.flush()  # also where a help text has been printed
    except BrokenPipeError:  # the reader has seen enough: `littlego match ... | head`
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        if error.errno not in FULL:
            raise
        _drop_output()
        if status != COULD_NOT_RUN:  # else the command itself has said it
            where = f" {printable(str(error.filename))}" if error.filename else ""
            with suppress(OSError):  # standard error may be what is full
                print(f"littlego: cannot write{where}: {error.strerror}", file=sys.stderr)
        return COULD_NOT_RUN
    return status


def _run(argv: list[str]) -> int:
    if COMPLETE in os.environ:
        return shell_complete(root, {}, "littlego", COMPLETE, os.environ[COMPLETE])  # bytes for a shell
    with printable_output():
        return _run_command(argv)


def _run_command(argv: list[str]) -> int:
    for number in ending_signals():  # in order, as after Ctrl-C
        signal.signal(number, lambda arrived, _: sys.exit(128 + arrived))
    try:
        with root.make_context("littlego", list(argv)) as context:
            return root.invoke(context) or 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.NoSuchOption as error:
        return _show_usage(error, f"No such option: {error.option_name}.{_nearest_option(error)}")
    except click.UsageError as error:
        return _show_usage(error, error.format_message())
    except (ArgumentError, ModuleNotFoundError) as error:
        text = _describe_missing(error) if isinstance(error, ModuleNotFoundError) else error
        print(f"littlego: {text}", file=sys.stderr)
        return COULD_NOT_RUN
    except (KeyboardInterrupt, click.Abort):
        return _say_interrupted()
    except SystemError as error:  # so Python names what a signal raises while numba hands over from compiled code
        came = error.__cause__
        if isinstance(came, SystemExit):
            raise came from None
        if not isinstance(came, KeyboardInterrupt):
            raise
        return _say_interrupted()


def _say_interrupted() -> int:
    print("\ninterrupted", file=sys.stderr)
    return 128 + signal.SIGINT


def _nearest_option(error: click.NoSuchOption) -> str:
    params = error.ctx.command.params if error.ctx else ()
    options = [option for param in params for option in param.opts if option.startswith("-")]
    return did_you_mean(error.option_name, dict.fromkeys([*(error.possibilities or ()), *options]))


def _show_usage(error: click.UsageError, message: str) -> int:
    """Say on standard error how the subcommand is used, and what was wrong."""
    if error.ctx is not None:
        click.echo(error.ctx.get_usage(), err=True)
        click.echo(f"`{error.ctx.command_path} --help` says more.", err=True)
    click.echo(f"\nlittlego: {message}", err=True)
    return COULD_NOT_RUN


def _drop_output() -> None:
    """Send what is still to be printed nowhere; Python would complain about it once more when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _describe_missing(error: ModuleNotFoundError) -> str:
    name = (error.name or "").partition(".")[0]
    if name in ("tools", "rules"):
        return f"this part is not here: {error}"
    if name in ("fcntl", "pwd", "resource", "termios"):
        return f"this needs {POSIX} (it has no Python module {name})"
    if name in ("asyncssh", "dask", "dask_jobqueue", "distributed"):
        return f"needs the Python module {name}: pip install -e '.[cluster]'"
    return f"needs the Python module {name}: {INSTALL}"


if __name__ == "__main__":
    sys.exit(main())
