"""Mining of labelled positions for patterns, changes, points, clusters and useful facts."""
