"""Pages about the knowledge for the browser: an atlas of all patterns, and what they do in play."""
