"""Mining of labelled positions: suggested patterns and changes, tuned points, clusters of blunders and the value of facts."""
