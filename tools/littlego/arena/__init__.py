"""Tournaments on one machine or a cluster: pairings, a results file, statistics, reports."""
