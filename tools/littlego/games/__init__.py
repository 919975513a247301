"""Games of Go other than the course's: their rulesets, positions, scores and clocks."""
