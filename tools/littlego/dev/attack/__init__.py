"""Fuzzing of every file reader with damaged and hostile inputs; a seed determines the inputs.

A target (modules `targets`, `turns` and `kept`) describes one file format: the code that reads such files, and the
properties that must hold for any input. `mutator` makes inputs, `attacking` runs the inputs in this process and
minimizes those that fail, and `guided` lets a fuzzer choose inputs by code coverage.
"""
