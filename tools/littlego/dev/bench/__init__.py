"""Benchmarks of turns, decisions, matching, superko and the sandbox, as ratios within one run.

The benchmarks of a turn measure the submitted files (littlego.submission). Benchmarks are not tests, so a busy machine
causes no test failures.
"""
