"""Mutation testing of patterns: small changes that an example or a recorded decision should detect."""
