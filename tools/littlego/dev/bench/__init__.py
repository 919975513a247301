"""What a turn costs, as ratios inside one run: a new process against a bare start, the slowest turn against the median.

Measures what is handed in (littlego.submission). Nothing here is ever a test that can fail for a busy machine.
"""
