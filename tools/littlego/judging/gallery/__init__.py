"""The atlas: a web page with all patterns of a file and, optionally, their counts in play."""
