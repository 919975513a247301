"""What takes the place of the compiled engine's modules in a page, where there is neither numba nor numpy.

`littlego site` puts each of these modules under the name of the module that it replaces (REPLACED). They offer what the
page's answers use. The compiled code itself is WebAssembly, from the same sources: see littlego.studio.site.wasm.
"""

REPLACED = {  # module here -> module in its place
    "package": "engines/compiled/__init__",
    "board": "engines/compiled/board",
    "matching": "engines/compiled/matching",
    "engine": "engines/compiled/engine",
    "kernel": "truth/solver/kernel",
}
