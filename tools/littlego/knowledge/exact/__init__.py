"""Exact answers about patterns: searches through partial boards that find a witness or prove that there is none."""
