"""Tests of control groups of versions 1 and 2.

The tests find, read and limit groups, and cover machines without groups.
"""

import errno
import os
import subprocess
import sys
import tempfile

import pytest

from littlego.sandbox import cgroups
from littlego.sandbox.cgroups import Group, open_group


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return a function that writes the system files with the mounts and this process's control groups."""

    def make(mounts, own):
        for name, text in (("mounts", mounts), ("own", own)):
            (tmp_path / name).write_text(text.replace("ROOT", str(tmp_path)))
        monkeypatch.setattr(cgroups, "MOUNTS", str(tmp_path / "mounts"))
        monkeypatch.setattr(cgroups, "OWN", str(tmp_path / "own"))
        return tmp_path

    return make


def test_a_group_of_version_2_is_one_folder_for_all(machine):
    root = machine("cgroup2 ROOT/sys cgroup2 rw 0 0\n", "0::/user/me\n")
    own = root / "sys" / "user" / "me"
    own.mkdir(parents=True)
    (own / "cgroup.controllers").write_text("cpu memory pids\n")
    assert cgroups._parents() == dict.fromkeys((*cgroups.V1, cgroups.FREEZER), str(own))


def test_in_version_2_this_process_makes_room_for_groups_with_controllers(machine):
    root = machine("cgroup2 ROOT/sys cgroup2 rw 0 0\n", "0::/scope\n")
    own = root / "sys" / "scope"
    own.mkdir(parents=True)
    (own / "cgroup.controllers").write_text("cpu memory pids io\n")
    (own / "cgroup.subtree_control").write_text("\n")
    assert set(cgroups._parents().values()) == {str(own)}
    assert (own / f"littlego-{os.getpid()}-self" / "cgroup.procs").read_text() == "0"
    assert (own / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    # a worker of this process is in the waiting group, and creates its groups beside the waiting group
    machine("cgroup2 ROOT/sys cgroup2 rw 0 0\n", f"0::/scope/littlego-{os.getpid()}-self\n")
    (own / "cgroup.subtree_control").write_text("cpu memory pids\n")
    assert set(cgroups._parents().values()) == {str(own)}


def test_a_group_of_version_2_that_others_share_stays_as_it_is(machine, monkeypatch):
    root = machine("cgroup2 ROOT/sys cgroup2 rw 0 0\n", "0::/scope\n")
    own = root / "sys" / "scope"
    own.mkdir(parents=True)
    (own / "cgroup.controllers").write_text("memory\n")
    write, moved = cgroups._write, []

    def refuse(path, text):  # as the kernel does while a group has processes
        if path.endswith("subtree_control"):
            raise OSError(errno.EBUSY, "busy")
        moved.append(os.path.relpath(path, own))
        if path.startswith(str(own / "littlego-")):
            return  # a real group can be removed with its files
        write(path, text)

    monkeypatch.setattr(cgroups, "_write", refuse)
    assert set(cgroups._parents().values()) == {str(own)}
    assert moved == [f"littlego-{os.getpid()}-self/cgroup.procs", "cgroup.procs"]
    assert sorted(os.listdir(own)) == ["cgroup.controllers", "cgroup.procs"]


DELEGATED = """
import os, sys
from littlego.sandbox import limited
limited.run_limited(["true"], "/", 5.0, 5.0)  # imports all modules, which the other user may not be able to read
for group in sys.argv[2:]:
    with open(os.path.join(group, "cgroup.procs"), "w") as file: file.write("0")
os.setgroups([]); os.setgid(65534); os.setuid(65534)
text = "trap '' CHLD; (i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done) & wait; sleep 600 & exit 0"
run = limited.run_limited(["sh", "-c", text], sys.argv[1], 20.0, 30.0)
print(run.held, run.cpu > 0.1, run.left, sep="; ")
"""


def test_an_ordinary_user_with_a_group_of_his_own_gets_all_limits(tmp_path_factory):
    """A group of each controller is delegated to another user, as `systemd-run --user --scope` does."""
    parents = sorted(set(cgroups._parents().values()))
    if os.geteuid() or not parents:
        pytest.skip("NOT RUN: only root can delegate a control group, where the machine lets root make one")
    groups = [os.path.join(parent, f"delegated-{os.getpid()}") for parent in parents]
    folder = tempfile.mkdtemp()  # not below pytest's own folder, which is private
    os.chown(folder, 65534, 65534)
    try:
        for group in groups:
            os.mkdir(group)
            for name in ("", "cgroup.procs", "tasks"):
                os.chown(os.path.join(group, name), 65534, 65534)
        done = subprocess.run([sys.executable, "-c", DELEGATED, folder, *groups], capture_output=True, text=True)
        assert done.stdout == "no sandbox, a control group (CPU time, memory, processes); True; 1\n", done.stderr
    finally:
        os.rmdir(folder)
        for group in groups:
            os.rmdir(group)


@pytest.mark.parametrize("works", [True, False])
def test_a_command_without_groups_runs_again_in_a_scope_of_systemd(machine, tmp_path, monkeypatch, works):
    """A script replaces systemd-run, since the machine may not run systemd."""
    machine("", "")
    standin = tmp_path / "systemd-run"
    standin.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\nexit {0 if works else 1}\n')
    standin.chmod(0o755)
    started = []
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv(cgroups.TRIED, "")
    monkeypatch.setattr(cgroups.os, "execvp", lambda program, words: started.append(words))
    command = ["/usr/bin/python3", "littlego", "grade", "theirs"]
    cgroups.enter_scope(command)
    options = ["--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--"]
    assert (tmp_path / "asked").read_text().split() == [*options, "true"]
    assert started == ([["systemd-run", *options, *command]] if works else [])
    cgroups.enter_scope(command)  # tried once in a command and its children
    assert len(started) == works and len((tmp_path / "asked").read_text().splitlines()) == 1


def test_a_command_that_can_make_groups_needs_no_scope(machine, tmp_path, monkeypatch):
    root = machine("cgroup ROOT/sys cgroup rw,pids 0 0\n", "1:pids:/\n")
    (root / "sys").mkdir()
    monkeypatch.setenv(cgroups.TRIED, "")
    monkeypatch.setattr(cgroups.os, "execvp", lambda *words: pytest.fail("started"))
    monkeypatch.setattr(cgroups.subprocess, "run", lambda *words, **others: pytest.fail("tried"))
    cgroups.enter_scope(["true"])


def test_groups_of_version_1_are_one_for_each_controller(machine):
    mounts = "".join(f"cgroup ROOT/sys/{name} cgroup rw,{name} 0 0\n" for name in ("cpu,cpuacct", "memory", "devices"))
    root = machine(mounts, "3:cpu,cpuacct:/\n2:memory:/mine\n1:devices:/\n")
    for name in ("cpu,cpuacct", "memory/mine", "devices"):
        (root / "sys" / name).mkdir(parents=True)
    assert cgroups._parents() == {
        "cpuacct": str(root / "sys" / "cpu,cpuacct"),
        "memory": str(root / "sys" / "memory" / "mine"),
    }


def test_where_no_group_can_be_made_there_is_none_and_nothing_fails(machine):
    machine("cgroup2 ROOT/missing cgroup2 rw 0 0\n", "0::/\n")
    group = open_group(1 << 30, 64)
    assert not group and group.holds() == [] and group.cpu() is None and group.pids() == [] and group.refusals() == []
    group.join()
    group.close()


def test_what_version_2_says_is_read(tmp_path):
    group = Group(dict.fromkeys(cgroups.V1, str(tmp_path)))
    for name, text in (
        ("cpu.stat", "usage_usec 2500000\nuser_usec 1\n"),
        ("memory.events", "oom 2\noom_kill 1\n"),
        ("pids.events", "max 3\n"),
        ("memory.max", "max"),
        ("pids.max", "max"),
    ):
        (tmp_path / name).write_text(text)
    assert group.cpu() == 2.5 and group.holds() == ["CPU time", "memory", "processes"]
    assert group.refusals() == ["reached its memory limit", "reached its process limit"]
    group.limit(1000, 7)
    assert (tmp_path / "memory.max").read_text() == "1000" and (tmp_path / "pids.max").read_text() == "7"


def test_a_group_that_a_killed_run_has_left_is_swept_away(machine):
    root = machine("cgroup ROOT/sys cgroup rw,pids 0 0\n", "1:pids:/\n")
    process = subprocess.Popen([sys.executable, "-S", "-E", "-c", ""])
    process.wait()
    for name in (f"littlego-{process.pid}-0/kid", f"littlego-{os.getpid()}-0", "littlego-of-others"):
        (root / "sys" / name).mkdir(parents=True)
    stray = subprocess.Popen(["sleep", "600"])
    (root / "sys" / f"littlego-{process.pid}-1").mkdir()
    (root / "sys" / f"littlego-{process.pid}-1" / "cgroup.procs").write_text(f"0\n{stray.pid}\n")
    cgroups._parents()
    assert stray.wait() == -9
    # unlike this folder, a real group can be removed with its files
    (root / "sys" / f"littlego-{process.pid}-1" / "cgroup.procs").unlink()
    cgroups._parents()
    assert sorted(os.listdir(root / "sys")) == sorted([f"littlego-{os.getpid()}-0", "littlego-of-others"])


def test_a_real_group_counts_all_its_processes_and_ends_them():
    group = open_group(1 << 30, 64)
    if "CPU time" not in group.holds():
        pytest.skip("NOT RUN: this machine lets us make no control group")
    text = "sleep 600 & i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
    subprocess.Popen(["sh", "-c", text], preexec_fn=group.join).wait()
    assert group.cpu() > 0 and len(group.pids()) == 1
    group.close()
    assert group.pids() == [] and not any(map(os.path.exists, group.folders.values()))


def test_a_real_group_is_removed_with_groups_that_were_made_in_it():
    group = open_group(1 << 30, 64)
    if "CPU time" not in group.holds():
        pytest.skip("NOT RUN: this machine lets us make no control group")
    below = [os.path.join(folder, "kid", "grandkid") for folder in group.folders.values()]
    for folder in below:
        os.makedirs(folder, exist_ok=True)
    child = subprocess.Popen(["sleep", "600"])
    with open(os.path.join(below[0], "cgroup.procs"), "w") as file:
        file.write(str(child.pid))
    assert group.pids() == [child.pid]
    group.close()
    assert child.wait() == -9 and not any(map(os.path.exists, group.folders.values()))
