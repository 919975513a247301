"""Tests of the report that the sandbox's shell writes: it is strictly checked and cannot be forged."""

import os
import subprocess

import pytest

from littlego.sandbox.monitor import LONGEST, Outcome, Report


@pytest.fixture
def report():
    made = Report()
    yield made
    made.close()


def test_an_exact_report_is_read(report):
    os.write(report.end, b"2 500000000 1000000 139\n")
    assert report.read() == Outcome(2, 0.5, 0.001, 139)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"x\n",
        b"0 0 9\n",
        b"0 0 9 0",
        b"0 0 -9 0\n",
        b"0 0 9 1000\n",
        b"0 0 9999999999999999999 0\n",
        b"0 0 9 0\n0 0 9 0\n",
        b"0 0 9 0\n ",
        b" 0 0 9 0\n",
        b"0 0 9 0\n" + b" " * LONGEST,
        b" " * LONGEST + b"0 0 9 0\n",
    ],
)
def test_anything_else_is_none(report, said):
    os.write(report.end, said)
    assert report.read() is None


def test_the_way_is_not_opened_again_by_its_name(report):
    with pytest.raises(OSError):
        open(f"/proc/{os.getpid()}/fd/{report.end}", "w")  # noqa: SIM115
    program = subprocess.run(["sh", "-c", f"echo 0 0 0 0 > /proc/{os.getpid()}/fd/{report.end}"], capture_output=True)
    assert program.returncode and report.read() is None
