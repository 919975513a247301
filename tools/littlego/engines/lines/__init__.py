"""Lines of play that justify the values of facts that read ahead: captures, ladders, fights and playouts."""
