"""Benchmarks of a turn, as ratios within one run: turn to bare interpreter start, slowest turn to median turn.

The benchmarks measure the submitted files (littlego.submission). Benchmarks are not tests, so a busy machine causes no
test failures.
"""
