"""The games of Go that the tools play: rulesets, positions, scores and clocks."""
