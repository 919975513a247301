"""Tests of the system-call filter for each architecture, with an interpreter like the kernel's."""

import errno
import struct

import pytest

from littlego.sandbox import syscalls
from littlego.sandbox.syscalls import AARCH64, ALLOW, ARCHITECTURES, CLONE, CLONE3, FAIL, REFUSED, X86_64, filter_for

READ = {X86_64: 0, AARCH64: 63}
THREAD = 0x003D0F00  # the flags with which the C library creates a thread
NEW_USER = 0x10000000


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
def test_what_is_in_the_table_is_refused_and_the_rest_goes_through(machine):
    place = list(ARCHITECTURES).index(machine)
    refused = {numbers[place] for numbers in REFUSED.values()}
    assert len(refused) == len(REFUSED)
    for number in range(600):
        if number in refused:
            assert answer(machine, number) == "EPERM"
        elif number == CLONE3:
            assert answer(machine, number) == "ENOSYS"  # so that the C library falls back to clone
        else:
            assert answer(machine, number) == "allowed"
    assert answer(machine, READ[machine], NEW_USER) == "allowed"  # the argument of another call is not a flag of clone


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_clone_makes_processes_and_threads_and_no_namespace(machine):
    assert answer(machine, CLONE[machine], THREAD) == answer(machine, CLONE[machine], 17) == "allowed"
    for bit in (0x20000, 0x2000000, 0x4000000, 0x8000000, NEW_USER, 0x20000000, 0x40000000):
        assert answer(machine, CLONE[machine], bit | 17) == "EPERM"


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
