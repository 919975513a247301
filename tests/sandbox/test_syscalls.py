"""Tests of the system-call filter of each architecture, run by an interpreter like the kernel's."""

import errno
import re
import socket
import struct
from pathlib import Path

import pytest

from littlego.sandbox import syscalls
from littlego.sandbox.syscalls import AARCH64, ALLOW, ALLOWED, ARCHITECTURES, FAIL, X86_64, filter_for

READ = {X86_64: 0, AARCH64: 63}
THREAD = 0x003D0F00  # the flags with which the C library creates a thread
NEW_USER = 0x10000000
# mount, umount2, pivot_root, chroot, open_tree, fsopen, unshare, setns, ptrace, process_vm_writev, pidfd_getfd, keyctl,
# bpf, perf_event_open, userfaultfd, io_uring_setup, kexec_load, init_module, clone3, and calls for memory that no limit
# counts: shmget, msgget, semget, memfd_create
REFUSED_X86_64 = (165, 166, 155, 161, 428, 430, 272, 308, 101, 311, 438, 250, 321, 298, 323, 425, 246, 175, 435)
REFUSED_X86_64 += (29, 68, 64, 319)
REFUSED_AARCH64 = (40, 39, 41, 51, 428, 430, 97, 268, 117, 271, 438, 219, 280, 241, 282, 425, 104, 105, 435)
REFUSED_AARCH64 += (194, 186, 190, 279)


def answer(machine, number, argument=0, architecture=None):
    """Return the filter's answer to a call: 'allowed', or an error's name."""
    data = struct.pack("<IIQ6Q", number, architecture or ARCHITECTURES[machine], 0, argument, 0, 0, 0, 0, 0)
    lines = list(struct.iter_unpack("<HBBI", filter_for(machine)))
    at = loaded = 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        if code == syscalls.LOAD:
            (loaded,) = struct.unpack_from("<I", data, value)
        elif code == syscalls.RETURN:
            return "allowed" if value == ALLOW else errno.errorcode[value - FAIL]
        else:
            tests = {syscalls.IF_EQUAL: loaded == value, syscalls.IF_AT_LEAST: loaded >= value,
                     syscalls.IF_ANY_BIT: loaded & value != 0}  # fmt: skip
            at += yes if tests[code] else no


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_a_call_in_the_list_goes_through_and_every_other_call_does_not_exist(machine):
    place = list(ARCHITECTURES).index(machine)
    allowed = {numbers[place] for numbers in ALLOWED.values()} - {None}
    assert len(allowed) == sum(numbers[place] is not None for numbers in ALLOWED.values())
    special = {ALLOWED[name][place] for name in ("clone", "socket", "socketpair")}
    for number in set(range(600)) - special:
        assert answer(machine, number) == ("allowed" if number in allowed else "ENOSYS"), number
    assert answer(machine, 0x3FFFFFFF) == "ENOSYS"
    assert answer(machine, READ[machine], NEW_USER) == "allowed"  # the argument of another call is not a flag of clone


@pytest.mark.parametrize(("machine", "refused"), [(X86_64, REFUSED_X86_64), (AARCH64, REFUSED_AARCH64)])
def test_calls_that_reach_beyond_the_program_are_not_in_the_list(machine, refused):
    assert {answer(machine, number) for number in refused} == {"ENOSYS"}


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_only_four_families_of_sockets_can_be_opened(machine):
    place = list(ARCHITECTURES).index(machine)
    for name in ("socket", "socketpair"):
        opened = [family for family in range(64) if answer(machine, ALLOWED[name][place], family) == "allowed"]
        assert opened == [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK]
        assert answer(machine, ALLOWED[name][place], 40) == "EAFNOSUPPORT"  # AF_VSOCK


def test_the_numbers_are_those_of_this_machines_kernel_headers():
    """Compare with the kernel headers for x86_64, if they are installed."""
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.is_file():
        pytest.skip("NOT RUN: no kernel headers for x86_64 here")
    known = {name: int(number) for name, number in re.findall(r"__NR_(\w+) (\d+)", header.read_text())}
    assert {name: pair[0] for name, pair in ALLOWED.items() if name in known} == {
        name: known[name] for name in ALLOWED if name in known
    }
    assert len(set(ALLOWED) - set(known)) < 10  # calls of later kernels


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_clone_makes_processes_and_threads_and_no_namespace(machine):
    clone = ALLOWED["clone"][list(ARCHITECTURES).index(machine)]
    assert answer(machine, clone, THREAD) == answer(machine, clone, 17) == "allowed"
    for bit in (0x20000, 0x2000000, 0x4000000, 0x8000000, NEW_USER, 0x20000000, 0x40000000):
        assert answer(machine, clone, bit | 17) == "EPERM"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_numbers_of_other_architectures_do_not_exist(machine):
    assert answer(machine, READ[machine], architecture=0x40000003) == "ENOSYS"  # i386, where call 165 is not mount
    other = next(name for name in ARCHITECTURES if name != machine)
    assert answer(machine, READ[other], architecture=ARCHITECTURES[other]) == "ENOSYS"


def test_the_second_set_of_numbers_of_x86_64_does_not_exist():
    assert answer(X86_64, syscalls.X32 + 165) == answer(X86_64, syscalls.X32) == "ENOSYS"


def test_a_machine_that_is_not_in_the_table_has_no_filter(monkeypatch):
    monkeypatch.setattr(syscalls.platform, "machine", lambda: "riscv64")
    assert filter_for("riscv64") == b"" and syscalls.open_filter() is None
