"""Plugins of the whole suite."""

pytest_plugins = ["pattern_coverage"]
