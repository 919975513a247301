"""Self-contained web pages for phones, desktops and print, in light and dark mode.

The style sheet, tools/littlego/cli/templates/page.css, defines classes for the content of a page: `card`, `pictures`,
`wide` (around tables), `number`, `quiet`, `good`, `bad`, `screen-only`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache
def templates(package: str = "littlego.cli") -> Environment:
    """Return a package's Jinja environment, which escapes values and rejects missing values."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def render_template(package: str, template: str, **values: Any) -> str:
    """Return the text of a package's template, filled in with values. Values are escaped unless they are `Markup`."""
    return templates(package).get_template(template).render(**values)


def render_page(title: str, body_html: str, *, style: str = "", script: str = "") -> str:
    """Return a complete HTML page.

    `title` is plain text, which the function escapes. `body_html`, `style` (CSS) and `script` (JavaScript) are inserted
    unescaped: the caller must escape users' texts, as `render_template` does.
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
