"""Fits of pattern points to recorded games or solved positions."""
