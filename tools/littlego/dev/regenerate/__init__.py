"""Rebuilding of the repository's generated files in order, and the check for stale files."""
