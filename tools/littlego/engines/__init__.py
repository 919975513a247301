"""Engines that choose moves by a book of patterns: the protocol, the engines and their selection."""
