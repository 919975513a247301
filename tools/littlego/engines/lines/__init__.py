"""Lines of play that prove what facts read ahead: captures, ladders, fights and playouts."""
