"""Web pages about the patterns: an atlas of all patterns and their effects in play."""
