"""The table of commands, and the entry point that runs a command."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import suppress

INSTALL = "python3 -m venv .venv && .venv/bin/pip install -e . && . .venv/bin/activate"
if sys.version_info < (3, 11):  # noqa: UP036 - print a readable line instead of a traceback
    print(f"littlego: needs Python 3.11 or newer (`sh build.sh`: 3.7); to install littlego: {INSTALL}", file=sys.stderr)
    sys.exit(2)
try:
    import click
    from click.shell_completion import get_completion_class, shell_complete
except ModuleNotFoundError:
    print(f"littlego: not installed yet; run in the repository's folder: {INSTALL}", file=sys.stderr)
    sys.exit(2)

from littlego.cli.arguments import COULD_NOT_RUN, POSIX, ArgumentError
from littlego.cli.commandline import WIDTH, Entry, LazyGroup, did_you_mean
from littlego.printable import printable, printable_output
from littlego.signals import ending_signals
from littlego.stalled import StalledError
from littlego.startup import drop_output, find_missing_folder, find_missing_interpreter, open_closed_streams

PIPE_CLOSED = 128 + getattr(signal, "SIGPIPE", 13)  # Windows has no such signal
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # error numbers of a write to a full or broken disk
STATUSES = (
    "Exit status of every command: 0 for success; 1 for findings, such as a failed test or a changed decision; "
    "2 if the command could not run; usually 130 after Ctrl-C."
)
COMPLETE = "_LITTLEGO_COMPLETE"  # set by a shell that asks for completions

WRITE, PLAY, GRADE, ANALYSE = "Write patterns", "Play", "Grade", "Analyse"
COMMANDS = (
    Entry("init", WRITE, "littlego.editor.authoring.cli:init", "Create a folder in which to write patterns."),
    Entry("studio", WRITE, "littlego.studio.cli:studio", "Edit patterns in the browser, and step through games."),
    Entry("site", WRITE, "littlego.studio.site.cli:site", "Build a website with the studio and the docs."),
    Entry("new", WRITE, "littlego.editor.authoring.new:new", "Create a pattern from a position and a move."),
    Entry("check", WRITE, "littlego.editor.check_cli:check", "Report errors and warnings in a patterns file."),
    Entry("test", WRITE, "littlego.knowledge.testing:test_command", "Run the examples of the patterns."),
    Entry(
        "compile", WRITE, "littlego.knowledge.lint.compiling:compile_command", "Compile patterns.yaml for the player."
    ),
    Entry("facts", WRITE, "littlego.knowledge.cli:facts_command", "List the facts that patterns may use."),
    Entry("play", PLAY, "littlego.players.cli:play", "Play one game and show each move with its reasons."),
    Entry("match", PLAY, "littlego.players.cli:match", "Play many games between two players."),
    Entry("serve", PLAY, "littlego.players.server.cli:serve", "Run a match server for players on the network."),
    Entry("join", PLAY, "littlego.players.server.cli:join", "Connect a player to a match server."),
    Entry("gtp", PLAY, "littlego.players.gtp.cli:gtp", "Play in Sabaki, GoGui or another GTP front end."),
    Entry("zero", PLAY, "littlego.learning.zero.cli:zero", "Train and measure the learning player."),
    Entry("grade", GRADE, "littlego.grading.cli:grade", "Grade a program as the course does."),
    Entry("grade-class", GRADE, "littlego.grading.classroom.cli:grade_class", "Grade the programs of a class."),
    Entry(
        "arena",
        GRADE,
        "littlego.arena.cli:arena",
        "Run tournaments, and test whether a change makes a player stronger.",
    ),
    Entry("submit", GRADE, "littlego.submission.cli:submit", "Build and test the folder to hand in."),
    Entry(
        "annotate",
        GRADE,
        "littlego.judging.annotation.cli:annotate_command",
        "Add comments on each move to an SGF file.",
    ),
    Entry("explain", ANALYSE, "littlego.judging.explain.cli:explain", "Explain the player's move in a position."),
    Entry("diff", ANALYSE, "littlego.judging.cli:diff", "Show which decisions an edit changes."),
    Entry(
        "coverage", ANALYSE, "littlego.judging.cli:coverage", "Count how often each pattern fires and decides a move."
    ),
    Entry("mutate", ANALYSE, "littlego.judging.mutation.cli:mutate", "Find the untested parts of patterns."),
    Entry("solve", ANALYSE, "littlego.truth.solver.cli:solve", "Solve a position exactly."),
    Entry("prove", ANALYSE, "littlego.truth.proof.cli:prove", "Prove that the player never gives away a win."),
    Entry("judge", ANALYSE, "littlego.truth.proof.cli:judge", "Find the wins that an edit of the patterns gives away."),
    Entry("verify", ANALYSE, "littlego.truth.proof.cli:verify", "Verify a certificate written by `prove`."),
)
FILES, KNOWLEDGE, TESTS = "Build files", "Improve the patterns", "Test and measure"
DEV_COMMANDS = (
    Entry("regenerate", FILES, "littlego.dev.regenerate.cli:regenerate", "Rebuild generated files."),
    Entry("schema", FILES, "littlego.knowledge.cli:schema_command", "Write the JSON Schema of patterns.yaml."),
    Entry("gallery", FILES, "littlego.judging.gallery.cli:gallery", "Draw all patterns on one web page."),
    Entry("docs", FILES, "littlego.studio.site.cli:docs", "Build the docs as a website."),
    Entry(
        "selfplay", FILES, "littlego.learning.fitting.selfplay:selfplay", "Record games between engines for `dev fit`."
    ),
    Entry("label", FILES, "littlego.learning.labelling_cli:label", "Solve positions and record their winning moves."),
    Entry("train", FILES, "littlego.players.training:train", "Train the qlearning player."),
    Entry(
        "walk",
        FILES,
        "littlego.truth.proof.cli:walk_command",
        "Run `prove` with more settings; with --output, also write training positions.",
    ),
    Entry(
        "fit",
        KNOWLEDGE,
        "littlego.learning.fitting.cli:fit",
        "Fit the points of patterns to games or solved positions.",
    ),
    Entry(
        "harvest",
        KNOWLEDGE,
        "littlego.learning.fitting.harvest:harvest",
        "Find the shapes that strong players play.",
    ),
    Entry("tune", KNOWLEDGE, "littlego.learning.mining.tune_cli:tune", "Tune points to give away fewer wins."),
    Entry("mine", KNOWLEDGE, "littlego.learning.mining.cli:mine", "Suggest patterns and changes that fix blunders."),
    Entry(
        "clusters",
        KNOWLEDGE,
        "littlego.learning.mining.clusters_cli:clusters",
        "Group overrides by their common cause.",
    ),
    Entry(
        "weigh",
        KNOWLEDGE,
        "littlego.learning.mining.weigh_cli:weigh",
        "Measure how many blunders a fact could fix.",
    ),
    Entry(
        "grade-patterns",
        KNOWLEDGE,
        "littlego.truth.grades.cli:grade_patterns",
        "Measure how often each pattern is right.",
    ),
    Entry("attack", TESTS, "littlego.dev.attack.cli:attack", "Fuzz every file reader."),
    Entry("bench", TESTS, "littlego.dev.bench.cli:bench", "Measure the cost of a turn."),
    Entry(
        "measure-zero",
        TESTS,
        "littlego.dev.regenerate.zero_cli:measure_zero",
        "Measure the learning player's strength for docs/results.md.",
    ),
    Entry(
        "strength-large",
        TESTS,
        "littlego.dev.regenerate.strength:strength_large",
        "Measure our strength on large boards for docs/results.md.",
    ),
    Entry(
        "problems",
        TESTS,
        "littlego.players.solving:problems",
        "Count the Go problems that players solve on large boards.",
    ),
    Entry(
        "fidelity",
        TESTS,
        "littlego.players.fidelity:fidelity",
        "Compare our imitations of the course's players with the originals.",
    ),
    Entry(
        "agreement",
        TESTS,
        "littlego.learning.fitting.agreement:agreement",
        "Count how often the player chooses the moves of recorded games.",
    ),
    Entry(
        "uncounted",
        TESTS,
        "littlego.truth.proof.cli:uncounted",
        "Count the blunders of a player that does not know how many moves are left.",
    ),
    Entry("tictactoe", TESTS, "littlego.players.learners.cli:tictactoe", "Run the handout's example of Q-learning."),
)
EPILOG = f"""`littlego help COMMAND` shows the help of a command. `littlego completion SHELL` prints a script
for tab completion in SHELL. `littlego dev --help` lists the maintainers' commands.

{STATUSES}"""


@click.group(
    cls=LazyGroup,
    entries=COMMANDS,
    epilog=EPILOG,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
)
@click.version_option(package_name="littlego", prog_name="littlego", message="%(prog)s %(version)s")
def root() -> None:
    """Play Little-Go and Go with a rule-based player, and write and test the player's rules."""


@root.group("dev", cls=LazyGroup, entries=DEV_COMMANDS, no_args_is_help=False, epilog=STATUSES)
def dev() -> None:
    """Commands for maintainers of this project."""


def _complete_command(ctx: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Return the command names that start with `begun`, in the group that the preceding words name."""
    group: click.Command | None = root
    for word in ctx.params["words"] or ():
        group = group.get_command(ctx, word) if isinstance(group, click.Group) else None
    names = group.list_commands(ctx) if isinstance(group, click.Group) else []
    return [name for name in names if name.startswith(begun)]


@root.command("help")
@click.argument("words", metavar="[COMMAND]...", nargs=-1, shell_complete=_complete_command)
def help_command(words: tuple[str, ...]) -> int:
    """Show the help of a command, as `COMMAND --help` does."""
    root.main([*words, "--help"], prog_name="littlego", standalone_mode=False)
    return 0


@root.command("completion", epilog='For example: eval "$(littlego completion bash)"')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print a script for tab completion of commands, options and players."""
    script_of = get_completion_class(shell)
    assert script_of, shell
    print(script_of(root, {}, "littlego", COMPLETE).source(), end="")  # not shell_complete, which writes bytes
    return 0


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit status.

    STATUSES explains the status; after a signal, the status is 128 plus the signal's number.
    """
    open_closed_streams()
    if missing := find_missing_interpreter():
        print(f"littlego: {missing}", file=sys.stderr)
        return COULD_NOT_RUN
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # so that any name can be printed in any locale, as on stderr
    status = 0
    try:
        try:
            status = _run(sys.argv[1:] if argv is None else argv)
        finally:
            sys.stdout.flush()  # flushed here, so that output is also flushed after a help text
    except BrokenPipeError:  # the reader has closed the pipe: `littlego match ... | head`
        drop_output()
        return PIPE_CLOSED
    except OSError as error:
        if missing := find_missing_folder():
            print(f"littlego: {missing}", file=sys.stderr)
            return COULD_NOT_RUN
        if error.errno not in FULL:
            raise
        drop_output()
        if status != COULD_NOT_RUN:  # otherwise the command itself has reported the error
            where = f" {printable(str(error.filename))}" if error.filename else ""
            with suppress(OSError):  # standard error may be on the full disk
                print(f"littlego: cannot write{where}: {error.strerror}", file=sys.stderr)
        return COULD_NOT_RUN
    return status


def _run(argv: list[str]) -> int:
    if COMPLETE in os.environ:
        return shell_complete(root, {}, "littlego", COMPLETE, os.environ[COMPLETE])  # bytes for a shell
    with printable_output():
        return _run_command(argv)


def _run_command(argv: list[str]) -> int:
    for number in ending_signals():  # clean up as after Ctrl-C
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
    except (ArgumentError, ModuleNotFoundError, StalledError) as error:
        text = _describe_missing(error) if isinstance(error, ModuleNotFoundError) else error
        print(f"littlego: {text}", file=sys.stderr)
        return COULD_NOT_RUN
    except (KeyboardInterrupt, click.Abort):
        return _say_interrupted()
    except (SystemError, RuntimeError) as error:  # numba, and Python 3.11 in __set_name__, wrap a handler's exception
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
    """Print a command's usage and the error message to standard error; return the exit status."""
    if error.ctx is not None:
        click.echo(error.ctx.get_usage(), err=True)
        click.echo(f"See `{error.ctx.command_path} --help`.", err=True)
    click.echo(f"\nlittlego: {message}", err=True)
    return COULD_NOT_RUN


def _describe_missing(error: ModuleNotFoundError) -> str:
    name = (error.name or "").partition(".")[0]
    if name in ("littlego", "rules"):
        return f"this part is not installed: {error}"
    if name in ("fcntl", "pwd", "resource", "termios"):
        return f"this command needs {POSIX} (this system has no Python module {name})"
    if name in ("jax", "jaxlib", "optax"):
        return f"needs the Python module {name}; to install it: pip install -e '.[zero]'"
    if name in ("asyncssh", "dask", "dask_jobqueue", "distributed"):
        return f"needs the Python module {name}; to install it: pip install -e '.[cluster]'"
    return f"needs the Python module {name}; to install it: {INSTALL}"
