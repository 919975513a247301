"""The engines that choose moves by a book of patterns: their protocol, implementations and selection."""
