"""Benchmarks of turns, decisions, matching, superko and the sandbox.

The benchmarks of a turn measure the submitted files (littlego.submission). No test depends on the figures, so a busy
machine causes no test failures.
"""
