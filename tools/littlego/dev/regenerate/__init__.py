"""Generated files of the repository: rebuilds them in order, and checks whether any is stale."""
