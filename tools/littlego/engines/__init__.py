"""Engines that decide positions by a book of patterns: a protocol, implementations and their choice."""
