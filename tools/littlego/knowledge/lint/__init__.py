"""The checks of a patterns file: each kind of fault has a code, and is decided exactly or reported as undecided."""
