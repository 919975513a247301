"""The submission: a copy of the player's sources in one folder, with a proof.

The proof shows that the copy plays like the original.
"""
