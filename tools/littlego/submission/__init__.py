"""The submission: a flat folder with the player's sources, and its proof.

The proof shows that this copy makes the same moves.
"""
