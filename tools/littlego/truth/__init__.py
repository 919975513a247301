"""Exact values of 5x5 positions: solver, labels, proofs, and the grades computed from them."""
