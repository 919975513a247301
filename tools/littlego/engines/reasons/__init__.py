"""Reasons of decisions: the patterns' contributions to each move, and the patterns that decide."""
