"""The checks of a patterns file: a code for each kind of fault, decided exactly or left undecided."""
