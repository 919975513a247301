"""Fuzzing of every file reader with damaged and hostile inputs; a seed determines the inputs.

A target describes one input format: the code that reads such inputs, and the properties that every result must have.
The modules `targets`, `turns`, `kept`, `classes` and `studio_requests` define targets. `mutator` creates inputs.
`attacking` tests the inputs and minimizes failing inputs. `guided` lets a fuzzer choose inputs by code coverage.
"""
