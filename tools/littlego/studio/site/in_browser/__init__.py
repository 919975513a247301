"""Browser replacements for the modules that need numba, numpy or digests of the code.

`littlego site` stores each replacement under the name of the replaced module (see REPLACED). The replacements provide
only the functions that the playground's answers use. The compiled code itself is WebAssembly, built from the same
sources as numba's code: see littlego.studio.site.wasm.
"""

REPLACED = {  # module here -> module that it replaces
    "meaning": "meaning",
    "package": "engines/compiled/__init__",
    "board": "engines/compiled/board",
    "matching": "engines/compiled/matching",
    "engine": "engines/compiled/engine",
    "reasons": "engines/compiled/reasons",
    "labels": "truth/labels/labels",
    "kernel": "truth/solver/kernel",
}
