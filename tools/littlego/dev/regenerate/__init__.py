"""The build of the repository's generated files, and the check for stale files."""
