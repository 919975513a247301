"""The editor of patterns: functions that answer the studio's page, independent of HTTP and processes."""
