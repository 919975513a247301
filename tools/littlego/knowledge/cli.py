"""The commands `facts` and `schema`.

`facts` lists the facts that patterns may use. `schema` writes the JSON Schema of patterns.yaml.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, trying_to
from littlego.cli.commandline import command, output_option
from littlego.files import short_name, write_text
from littlego.knowledge.keys import RULESETS
from littlego.knowledge.problems import did_you_mean, quoted
from littlego.rules.facts import FACTS
from littlego.rules.ruleset import LITTLE_GO


@command("facts", example="littlego facts\nlittlego facts is there a ko\nlittlego facts can it be captured")
@click.argument("need", nargs=-1, metavar="[QUESTION]...")
@click.option(
    "--ruleset",
    type=click.Choice(list(RULESETS)),
    default=LITTLE_GO.name,
    show_default=True,
    help="Ruleset of the patterns.",
)
def facts_command(need: tuple[str, ...], ruleset: str) -> int:
    """List the facts that a pattern may use in `when` and `points`, with their arguments and meaning.

    For a QUESTION in your own words, the command lists at most 12 facts, the best match first. Without QUESTION, it
    lists all facts.
    """
    from littlego.cli.terminal import wrap_text
    from littlego.knowledge.needs import find_facts, known_words
    from littlego.knowledge.programs import facts_for, usage

    size = RULESETS[ruleset].size
    asked = " ".join(need)
    names = find_facts(asked, size) if need else facts_for(size)
    if not names:
        others = [name for name, rules in RULESETS.items() if find_facts(asked, rules.size)]
        hint = f"add `--ruleset {others[0]}`" if others else did_you_mean(asked, known_words())
        hint = hint or "use other words; `littlego facts` lists all facts"
        raise ArgumentError(f"no fact for {quoted(asked)}; {hint}")
    width = max(len(usage(name)) for name in names)
    for name in names:
        head, promise = f"{usage(name):{width}}  ", FACTS[name].promise
        print(wrap_text(head, promise) if sys.stdout.isatty() else head + promise)
    print("\n" + wrap_text("", "A and B are labels of chains. P is a label of a point, or `*` for the move."))
    return FINE


@command("schema", example="littlego dev schema --check\nlittlego dev schema -o patterns.schema.json")
@output_option("Output file.  [default: the schema file that patterns.yaml names]")
@click.option("--check", is_flag=True, help="Write nothing, and fail if the output is stale or missing.")
def schema_command(output: Path | None, check: bool) -> int:
    """Write the JSON Schema that editors use to complete and explain the keys of patterns.yaml."""
    from littlego.knowledge.reference import SCHEMA, schema_text

    output = output or SCHEMA
    text, name = schema_text(), short_name(output)
    if check:
        with trying_to(f"read {name}"):
            fresh = output.exists() and output.read_bytes() == text.encode("utf-8")
        if fresh:
            print(f"{name} is up to date")
            return FINE
        print(f"{name} is stale: run `littlego dev schema`", file=sys.stderr)
        return FINDINGS
    with trying_to(f"write {name}"):
        write_text(output, text)
    print(f"{name}: {len(text.encode()):,} bytes")
    return FINE
