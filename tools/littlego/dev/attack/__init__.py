"""Fuzzing of everything that reads a file, with damaged and hostile inputs from seeds.

A target (modules targets, turns, kept) is one kind of file with the code that reads it and the properties that must
hold for any input. `mutator` makes inputs, `attacking` runs them in this process and minimizes faulty ones, and
`guided` lets a fuzzer choose inputs by code coverage.
"""
