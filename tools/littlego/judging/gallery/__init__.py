"""Browser pages about the knowledge: an atlas of all patterns with their effects in play."""
