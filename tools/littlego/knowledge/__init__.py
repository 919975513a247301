"""The pattern language, with the reader, the compiler and the checks of patterns files.

The package owns the YAML reader, the expression language, and the test runner of the examples.
"""
