"""Maintainers' tools: fuzzing of file readers, benchmarks and generated files."""
