"""From patterns.yaml to patterns.txt: the pattern language, its compiler, and the checks on what authors write.

Owns the reading of YAML with exact positions, the expression language, and the running of examples.
"""
