"""Tournaments on one machine or a cluster: pairings, the results file, statistics and reports."""
