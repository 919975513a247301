"""Tests that hostile programs reach nothing outside the sandbox, leave no process, and are reported."""

import re

import pytest
from bubblewrap import needs_bubblewrap

from littlego.dev.attack.programs import HOSTILE, KNOWN, MORE, ONLY_HELD, SECOND
from littlego.dev.attack.traps import attack_host
from littlego.sandbox import cgroups

pytestmark = pytest.mark.thorough

# the programs that a control group measures or stops if the machine permits control groups
MEASURED = [name for name, (_, told) in HOSTILE.items() if re.search("CPU|memory$|left|filled|stopped", told)]


def test_the_programs_of_both_attacks_are_different_ones():
    assert len(KNOWN) >= 21 and len(MORE) >= 20 and len(SECOND) >= 20
    assert len(HOSTILE) == len(KNOWN) + len(MORE) + len(SECOND) and set(HOSTILE) > ONLY_HELD


@needs_bubblewrap
@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_foreign_is_touched_from_within_the_sandbox(name):
    attacked = attack_host(name)
    assert not attacked.faults, attacked
    assert attacked.held.startswith("bubblewrap")


@needs_bubblewrap
@pytest.mark.parametrize("name", MEASURED)
def test_each_program_is_also_reported_without_control_groups(monkeypatch, name):
    monkeypatch.setattr(cgroups, "open_group", lambda *limits, freezes=False: cgroups.Group({}))
    attacked = attack_host(name)
    assert not attacked.faults, attacked


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in ONLY_HELD])
def test_without_a_sandbox_the_host_follows_no_link_and_leaves_no_process(monkeypatch, name):
    monkeypatch.setenv("LITTLEGO_SANDBOX", "none")
    attacked = attack_host(name)
    replaced = "in place of its work folder" in attacked.report
    assert [fault for fault in attacked.faults if not (replaced and "the report does not contain" in fault)] == []
