"""The checks of a patterns file: one code for each fault, decided exactly or reported as undecided."""
