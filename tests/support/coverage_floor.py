"""A script for use after `pytest --cov`, which fails if the tests cover too little of rules/."""

from __future__ import annotations

import io
import json
import sys

import coverage

LINES, BRANCHES = 95.0, 90.0  # minimum percentages of covered lines and branches of rules/


def main() -> int:
    """Print the coverage of rules/; return 1 if the coverage is below a limit, otherwise 0."""
    measured = coverage.Coverage()
    measured.load()
    report = io.StringIO()
    measured.report(include=["rules/*"], skip_covered=True, show_missing=True, file=report)
    print(report.getvalue())
    measured.json_report(include=["rules/*"], outfile=".coverage.json", pretty_print=False)
    with open(".coverage.json", encoding="utf-8") as file:
        totals = json.load(file)["totals"]
    lines = 100.0 * totals["covered_lines"] / totals["num_statements"]
    branches = 100.0 * totals["covered_branches"] / totals["num_branches"]
    print(f"rules/: {lines:.1f}% of lines (floor {LINES:.0f}%), {branches:.1f}% of branches (floor {BRANCHES:.0f}%)")
    return int(lines < LINES or branches < BRANCHES)


if __name__ == "__main__":
    sys.exit(main())
