"""Tools of maintainers: attacks on readers, benchmarks, generated files."""
