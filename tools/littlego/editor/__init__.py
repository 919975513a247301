"""The pattern editor: functions that answer requests from the studio's page; no code for HTTP or processes."""
