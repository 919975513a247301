"""The pattern language: its reader and compiler, and the checks on patterns files.

The package owns YAML reading with exact positions, the expression language, and the runner of the examples.
"""
