"""The pattern language: its reader and compiler, and the checks on patterns files.

The package owns the YAML reader, the expression language, and the test runner of the examples.
"""
