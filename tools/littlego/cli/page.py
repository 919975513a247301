"""Web pages: one file that needs nothing else, for people on a phone, at a desk, on paper, by day and by night.

The style sheet, tools/littlego/cli/templates/page.css, names what a page may use: `card`, `pictures`, `wide` around
tables, `number`, `quiet`, `good`, `bad`, `screen-only`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache
def templates(package: str = "littlego.cli") -> Environment:
    """Return the templates in a package's folder `templates`: all they are given is escaped, and must be there."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def render_template(package: str, template: str, **values: Any) -> str:
    """Return a template of a package with these values; only what `markupsafe.Markup` holds goes in unescaped."""
    return templates(package).get_template(template).render(**values)


def render_page(title: str, body_html: str, *, style: str = "", script: str = "") -> str:
    """Return a whole page.

    title: plain text. body_html, style (CSS) and script (JavaScript) go in as they are: what comes from people must
    be escaped, as `render_template` does.
    """
    from markupsafe import Markup

    return render_template(
        "littlego.cli",
        "page.html",
        title=title,
        body=Markup(body_html),
        style=Markup(style),
        script=Markup(script),
    )
