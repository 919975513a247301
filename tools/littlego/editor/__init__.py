"""The pattern editor: functions that answer requests from the studio's page.

The package contains no code for HTTP or processes.
"""
