"""Commands for pattern authors: `init` creates a folder, and `new` creates a pattern from a position."""
