"""Maintainers' tools: fuzzing of file readers, benchmarks and the rebuilding of generated files."""
