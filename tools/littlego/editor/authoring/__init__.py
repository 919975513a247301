"""The author's commands: `init` for a new folder, and `new` for a pattern from a position."""
