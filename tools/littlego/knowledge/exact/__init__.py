"""Exact answers about patterns: searches that find a witness or prove that none exists."""
