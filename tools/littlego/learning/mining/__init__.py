"""Mining of labelled positions.

The package computes suggested patterns and changes, tuned points, clusters, and the value of facts.
"""
