"""The system call filter of the sandbox: a list of allowed calls; every other call fails.

The list covers the calls for files, processes, threads, signals, time and sockets that programs in Python (with NumPy),
Java and C++ use. The list omits calls for namespaces, mounts, other processes' memory, keys, BPF, io_uring and kernel
modules. The list also omits calls for memory that is charged to no process and no file: System V memory, message queues
and memfd. Calls that later kernels add also fail.

The filter is classic BPF, as in seccomp(2), for `bwrap --seccomp`. The numbers come from the kernel's tables:
arch/x86/entry/syscalls/syscall_64.tbl, and include/uapi/asm-generic/unistd.h for aarch64. This module runs on Python
3.7.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from typing import Iterable, Iterator, Tuple

X86_64, AARCH64 = "x86_64", "aarch64"
ARCHITECTURES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}  # linux/audit.h
_TABLE = """
read:0:63 write:1:64 open:2:- close:3:57 stat:4:- fstat:5:80 lstat:6:- lseek:8:62 pread64:17:67 pwrite64:18:68
readv:19:65 writev:20:66 preadv:295:69 pwritev:296:70 preadv2:327:286 pwritev2:328:287 access:21:- faccessat:269:48
faccessat2:439:439 openat:257:56 openat2:437:437 creat:85:- close_range:436:436 dup:32:23 dup2:33:- dup3:292:24
fcntl:72:25 flock:73:32 ioctl:16:29 fsync:74:82 fdatasync:75:83 sync_file_range:277:84 truncate:76:45
ftruncate:77:46 fallocate:285:47 fadvise64:221:223 readahead:187:213 sendfile:40:71 copy_file_range:326:285
splice:275:76 tee:276:77 newfstatat:262:79 statx:332:291 statfs:137:43 fstatfs:138:44 getdents:78:-
getdents64:217:61 getcwd:79:17 chdir:80:49 fchdir:81:50 rename:82:- renameat:264:38 renameat2:316:276 mkdir:83:-
mkdirat:258:34 rmdir:84:- link:86:- linkat:265:37 unlink:87:- unlinkat:263:35 symlink:88:- symlinkat:266:36
readlink:89:- readlinkat:267:78 chmod:90:- fchmod:91:52 fchmodat:268:53 chown:92:- fchown:93:55 lchown:94:-
fchownat:260:54 umask:95:166 mknod:133:- mknodat:259:33 utime:132:- utimes:235:- futimesat:261:- utimensat:280:88
setxattr:188:5 lsetxattr:189:6 fsetxattr:190:7 getxattr:191:8 lgetxattr:192:9 fgetxattr:193:10 listxattr:194:11
llistxattr:195:12 flistxattr:196:13 removexattr:197:14 lremovexattr:198:15 fremovexattr:199:16 fchmodat2:452:452
poll:7:- ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21
epoll_wait:232:- epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19 signalfd:282:-
signalfd4:289:74 timerfd_create:283:85 timerfd_settime:286:86 timerfd_gettime:287:87 pipe:22:- pipe2:293:59
brk:12:214 mmap:9:222 munmap:11:215 mprotect:10:226 mremap:25:216 msync:26:227 mincore:27:232 madvise:28:233
mlock:149:228 mlock2:325:284 munlock:150:229 pkey_mprotect:329:288 pkey_alloc:330:289 pkey_free:331:290
mbind:237:235 get_mempolicy:239:236 set_mempolicy:238:237 membarrier:324:283 mseal:462:462
clone:56:220 fork:57:- vfork:58:- execve:59:221 execveat:322:281 exit:60:93 exit_group:231:94 wait4:61:260
waitid:247:95 getpid:39:172 getppid:110:173 gettid:186:178 getpgid:121:155 setpgid:109:154 getpgrp:111:-
getsid:124:156 setsid:112:157 set_tid_address:218:96 set_robust_list:273:99 get_robust_list:274:100 futex:202:98
futex_waitv:449:449 rseq:334:293 arch_prctl:158:- prctl:157:167 capget:125:90 capset:126:91 getuid:102:174
geteuid:107:175 getgid:104:176 getegid:108:177 getresuid:118:148 getresgid:120:150 getgroups:115:158 setuid:105:146
setgid:106:144 setreuid:113:145 setregid:114:143 setresuid:117:147 setresgid:119:149 setfsuid:122:151
setfsgid:123:152 setgroups:116:159 getrlimit:97:163 setrlimit:160:164 prlimit64:302:261 getrusage:98:165
getpriority:140:141 setpriority:141:140 ioprio_get:252:31 ioprio_set:251:30 sched_yield:24:124
sched_getaffinity:204:123 sched_setaffinity:203:122 sched_getparam:143:121 sched_setparam:142:118
sched_getscheduler:145:120 sched_setscheduler:144:119 sched_get_priority_max:146:125 sched_get_priority_min:147:126
sched_rr_get_interval:148:127 sched_getattr:315:275 sched_setattr:314:274 getcpu:309:168 restart_syscall:219:128
futex_wake:454:454 futex_wait:455:455 futex_requeue:456:456
rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136 rt_sigtimedwait:128:137
rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240 rt_sigsuspend:130:133 sigaltstack:131:132 kill:62:129
tkill:200:130 tgkill:234:131 pause:34:- pidfd_open:434:434 pidfd_send_signal:424:424
time:201:- gettimeofday:96:169 times:100:153 clock_gettime:228:113 clock_getres:229:114 clock_nanosleep:230:115
nanosleep:35:101 alarm:37:- getitimer:36:102 setitimer:38:103 timer_create:222:107 timer_settime:223:110
timer_gettime:224:108 timer_getoverrun:225:109 timer_delete:226:111
uname:63:160 sysinfo:99:179 getrandom:318:278
socket:41:198 socketpair:53:199 connect:42:203 accept:43:202 accept4:288:242 bind:49:200 listen:50:201
shutdown:48:210 getsockname:51:204 getpeername:52:205 setsockopt:54:208 getsockopt:55:209 sendto:44:206
recvfrom:45:207 sendmsg:46:211 recvmsg:47:212 sendmmsg:307:269 recvmmsg:299:243
"""  # name:x86_64:aarch64, with - for a call that aarch64 lacks
ALLOWED = {
    name: (int(x86), None if arm == "-" else int(arm))
    for name, x86, arm in (call.split(":") for call in _TABLE.split())
}
_Line = Tuple[int, int, int, int]  # an instruction: code, lines to skip if true, lines to skip if false, value
# All CLONE_NEW* flags of clone: mount, cgroup, UTS, IPC, user, process and network namespaces.
NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
FAMILIES = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: confined to the sandbox's own network
X32 = 0x40000000  # the bit in the call numbers of the x32 ABI, which an x86_64 kernel may support
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data on a little-endian machine
LOAD, RETURN = 0x20, 0x06  # BPF_LD | BPF_W | BPF_ABS, BPF_RET | BPF_K
IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT = 0x15, 0x35, 0x45  # BPF_JMP | BPF_K with BPF_JEQ, BPF_JGE, BPF_JSET
ALLOW, FAIL = 0x7FFF0000, 0x00050000  # SECCOMP_RET_ALLOW; SECCOMP_RET_ERRNO, to which the error number is added
MISSING = FAIL + errno.ENOSYS  # C libraries then do without the call; for clone3 they call clone


def filter_for(machine: str) -> bytes:
    """Return the filter for a machine; b'' for an unknown machine. machine: a name as returned by platform.machine().

    The filter rejects calls outside ALLOWED, calls for another architecture that the processor supports, `clone` with a
    flag in NAMESPACES, and `socket` and `socketpair` with a family outside FAMILIES.
    """
    if machine not in ARCHITECTURES:
        return b""
    place = list(ARCHITECTURES).index(machine)
    numbers = {name: pair[place] for name, pair in ALLOWED.items()}
    lines: list[_Line] = [(LOAD, 0, 0, ARCHITECTURE), (IF_EQUAL, 1, 0, ARCHITECTURES[machine]), (RETURN, 0, 0, MISSING)]
    lines.append((LOAD, 0, 0, NUMBER))
    lines += _check_argument(numbers["clone"], [(IF_ANY_BIT, NAMESPACES, FAIL + errno.EPERM)], ALLOW)
    for name in ("socket", "socketpair"):
        allowed = [(IF_EQUAL, family, ALLOW) for family in FAMILIES]
        lines += _check_argument(numbers[name], allowed, FAIL + errno.EAFNOSUPPORT)
    for first, last in _ranges(number for number in numbers.values() if number is not None):
        # beyond the range: skip three lines; below the range: skip one
        lines += [(IF_AT_LEAST, 3, 0, last + 1), (IF_AT_LEAST, 0, 1, first), (RETURN, 0, 0, ALLOW)]
        lines.append((RETURN, 0, 0, MISSING))
    lines.append((RETURN, 0, 0, MISSING))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)


def open_filter() -> int | None:
    """Return a descriptor from which this machine's filter can be read, or None if no filter exists.

    The caller closes the descriptor.
    """
    data = filter_for(platform.machine())
    if not data:
        return None
    reading, writing = os.pipe()  # the capacity of a pipe far exceeds a filter's size
    with os.fdopen(writing, "wb") as file:
        file.write(data)
    return reading


def _check_argument(number: int | None, tests: list[tuple[int, int, int]], otherwise: int) -> list[_Line]:
    """Return BPF instructions that allow or refuse a system call, depending on the call's first argument.

    The first test that is true determines the result; if none is true, the result is `otherwise`.
    """
    assert number is not None
    lines: list[_Line] = [(LOAD, 0, 0, FIRST_ARGUMENT)]
    for test, value, answer in tests:
        lines += [(test, 0, 1, value), (RETURN, 0, 0, answer)]
    lines.append((RETURN, 0, 0, otherwise))
    return [(IF_EQUAL, 0, len(lines), number), *lines]


def _ranges(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number of each run of consecutive numbers, in ascending order."""
    run: list[int] = []
    for number in sorted(numbers):
        if run and number != run[-1] + 1:
            yield run[0], run[-1]
            run = []
        run.append(number)
    if run:
        yield run[0], run[-1]
