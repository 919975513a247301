"""The pattern language: the reader, the compiler and the checks of patterns files.

The package also contains the expression language and the test runner for the examples of patterns.
"""
