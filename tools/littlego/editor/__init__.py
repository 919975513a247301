"""The editor of patterns: functions that answer requests of the studio's page, without HTTP or processes."""
