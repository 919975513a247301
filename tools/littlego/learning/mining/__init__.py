"""Mining of labelled positions for improvements of the player.

The package suggests patterns and changes, tunes points, clusters overrides, and measures the value of facts.
"""
