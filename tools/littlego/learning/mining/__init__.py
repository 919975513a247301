"""Mining of labelled positions: suggested patterns and changes, tuned points, clusters, and the value of facts."""
