"""The submission: a flat copy of the player's sources, with a proof.

The proof shows that the copy plays like the original.
"""
