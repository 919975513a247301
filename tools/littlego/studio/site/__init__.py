"""The studio as static files that run Python in the browser, built by `littlego site`."""
