"""The pattern editor: functions that answer requests from the studio's page, without code for HTTP or processes."""
