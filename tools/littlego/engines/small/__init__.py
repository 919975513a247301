"""The engine for small boards."""
