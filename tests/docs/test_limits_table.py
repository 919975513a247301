"""Tests that the table of limits in docs/grading.md has the limits that the supervisor enforces."""

import re
from pathlib import Path

from littlego.grading import marks
from littlego.match import host
from littlego.match.referee import CPU_LIMIT
from littlego.paths import HOME
from littlego.sandbox import cgroups, limited, supervise, workfolder

PAGE = Path(HOME, "docs", "grading.md").read_text("utf-8")
TABLE = {
    cells[0]: cells[1:]
    for line in PAGE.partition("| what | limit | with a control group")[2].splitlines()[2:]
    if len(cells := [cell.strip() for cell in line.strip("|").split(" | ")]) == 4
}


def test_each_limit_is_the_one_that_is_enforced():
    mean = host.SHARE * host.WALL_LIMIT
    assert [TABLE[what][0] for what in TABLE] == [
        f"{CPU_LIMIT:g} s (`--factor`, the arena's `--cpu-limit`); engines: none",
        f"{host.WALL_LIMIT:g} s for a move; {mean:g} s per move of a game, but at least {mean * host.TURNS:g} s; "
        f"{marks.WAITED_A_GAME:g} s per game of a grading (`--time-limit SECONDS`); not counting time that other work "
        "took",
        f"{supervise.MEMORY >> 30} GB of all processes, shared memory included",
        f"{supervise.PROCESSES}",
        f"{limited.LARGEST >> 20} MB; {workfolder.DISK >> 20} MB on the disk, removed files included, and "
        f"{workfolder.FILES:,} new files",
        "no CPU time",
        f"standard output is discarded; the last {limited.KEPT:,} bytes of standard error are kept",
        f"{limited.DESCRIPTORS} for a process; none",
    ]
    assert f"folder every {limited.LOOK:g} s" in PAGE and f"miss a process of less than {limited.LOOK:g} s" in PAGE


def test_the_report_names_the_column_that_applies(tmp_path):
    columns = re.search(r'which of the last two columns applies: "(.*)" or "(.*)"', PAGE)
    assert columns is not None
    without = supervise.Plain(["true"], str(tmp_path), {}, cgroups.Group({}))
    assert without.name().endswith(columns[2])
    (tmp_path / "pids.max").write_text("9")
    held = supervise.Plain(["true"], str(tmp_path), {}, cgroups.Group({"pids": str(tmp_path)}))
    assert held.name().endswith(f"{columns[1]} (processes)")
