"""Coverage as the terminal shows it: classes, patterns and what is odd about them, readable at 80 columns."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rules.patternfile import Book, Pattern
from tools.draw.terminal import Fitting
from tools.effects.coverage import CHANGED, COUNTS, Survey, active_share, class_rows, is_inert, remarks_on, total
from tools.effects.images import images, places
from tools.effects.sources import AGAINST, EXAMPLES, PLAYED, REAL, RECORDED, TEST_RUN

KINDS = (  # how a source's name starts, and what stands for it in a column
    (EXAMPLES, "examples"),
    (REAL, "real games"),
    (RECORDED, "decisions on record"),
    (AGAINST, "games against roles"),
    (PLAYED, "played games"),
    (TEST_RUN, "test run"),
)
HARDLY = 3  # decisions changed; fewer stand out


def report(book: Book, found: Mapping[str, Survey], games: Survey, wide: bool) -> RenderableType:
    """Draw the whole coverage of a book: by class, by pattern, and what is odd.

    found: source -> survey; games: all of them that are play.
    """
    groups = by_corpus(found)
    letters = {name[0]: survey for name, survey in groups.items()}
    positions = ", ".join(f"{survey.positions} of {name}" for name, survey in groups.items())
    share = 100 * active_share(book, games)
    patterns = (
        wide_table(book, groups)
        if wide
        else Fitting(
            pattern_table(book, games, letters),
            Group(narrow_table(book, games), Text("\nA wider terminal shows vetoed, images, places and seen too.")),
        )
    )
    return Group(
        Text(f"Positions: {positions}. The counts below are of all but examples and test runs.\n"),
        class_table(book, games),
        Text(),
        patterns,
        Text(f"\nimages, places: seen of those possible. seen: {', '.join(f'{name[0]} {name}' for name in groups)}.\n"),
        *([remarks_table(book, games), Text()] if remarks_on(book, games) else []),
        Text(f"{share:.1f}% of {len(book.patterns)} patterns decide or change a move in play."),
    )


def by_corpus(found: Mapping[str, Survey]) -> dict[str, Survey]:
    """Return the surveys of all sources by the kind of source; their first letters differ."""
    kinds: dict[str, list[Survey]] = {}
    for name, survey in found.items():
        kinds.setdefault(next((kind for start, kind in KINDS if name.startswith(start)), name), []).append(survey)
    return {kind: total(surveys) for kind, surveys in kinds.items()}


def detail(pattern: Pattern, book: Book, found: Mapping[str, Survey], games: Survey) -> RenderableType:
    """Draw all that is known of one pattern: its diagram, its counts in every source, its images and places."""
    flags = [name for name in ("forbid", "sacrifice", "rare") if getattr(pattern, name)]
    head = f"{', '.join([pattern.kind, f'priority {pattern.priority}', *flags])}. {pattern.summary}"
    seen = _seen(pattern, book, games)
    return Group(
        Text(f"{pattern.id}", style="bold"),
        Text(head),
        Text("\n".join(["", *(" ".join(row) for row in pattern.rows), ""])),
        source_table(pattern, found),
        Text(f"\nimages seen: {seen[0]}; places of its top-left corner: {seen[1]}" if pattern.rows else ""),
        place_map(pattern, games, book.size),
        Text(remarks_on(book, games).get(pattern.id, "")),
    )


def class_table(book: Book, games: Survey) -> Table:
    """Draw a row for each class of the book: its patterns, those that changed a move, the moves it decided."""
    table = _table("class")
    for head in ("patterns", "changing", "decided", "share"):
        table.add_column(head, justify="right")
    for row in class_rows(book, games):
        table.add_row(row.kind, *map(_number, row[1:4]), f"{row.share:.1f}%")
    return table


def pattern_table(book: Book, games: Survey, sources: Mapping[str, Survey], everything: bool = True) -> Table:
    """Draw a row for each pattern, or just for those about which something is odd.

    games: what the counts are of. sources: one-letter name -> survey; a row names those in which the pattern fired.
    """
    odd, table = remarks_on(book, games), _table("pattern")
    for head in (*COUNTS, "images", "places", "seen"):
        table.add_column(head, justify="left" if head == "seen" else "right")
    for pattern in book.patterns:
        if everything or pattern.id in odd:
            seen = "".join(letter if survey.of(pattern.id) else "-" for letter, survey in sources.items())
            table.add_row(pattern.id, *_counts(pattern, games), *_seen(pattern, book, games), seen)
    return table


def narrow_table(book: Book, games: Survey) -> Table:
    """Draw a row for each pattern, with no more than what it does to moves."""
    table = _table("pattern")
    for head in COUNTS[:3]:
        table.add_column(head, justify="right")
    for pattern in book.patterns:
        table.add_row(pattern.id, *_counts(pattern, games)[:3])
    return table


def source_table(pattern: Pattern, sources: Mapping[str, Survey]) -> Table:
    """Draw a row for each source of positions: what one pattern did there."""
    table = _table("where")
    for head in ("positions", *COUNTS):
        table.add_column(head, justify="right")
    for name, survey in sources.items():
        counts = survey.of(pattern.id)
        table.add_row(name, f"{survey.positions}", *(_number(counts[count]) for count in COUNTS))
    return table


def wide_table(book: Book, columns: Mapping[str, Survey]) -> Table:
    """Draw a row for each pattern with its counts in every column's survey."""
    table = _table("pattern")
    table.add_column("class")
    for name in columns:
        for count in COUNTS:
            table.add_column(f"{name}\n{count}", justify="right")
    for pattern in book.patterns:
        cells = (_number(survey.of(pattern.id)[count]) for survey in columns.values() for count in COUNTS)
        table.add_row(pattern.id, pattern.kind, *cells)
    return table


def remarks_table(book: Book, games: Survey) -> Table:
    """Draw a row for each pattern about which something is odd."""
    table = _table("pattern")
    table.add_column("remark", overflow="fold")
    for pattern_id, said in remarks_on(book, games).items():
        table.add_row(pattern_id, said)
    return table


def place_map(pattern: Pattern, games: Survey, size: int) -> Text:
    """Draw the board: `#` where the pattern's top-left corner was seen, `.` where it could be, else nothing."""
    seen, possible = games.places.get(pattern.id, set()), places(pattern, size)
    signs = ["#" if point in seen else "." if point in possible else " " for point in range(size * size)]
    return Text("\n".join(" ".join(signs[size * row : size * row + size]) for row in range(size)))


def _table(first: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    return table


def _seen(pattern: Pattern, book: Book, games: Survey) -> tuple[str, str]:
    if not pattern.rows:
        return "-", "-"
    found = (
        (games.images.get(pattern.id, set()), set(images(pattern))),
        (games.places.get(pattern.id, set()), places(pattern, book.size)),
    )
    return tuple(f"{len(seen)}/{len(possible)}" for seen, possible in found)


def _number(count: int) -> str:
    return str(count) if count else "-"


def _counts(pattern: Pattern, games: Survey) -> list[Text]:
    """Return what a pattern did, its changes in colour where they are few."""
    found = games.of(pattern.id)
    idle = is_inert(pattern, games) and not pattern.rare
    style = "bold red" if idle else "bold" if found[CHANGED] < HARDLY else ""
    return [Text(_number(found[name]), style=style if name == CHANGED else "") for name in COUNTS]
