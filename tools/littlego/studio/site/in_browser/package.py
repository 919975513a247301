"""The compiled engine in a page: see littlego.studio.site.in_browser."""


def is_kept(module: str) -> bool:
    """Return whether the compiled functions of a module are there: always."""
    return True
