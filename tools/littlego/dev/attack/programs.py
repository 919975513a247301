"""Hostile programs: {name: (source text, text that the report must contain)}.

If "|" separates several texts, the report must contain at least one of these texts. An empty text accepts any report.

Placeholders in a source text: `TRAPS` is the folder with the traps, and `BYSTANDER` is the id of a process outside the
sandbox. `ABSTRACT` and `PORT` identify sockets outside the sandbox. The module littlego.dev.attack.traps replaces the
placeholders.
"""

from __future__ import annotations

PLAY = """
rows = open('input.txt').read().split()[6:]
free = [(i, j) for i in range(5) for j in range(5) if rows[i][j] == '0']
open('output.txt', 'w').write('%d,%d' % free[len(free) // 2])
"""
ORPHAN = """
import os, sys, time
def orphan(work):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open('/dev/null', os.O_RDWR)
            for end in (0, 1, 2): os.dup2(null, end)
            work()
        os._exit(0)
    os.wait()
"""
BURN = """
def burn(seconds=0.5):
    began = time.process_time()
    while time.process_time() - began < seconds: pass
    open('burnt', 'w').close()
    os._exit(0)
def await_burnt():
    while not os.path.exists('burnt'): time.sleep(0.01)
    os.remove('burnt')
"""
REWRITE = """
import os, glob
def rewrite(path):
    try:
        with open(path, 'r+b') as file: file.write(b'forged')
    except OSError: pass
for pid in [name for name in os.listdir('/proc') if name.isdigit()]:
    for path in glob.glob('/proc/%s/fd/*' % pid):
        try:
            name = os.readlink(path)
        except OSError: continue
        if name.startswith('TRAPS'): rewrite(path)
for place, below, names in os.walk('TRAPS'):
    for name in names: rewrite(os.path.join(place, name))
"""
CALLS = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def tell(what, done): sys.stderr.write('%s: %s\\n' % (what, 'done' if done else 'refused'))
def opens(path, mode):
    try: return open(path, mode)
    except OSError: return None
"""
# Programs that take over bubblewrap's own process: {effect: text}. These programs require x86_64 and a sandbox without
# a filter that forbids ptrace.
KEEPER = """
import ctypes, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes, libc.ptrace.restype = [ctypes.c_long] * 4, ctypes.c_long
registers = (ctypes.c_ulong * 27)()
RAX, RSI, RDI, ORIGINAL, RIP = 10, 13, 14, 15, 16
def trace(request, at=0, data=0): return libc.ptrace(request, 1, at, data)
def stop(): trace(0x4207); os.waitpid(1, 0x40000000)
def enter(number, first=0, second=0):
    changed = (ctypes.c_ulong * 27)(*registers)
    changed[RIP] -= 2
    changed[RAX], changed[ORIGINAL], changed[RDI], changed[RSI] = number, 2 ** 64 - 1, first, second
    trace(13, 0, ctypes.addressof(changed))
def go_on():
    changed = (ctypes.c_ulong * 27)(*registers)
    changed[RIP] -= 2
    changed[RAX], changed[ORIGINAL] = 61, 2 ** 64 - 1
    trace(13, 0, ctypes.addressof(changed))
    trace(17)
if trace(0x4206):
    sys.stderr.write('not traced')
    sys.exit()
stop()
trace(12, 0, ctypes.addressof(registers))
"""
TAKES_OVER = {
    "that stays": KEEPER + (
        "for number, first in ((157, 1), (112, 0)):  # prctl: no signal when the parent dies; setsid: a new session\n"
        "    enter(number, first)\n    trace(9)\n    os.waitpid(1, 0x40000000)\n"
        "go_on()\nif os.fork() == 0: os.setsid(); os.close(2); time.sleep(600)\n"
    ),
    "that thinks": KEEPER + (
        "was = trace(1, registers[RIP])\ntrace(4, registers[RIP], was & ~0xffff | 0xfeeb)  # a jump to itself\n"
        "changed = (ctypes.c_ulong * 27)(*registers)\nchanged[ORIGINAL] = 2 ** 64 - 1\n"
        "trace(13, 0, ctypes.addressof(changed))\ntrace(7)\ntime.sleep(1.5)\nstop()\n"
        "trace(4, registers[RIP], was)\ngo_on()\n"
    ),
}  # fmt: skip

KNOWN = {
    "passes always": ("open('output.txt', 'w').write('PASS')", ""),
    "forges the results": (REWRITE + PLAY, ""),
    "spoils the cache": (
        "import os\nfor place, _, names in os.walk('TRAPS/cache'):\n"
        "    for name in names: open(os.path.join(place, name), 'a').write('# spoilt')\n" + PLAY,
        "",
    ),
    "many children that sleep": (
        "import os, time\nfor _ in range(20):\n    if os.fork() == 0: os.close(2); time.sleep(600)\n" + PLAY,
        "left 20 processes running",
    ),
    "orphans that sleep": (
        ORPHAN + "for _ in range(3): orphan(lambda: time.sleep(600))\n" + PLAY,
        "left 3 processes running",
    ),
    "orphans that use CPU time": (ORPHAN + BURN + "orphan(burn)\nawait_burnt()\n" + PLAY, "CPU"),
    "kills its parent": (
        PLAY + "import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(600)",
        "ended its supervising shell",
    ),
    "signals its grandparent": (
        PLAY + "import os, time\nstat = open('/proc/%d/stat' % os.getppid()).read().rpartition(')')[2].split()\n"
        "os.kill(int(stat[1]), 9)\ntime.sleep(0.1)",
        "",
    ),
    "replaces its folder by a link": (
        "import os\nhere = os.getcwd()\nos.rename(here, here + '-moved')\nos.symlink('TRAPS', here)\n",
        "no output.txt",
    ),
    "removes its folder": ("import os, shutil\nshutil.rmtree(os.getcwd())", "no output.txt was written"),
    "output.txt is a link": ("import os\nos.symlink('/etc/passwd', 'output.txt')", "is not a plain file"),
    "input.txt becomes a link": (
        PLAY + "import os\nos.remove('input.txt')\nos.symlink('TRAPS/secret.txt', 'input.txt')",
        "",
    ),
    "output.txt is a tree": ("import os\nos.makedirs('output.txt/a/b/c')", "is not a plain file"),
    "output.txt is a pipe": ("import os\nos.mkfifo('output.txt')", "is not a plain file"),
    "output.txt is endless": (
        "file = open('output.txt', 'wb', 0)\nwhile True: file.write(b'x' * (1 << 20))",
        "grew to 64 MB, the limit for a file",
    ),
    "standard error is endless": (
        "import os\nfor _ in range(100): os.write(2, b'x' * (1 << 16))\n" + PLAY,
        "MB on standard error",
    ),
    "large files": (
        "for number in range(16):\n    with open('f%d' % number, 'wb') as file:\n"
        "        for _ in range(63): file.write(b'x' * (1 << 20))\n" + PLAY,
        "has filled its work folder with more than 256 MB",
    ),
    "much memory": ("block = b'x' * (600 << 20)\n" + PLAY, "MemoryError"),
    "sleeps": ("import time\ntime.sleep(300)", "was stopped after"),
    "reads and writes elsewhere": (
        "import os\nfor path in ('TRAPS/secret.txt', '/etc/passwd'):\n"
        "    try: open('loot.txt', 'a').write(open(path).read())\n    except OSError: pass\n"
        "for path in ('TRAPS/planted.txt', '/usr/planted.txt', '/planted.txt', os.path.expanduser('~/planted.txt')):\n"
        "    try: open(path, 'w').write('planted')\n    except OSError: pass\n" + PLAY,
        "",
    ),
    "listens on a socket": (
        "import socket\nserver = socket.socket()\nserver.bind(('', 0))\nserver.listen()\n"
        "try: socket.create_connection(('127.0.0.1', PORT), timeout=2).sendall(b'x')\n"
        "except OSError: pass\n" + PLAY,
        "",
    ),
    "prints escape sequences": (
        "import sys\nsys.stderr.write('\\x1b[2J<b>all is well</b>')\nopen('\\x1b[31mred', 'w')\n"
        "open('output.txt', 'w').write('\\x1b[2J')",
        "begins with",
    ),
}

MORE = {
    "traces its host": (
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "told = [libc.ptrace(16, pid, 0, 0) for pid in (os.getppid(), BYSTANDER)]\n"
        "open('told.txt', 'w').write(str(told))\nlibc.ptrace(17, os.getppid(), 0, 0)\n" + PLAY,
        "",
    ),
    "input.txt links to the results": (
        PLAY + "import os\nos.remove('input.txt')\nos.symlink('TRAPS/results.jsonl', 'input.txt')\n"
        "os.symlink('TRAPS/results.jsonl', 'my_player3_count.txt')",
        "",
    ),
    "renames its folder while it plays": (
        "import os\nhere = os.getcwd()\nos.rename(here, here + '-moved')\nos.mkdir(here)\n",
        "no output.txt",
    ),
    "creates pipes as its files": (
        "import os\nfor name in ('my_player3_count.txt', 'notes.txt'):\n"
        "    if not os.path.exists(name): os.mkfifo(name)\n" + PLAY,
        "",
    ),
    "abstract sockets": (
        "import socket\nserver = socket.socket(socket.AF_UNIX)\n"
        "try: server.connect('\\0ABSTRACT'); server.send(b'x')\nexcept OSError: pass\n" + PLAY,
        "",
    ),
    "changes its user id": (
        "import os, stat\nfor number in (0, 65534):\n    try: os.setuid(number)\n    except OSError: pass\n"
        "with open('shell', 'w') as file: pass\nos.chmod('shell', 0o4755)\n" + PLAY,
        "",
    ),
    "writes into its parent's memory": (
        "import os\nfor pid in (os.getppid(), BYSTANDER):\n    try:\n"
        "        with open('/proc/%d/mem' % pid, 'r+b', 0) as file: file.seek(4096); file.write(b'x')\n"
        "    except OSError: pass\n" + PLAY,
        "",
    ),
    "fills shared memory": (
        "for place in ('/dev/shm', '/tmp', '/dev', '/'):\n    try:\n"
        "        with open(place + '/fill', 'wb') as file:\n"
        "            for _ in range(200): file.write(b'x' * (1 << 20))\n    except OSError: pass\n" + PLAY,
        "",
    ),
    "a daemon": (
        "import subprocess, time\n"
        "subprocess.Popen('nohup setsid sleep 600 >/dev/null 2>&1 &', shell=True).wait()\n" + PLAY,
        "left 1 process running",
    ),
    "10,100 small files": (
        "for number in range(10100): open('n%d' % number, 'w').close()\n" + PLAY,
        "has filled its work folder with more than 10,000 files",
    ),
    "namespaces of its own": (
        "import subprocess\nsubprocess.call(['unshare', '-r', '-m', 'sh', '-c', 'umount -l /proc; mount -t tmpfs x "
        "/usr; echo x > TRAPS/planted.txt'], stderr=subprocess.DEVNULL)\n" + PLAY,
        "",
    ),
    "reads its parent's environment": (
        "import os\nloot = b''\nfor pid in (os.getppid(), 1, BYSTANDER):\n"
        "    try: loot += open('/proc/%d/environ' % pid, 'rb').read()\n    except OSError: pass\n"
        "open('loot.txt', 'wb').write(loot)\n" + PLAY,
        "",
    ),
    "kills all processes": (PLAY + "import os\nos.kill(-1, 9)", "ended its supervising shell"),
    "closes its folder": (PLAY + "import os\nos.chmod('.', 0)", ""),
    "a deep tree": (
        "import os\ntop = os.open('.', os.O_RDONLY)\nfor _ in range(1200):\n    os.mkdir('d'); os.chdir('d')\n"
        "os.fchdir(top)\n" + PLAY,
        "",
    ),
    "names that break lines": (
        "import os\nopen('a\\nlittlego: all is well\\n', 'w')\nopen(b'\\xff\\xfe', 'w')\n" + PLAY,
        "",
    ),
    "ignored children that use CPU time": (
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + BURN
        + "if os.fork() == 0: burn(1.5)\nawait_burnt()\n" + PLAY,
        "CPU",
    ),
    "forges the shell's report": (
        "import os, time\ntry: open('/proc/%d/fd/3' % os.getppid(), 'w').write('0 0 999999999999\\n')\n"
        "except OSError: pass\nbegan = time.process_time()\nwhile time.process_time() - began < 0.5: pass\n" + PLAY,
        "CPU",
    ),
    "changes the settings of the system": (
        CALLS + "places = ['/proc/sys/vm/swappiness', '/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger']\n"
        "tell('settings', any(opens(path, 'a') for path in places))\n" + PLAY,
        "settings: refused",
    ),
    "mounts control groups": (
        CALLS + "os.makedirs('/tmp/groups')\nlibc.unshare(0x12020000)\n"
        "tell('groups', not libc.mount(b'x', b'/tmp/groups', b'cgroup', 0, b'pids') or "
        "not libc.mount(b'x', b'/tmp/groups', b'cgroup2', 0, None))\n" + PLAY,
        "groups: refused",
    ),
    "takes over the sandbox's keeper": (
        CALLS + "tell('keeper', not libc.ptrace(0x4206, 1, 0, 0) or opens('/proc/1/mem', 'r+b'))\n" + PLAY,
        "keeper: refused",
    ),
    "reads the keeper's command line": (
        CALLS + "file = opens('/proc/1/cmdline', 'rb')\ntell('words', file and file.read())\n" + PLAY,
        "words: refused",
    ),
    "stores a key in a keyring": (
        CALLS + "number = {'x86_64': 248, 'aarch64': 217}[os.uname().machine]\n"
        "tell('note', libc.syscall(number, b'user', b'note', b'x', 1, ctypes.c_long(-3)) > 0)\n" + PLAY,
        "note: refused",
    ),
    "kills the shell and forges its report": (
        PLAY + CALLS + "import time\nfile = opens('/proc/%d/fd/3' % os.getppid(), 'w')\n"
        "if file: file.write('0 0 20000000\\n'); file.flush()\nos.kill(os.getppid(), 9)\ntime.sleep(5)",
        "ended its supervising shell",
    ),
}  # fmt: skip
SECOND = {
    "children that use CPU time and then sleep": (
        "import os, time\nfor _ in range(60):\n    if os.fork() == 0:\n"
        "        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n        began = time.process_time()\n"
        "        while time.process_time() - began < 0.05: pass\n        time.sleep(300)\n        os._exit(0)\n"
        "time.sleep(300)",
        "was stopped after",
    ),
    "ignored children that run beside it": (
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + BURN
        + "for _ in range(3):\n    if os.fork() == 0: burn()\ntime.sleep(1.5)\n" + PLAY,
        "CPU",
    ),
    "looks for our player": (
        "import os, sys\nfound = []\nfor place, below, names in os.walk('/'):\n"
        "    if place == '/': below[:] = [name for name in below if name not in ('proc', 'sys', 'dev')]\n"
        "    found += [place] * bool({'last_resort.py', 'patternfile.py', 'patterns.match.txt'} & set(names))\n"
        "for name in ('littlego', 'rules', 'littlego.rules.engine', 'my_player3'):\n"
        "    try: __import__(name); found.append(name)\n    except ImportError: pass\n"
        "sys.stderr.write('ours: %s\\n' % (found or 'not found'))\n" + PLAY,
        "ours: not found",
    ),
    "fills the disk with removed files": (
        "import os, time\nkept = []\nfor _ in range(8):\n    kept.append(open('f', 'wb'))\n"
        "    for _ in range(48): kept[-1].write(b'x' * (1 << 20))\n    kept[-1].flush(); os.remove('f')\n"
        "time.sleep(600)",
        "has filled its work folder with more than 256 MB|No space left on device",
    ),
    "reserves disk space without writing": (
        "import os, time\nfor number in range(16):\n    file = os.open('f%d' % number, os.O_CREAT | os.O_WRONLY)\n"
        "    os.posix_fallocate(file, 0, 60 << 20)\ntime.sleep(600)",
        "has filled its work folder with more than 256 MB|No space left on device",
    ),
    "shared memory": (
        "import mmap, time\nblocks = [mmap.mmap(-1, 64 << 20) for _ in range(10)]\n"
        "for block in blocks:\n    for _ in range(64): block.write(bytes(1 << 20))\ntime.sleep(600)",
        "memory",
    ),
    "memory outside any process": (
        CALLS + "numbers = {'x86_64': (319, 29, 68, 240), 'aarch64': (279, 194, 186, 180)}[os.uname().machine]\n"
        "tell('memory', any(libc.syscall(number, b'x', 1 << 20, 0o1600) >= 0 for number in numbers))\n" + PLAY,
        "memory: refused",
    ),
    "sockets of the machine": (
        CALLS + "import socket\ndef opens_socket(family, kind):\n    try: return socket.socket(family, kind)\n"
        "    except OSError: return None\nkinds = [(40, 1), (17, 3), (38, 5), (31, 3), (29, 3), (44, 3), (16, 3)]\n"
        "tell('sockets', any(opens_socket(*kind) for kind in kinds[:-1]))\n" + PLAY,
        "sockets: refused",
    ),
    "the clock of the machine": (
        CALLS + "import time\ndef sets():\n    try: time.clock_settime(time.CLOCK_REALTIME, 0)\n"
        "    except OSError: return False\n    return True\ntell('clock', sets())\n" + PLAY,
        "clock: refused",
    ),
    "the kernel's newest calls": (
        CALLS + "tell('calls', any(libc.syscall(number, 0, 0, 0, 0) >= 0 for number in (323, 425, 428, 444, 447, 500)))"
        "\n" + PLAY,
        "calls: refused",
    ),
    "a fork bomb": (
        "import os, time\ntry:\n    while True: os.fork()\nexcept OSError: time.sleep(300)",
        "",
    ),
    "a bomb of threads": (
        "import threading, time\ntry:\n    while True: threading.Thread(target=time.sleep, args=(300,)).start()\n"
        "except RuntimeError: pass\nimport os\n" + PLAY + "os._exit(0)",
        "",
    ),
    "stops its shell": (
        "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(300)",
        "was stopped",
    ),
    "stops itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)  # sleep(300)", "was stopped"),
    "raises its own limits": (
        CALLS + "import resource\ndef raises(kind):\n    before = resource.getrlimit(kind)\n"
        "    try: resource.setrlimit(kind, (before[1] * 2, before[1] * 2))\n"
        "    except (OSError, ValueError): return False\n    return True\n"
        "kinds = (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_DATA, resource.RLIMIT_NOFILE)\n"
        "tell('limits', any(map(raises, kinds)))\n" + PLAY,
        "limits: refused",
    ),
    "links of others' files": (
        CALLS + "def links(path):\n    try: os.link(path, 'mine'); return True\n    except OSError: return False\n"
        "tell('links', any(map(links, ('TRAPS/secret.txt', '/etc/passwd', '/usr/bin/env', '/bin/sh'))))\n" + PLAY,
        "links: refused",
    ),
    "spoils its interpreter": (
        CALLS + "import sysconfig, glob\nplaces = list(sysconfig.get_paths().values()) + sys.path + [sys.prefix]\n"
        "places += glob.glob(sysconfig.get_paths()['stdlib'] + '/__pycache__')\n"
        "tell('files', any(opens(place + '/planted.py', 'w') for place in places "
        "if place and not place.startswith(os.getcwd())))\n" + PLAY,
        "files: refused",
    ),
    "a child that answers after its turn": (
        "import os, time\nif os.fork() == 0:\n    os.setsid(); os.close(2); time.sleep(1)\n"
        "    open('output.txt', 'w').write('4,4')\n    time.sleep(600)\n" + PLAY,
        "left 1 process running",
    ),
    "devices": (
        CALLS + "import stat\ndef makes(kind, number):\n"
        "    try: os.mknod('device', kind | 0o600, number); return True\n    except OSError: return False\n"
        "tell('devices', makes(stat.S_IFBLK, os.makedev(8, 0)) or makes(stat.S_IFCHR, os.makedev(1, 1)) or "
        "any(opens('/dev/' + name, 'rb') for name in ('mem', 'kmem', 'sda', 'fuse', 'kvm', 'net/tun', 'kmsg')))\n"
        + PLAY,
        "devices: refused",
    ),
    "the terminal of its host": (
        CALLS + "import fcntl\nfile = opens('/dev/tty', 'r+b')\n"
        "def types(file):\n    try: fcntl.ioctl(file, 0x5412, b'x'); return True\n    except OSError: return False\n"
        "tell('terminal', file and types(file) or any(types(end) for end in (0, 1, 2)))\n" + PLAY,
        "terminal: refused",
    ),
    "an output of a million lines": (
        "with open('output.txt', 'w') as file:\n    for _ in range(1000000): file.write('2,2\\n')", "",
    ),
    "a sparse output file": (
        "with open('output.txt', 'wb') as file: file.write(b'2,2\\n'); file.truncate(60 << 20)", "",
    ),
    "a mount over its folder": (
        CALLS + "os.mkdir('m')\ntell('mount', not libc.mount(b'x', b'm', b'tmpfs', 0, None) or "
        "not libc.mount(b'/', b'm', None, 4096, None) or not libc.umount2(b'/game', 2))\n" + PLAY,
        "mount: refused",
    ),
    "150 folders": (
        "import os\nfor number in range(150): os.makedirs('d%d' % number, exist_ok=True)\n" + PLAY, "",
    ),
}  # fmt: skip
HOSTILE = {**KNOWN, **MORE, **SECOND}
# Programs that would harm the machine or the tests without a sandbox.
ONLY_HELD = {
    "forges the results",
    "spoils the cache",
    "kills its parent",
    "signals its grandparent",
    "removes its folder",
    "much memory",
    "reads and writes elsewhere",
    "listens on a socket",
    "traces its host",
    "abstract sockets",
    "changes its user id",
    "writes into its parent's memory",
    "fills shared memory",
    "namespaces of its own",
    "reads its parent's environment",
    "kills all processes",
    "forges the shell's report",
    "changes the settings of the system",
    "mounts control groups",
    "takes over the sandbox's keeper",
    "reads the keeper's command line",
    "stores a key in a keyring",
    "kills the shell and forges its report",
    "shared memory",
    "sockets of the machine",
    "the clock of the machine",
    "memory outside any process",
    "the kernel's newest calls",
    "a fork bomb",
    "a bomb of threads",
    "stops its shell",
    "looks for our player",
    "links of others' files",
    "spoils its interpreter",
    "devices",
    "the terminal of its host",
    "a mount over its folder",
    "raises its own limits",
}
