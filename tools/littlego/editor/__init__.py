"""The editor of patterns: functions that answer requests from the studio's page, without HTTP or processes."""
