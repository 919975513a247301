"""Damaged and hostile inputs for everything that reads a file: made from seeds, run in process, faults kept and shrunk.

A target (targets, turns, kept) is one kind of file with the code that reads it and what must hold for any bytes at
all; mutator makes the bytes, attacking runs them, guided lets a fuzzer choose them by the lines that they reach.
"""
