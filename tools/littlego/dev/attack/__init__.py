"""Fuzzing of every file reader with damaged and hostile inputs; a seed determines the inputs.

A target (modules `targets`, `turns`, `kept`, `classes` and `studio_requests`) describes one input format: the code that
reads such inputs, and the properties that every answer must have. `mutator` creates inputs, `attacking` runs the inputs
in this process and minimizes failing inputs, and `guided` lets a fuzzer choose inputs by code coverage.
"""
