"""The system call filter of the sandbox: no namespaces, no mounts, no access to other processes.

The filter is classic BPF, as in seccomp(2), for `bwrap --seccomp`. The numbers come from the kernel's tables:
arch/x86/entry/syscalls/syscall_64.tbl, and include/uapi/asm-generic/unistd.h for aarch64. Runs on Python 3.7.
"""

from __future__ import annotations

import errno
import os
import platform
import struct

X86_64, AARCH64 = "x86_64", "aarch64"
ARCHITECTURES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}  # linux/audit.h
CLONE = {X86_64: 56, AARCH64: 220}
CLONE3 = 435  # the flags are in memory, where a filter cannot read them; the C library falls back to clone
REFUSED = {  # fail with EPERM: the numbers for x86_64 and aarch64
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
}
# All CLONE_NEW* flags of clone: mount, cgroup, UTS, IPC, user, process and network namespaces.
NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
X32 = 0x40000000  # the bit of the x32 numbers that an x86_64 kernel may support
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data, of a little-endian machine
LOAD, RETURN = 0x20, 0x06  # BPF_LD | BPF_W | BPF_ABS, BPF_RET | BPF_K
IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT = 0x15, 0x35, 0x45  # BPF_JMP | BPF_K with BPF_JEQ, BPF_JGE, BPF_JSET
ALLOW, FAIL = 0x7FFF0000, 0x00050000  # SECCOMP_RET_ALLOW; SECCOMP_RET_ERRNO, to which the error number is added


def filter_for(machine: str) -> bytes:
    """Return the filter for a machine; b'' for an unknown machine. machine: a name as from platform.machine().

    System calls of another architecture that the processor also supports fail with ENOSYS.
    """
    if machine not in ARCHITECTURES:
        return b""
    place = list(ARCHITECTURES).index(machine)
    refused = [numbers[place] for numbers in REFUSED.values()]
    missing, denied = FAIL + errno.ENOSYS, FAIL + errno.EPERM
    lines = [(LOAD, 0, 0, ARCHITECTURE), *_unless_equal(ARCHITECTURES[machine], missing), (LOAD, 0, 0, NUMBER)]
    if machine == X86_64:
        lines += _when(IF_AT_LEAST, X32, missing)
    lines += _when(IF_EQUAL, CLONE3, missing)
    for number in refused:
        lines += _when(IF_EQUAL, number, denied)
    lines += [(IF_EQUAL, 0, 3, CLONE[machine]), (LOAD, 0, 0, FIRST_ARGUMENT), *_when(IF_ANY_BIT, NAMESPACES, denied)]
    lines.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)


def open_filter() -> int | None:
    """Return a descriptor from which this machine's filter can be read; None if no filter exists.

    The caller closes the descriptor.
    """
    data = filter_for(platform.machine())
    if not data:
        return None
    reading, writing = os.pipe()  # the capacity of a pipe far exceeds a filter's size
    with os.fdopen(writing, "wb") as file:
        file.write(data)
    return reading


def _when(test: int, value: int, answer: int) -> list[tuple[int, int, int, int]]:
    """Return instructions that return the answer if a test of the loaded value holds, else continue."""
    return [(test, 0, 1, value), (RETURN, 0, 0, answer)]


def _unless_equal(value: int, answer: int) -> list[tuple[int, int, int, int]]:
    return [(IF_EQUAL, 1, 0, value), (RETURN, 0, 0, answer)]
