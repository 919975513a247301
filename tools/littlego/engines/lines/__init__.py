"""Lines of play that justify the answers of look-ahead facts: captures, ladders, fights and playouts."""
