"""Exact answers about patterns: searches that find a witness position or prove that no witness exists."""
