"""Rebuilding of the repository's generated files in order, and checks whether any of them is stale."""
