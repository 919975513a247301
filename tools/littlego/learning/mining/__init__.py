"""Mining of labelled positions: suggested patterns and changes, tuned points, clusters and weighed facts."""
