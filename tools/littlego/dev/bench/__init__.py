"""Benchmarks of a turn, as ratios within one run: against a bare start, and slowest against median.

The benchmarks measure the submitted files (littlego.submission). No benchmark is a test, so a busy machine causes no
failures.
"""
