"""Conversion of numba's LLVM code to WebAssembly: compilation for wasm32, and linking by wasm-ld.

This module also runs as a program, whose argument is the path of the output file. `make` runs it in a separate process,
in which numba compiles for a generic processor. RUNTIME replaces the parts of numba's runtime that the code needs:
allocation of small arrays and reference counting. An array's descriptor begins with the reference count and contains
the data's address at the offset that compiled code expects.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from littlego.cache import FOLDER
from littlego.cli.arguments import ArgumentError

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+mutable-globals"
STACK = 1 << 18  # bytes
LINKERS = "wasm-ld", "wasm-ld-19", "wasm-ld-18", "wasm-ld-17", "wasm-ld-16", "wasm-ld-15", "wasm-ld-14"
ENVIRONMENT = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
# Memory is allocated at the top of a stack. `reset` sets the top. Only the topmost block is released.
RUNTIME = """
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
@top = global i32 0
define void @reset(i32 %start) {
  store i32 %start, ptr @top
  ret void
}
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %begin = load i32, ptr @top
  %described = inttoptr i32 %begin to ptr
  %more = add i64 %size, 111
  %rounded = and i64 %more, -64
  %bytes = trunc i64 %rounded to i32
  %end = add i32 %begin, %bytes
  store i32 %end, ptr @top
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %page = lshr i32 %end, 16
  %lacks = icmp uge i32 %page, %pages
  br i1 %lacks, label %grow, label %ready
grow:
  %less = sub i32 %page, %pages
  %lacking = add i32 %less, 16
  %before = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %lacking)
  br label %ready
ready:
  store i64 1, ptr %described
  %at_end = getelementptr i8, ptr %described, i32 8
  store i32 %end, ptr %at_end
  %data = add i32 %begin, 48
  %at_data = getelementptr i8, ptr %described, i32 24
  store i32 %data, ptr %at_data
  ret ptr %described
}
define void @NRT_MemInfo_call_dtor(ptr %described) {
  %at_end = getelementptr i8, ptr %described, i32 8
  %end = load i32, ptr %at_end
  %now = load i32, ptr @top
  %is_last = icmp eq i32 %end, %now
  br i1 %is_last, label %give_back, label %done
give_back:
  %begin = ptrtoint ptr %described to i32
  store i32 %begin, ptr @top
  br label %done
done:
  ret void
}
define void @NRT_Free(ptr %unused) {
  ret void
}
define i8 @subtract(ptr %count, i64 %number, i32 %condition) {
  %before = load i64, ptr %count
  %after = sub i64 %before, %number
  store i64 %after, ptr %count
  %is_zero = icmp eq i64 %after, 0
  %answer = zext i1 %is_zero to i8
  ret i8 %answer
}
"""


def make() -> bytes:
    """Return the WebAssembly module of the exported functions; the build takes about a minute.

    Raise ArgumentError if wasm-ld is missing or the build fails.
    """
    linker()
    with TemporaryDirectory() as scratch:
        made = Path(scratch, "engine.wasm")
        command = [sys.executable, "-m", __name__, str(made)]
        run = subprocess.run(command, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=False)
        if run.returncode:
            raise ArgumentError(f"the engine cannot be built for the browser:\n{run.stderr[-2000:]}")
        return made.read_bytes()


def linker() -> str:
    """Return the name of the installed linker; raise ArgumentError if no linker is installed."""
    for name in LINKERS:
        try:
            subprocess.run([name, "--version"], capture_output=True, check=True)
        except (OSError, subprocess.SubprocessError):
            continue
        return name
    raise ArgumentError(
        "there is no `wasm-ld`, the linker for WebAssembly: install lld (Debian, Ubuntu: apt install lld)"
    )


def _uncached() -> None:
    """Disable numba's cache in this process, because cached code is compiled for this machine's processor."""
    import numba

    from littlego.engines.compiled import board

    board.JIT["cache"] = False
    with_cache = numba.cfunc
    numba.cfunc = lambda *types, **options: with_cache(*types, **{**options, "cache": False})


def _modules() -> Iterator[tuple[str, str]]:
    """Yield (name, LLVM code) of each exported function, and of each function called by address."""
    from littlego.engines.compiled.board import separate
    from littlego.studio.site.wasm.exported import EXPORTED

    for name, function in EXPORTED.items():
        (compiled,) = function.overloads.values()
        code, mangled = compiled.library.get_llvm_str(), compiled.fndesc.mangled_name
        yield name, _retargeted(code).replace(f"@{mangled}(", f"@{name}(")
    for name, callback in separate().items():
        yield name, _with_entry(_retargeted(callback._library.get_llvm_str()), name)


def _retargeted(code: str) -> str:
    """Return LLVM code for WebAssembly, without numba's `@cfunc.` wrappers for calls from C."""
    code = re.sub(r"^target .*\n", "", code, flags=re.MULTILINE)
    code = re.sub(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"', "", code)
    code = re.sub(r"^define [^\n]*@cfunc\..*?^}\n", "", code, flags=re.MULTILINE | re.DOTALL)
    code = code.replace("@llvm.x86.atomic.sub.cc.i64", "@subtract").replace("= common ", "= weak ")
    return re.sub(r"(@subtract\(ptr[^,]*, i64[^,]*, i32) immarg", r"\1", code)


def _with_entry(code: str, name: str) -> str:
    """Return LLVM code with an added function `name` that passes integers on to the compiled function.

    Raise ValueError if the code does not define the compiled function.
    """
    function = name.rpartition(".")[2]
    head = re.search(rf"^define [^\n]*@(\S*?{len(function)}{function}\w*)\((.*)$", code, re.MULTILINE)
    if head is None:
        raise ValueError(f"numba's code for {name} does not define this function")
    numbers = ", ".join(f"i64 %n{k}" for k in range(head[2].count("i64 %")))
    return f"""{code}
define i64 @"{name}"({numbers}) {{
  %answer = alloca i64
  %fault = alloca ptr
  %status = call i32 @{head[1]}(ptr %answer, ptr %fault, {numbers})
  %value = load i64, ptr %answer
  ret i64 %value
}}
"""


def _write(made: Path) -> None:
    _uncached()
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine: Any = llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=3, reloc="static")
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    objects = []
    for name, code in (*_modules(), ("runtime", RUNTIME)):
        module = llvm.parse_assembly(head + code)
        module.verify()
        objects.append(made.with_name(f"{name}.o"))
        objects[-1].write_bytes(machine.emit_object(module))
    from littlego.studio.site.wasm.exported import EXPORTED

    exports = [f"--export={name}" for name in ("reset", "__heap_base", *EXPORTED)]
    options = [
        "--no-entry",
        "--gc-sections",
        "--strip-all",
        "--import-memory",
        "--stack-first",
        f"-zstack-size={STACK}",
    ]
    subprocess.run([linker(), *options, *exports, "-o", str(made), *map(str, objects)], check=True)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    _write(Path(sys.argv[1]))
