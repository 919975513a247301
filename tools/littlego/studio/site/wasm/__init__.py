"""The compiled engine and the solver as WebAssembly, from the sources that numba compiles."""
