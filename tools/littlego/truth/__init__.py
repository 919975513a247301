"""Exact values of 5x5: solver, labels, proofs, and the grades that follow from them."""
