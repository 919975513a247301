"""Many games between many players: pairings, one file of results, statistics, reports, one machine or a cluster."""
