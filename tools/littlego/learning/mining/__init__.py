"""Mining of labelled positions: patterns, changes and points to suggest, clusters, and weighed facts."""
