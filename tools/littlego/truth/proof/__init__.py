"""Proofs that our player never gives a win away, with certificates that a second program checks.

The walk of a proof visits every position that the player can meet. A layer contains all positions of the walk with a
given number of moves left.
"""
