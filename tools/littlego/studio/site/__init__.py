"""The studio as plain files, with Python in the browser: built by `littlego site`."""
