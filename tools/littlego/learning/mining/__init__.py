"""Mining of labelled positions: proposed patterns and changes, tuned points, clusters, and values of facts."""
