"""The job that compiles a saved file to patterns.txt, as `littlego compile` does."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from shlex import quote
from typing import Any

from littlego.cli.arguments import read_file
from littlego.editor.lineends import normal
from littlego.editor.methods import Refusal, job
from littlego.editor.session import Session
from littlego.files import short_name
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.lint.compiling import output_of, stale_lines, write_compiled
from littlego.knowledge.textfile import pattern_line


@job("compile")
def compile_file(session: Session, *, write: bool = True) -> Generator[dict[str, Any], None, dict[str, Any]]:
    """Compile the saved file; yield the first line of each problem, including failing examples.

    write: whether to write the compiled file if there are no problems. In the answer, `problems` and `patterns` are the
    numbers of problems and of valid patterns. `output` is the name of the compiled file, `bytes` is the size of the
    compiled data, and `written` is true if the file was written. `stale` contains a warning for each stale file of the
    player, or is empty if the compiled file was not written. Raise Refusal if the saved file differs from the page's
    text.
    """
    path = Path(session.snapshot.path)
    source = read_file(path)
    if normal(source.decode("utf-8", "replace")) != session.text:
        raise Refusal("changed", f"{session.filename} differs from the page: save the page, then compile the file")
    data, problems, base = compile_text(source, session.filename)
    for problem in problems:
        yield {"result": problem.lines()[0]}
    output = output_of(path, base)
    if data is not None and write:
        write_compiled(data, output)
    return {
        "command": f"littlego compile {quote(session.filename)}",
        "problems": len(problems),
        "patterns": len(base.ranked()),
        "output": short_name(output),
        "bytes": len(data or b""),
        "written": data is not None and write,
        "stale": stale_lines(output, map(pattern_line, base.ranked())) if data is not None and write else [],
    }
