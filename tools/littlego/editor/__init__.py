"""The editor of patterns: pure functions that answer the studio's page, without HTTP or processes."""
