"""A match between two programs over WebSockets: `littlego serve` referees it, `littlego join` plays."""
