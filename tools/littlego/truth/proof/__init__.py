"""Proofs that our player never gives a win away, with certificates that a second program checks."""
