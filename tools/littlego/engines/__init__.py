"""Engines that choose moves with a book of patterns: their protocol, the engines and their selection."""
