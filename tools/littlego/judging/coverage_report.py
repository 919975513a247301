"""Coverage reports for the terminal: classes, patterns and remarks.

All reports except the wide report are readable at 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from littlego.cli.terminal import Fitting, new_table
from littlego.engines.reasons.contrast import (
    DECIDES,
)
from littlego.judging.corpora import corpora_of
from littlego.judging.coverage import (
    COUNTS,
    Survey,
    active_share,
    class_rows,
    format_kinds,
    group_by_corpus,
    image_numbers,
    is_inert,
    possible_places,
    remarks_on,
)
from littlego.rules.patternfile import Book, Pattern

HARDLY = 3  # patterns that decide fewer moves are highlighted


def coverage_report(book: Book, surveys: Mapping[str, Survey], games: Survey, wide: bool) -> RenderableType:
    """Return the coverage report of a book: classes, patterns and remarks.

    surveys: {source: survey}. games: see total_in_play.
    """
    groups = group_by_corpus(surveys)
    letters = letters_of(groups)
    positions = ", ".join(f"{survey.positions} of {name}" for name, survey in groups.items())
    share = 100 * active_share(book, games)
    patterns = (
        wide_table(book, groups)
        if wide
        else Fitting(
            pattern_table(book, games, {letters[name]: survey for name, survey in groups.items()}),
            Group(
                narrow_table(book, games),
                Text("\nA wider terminal also shows the columns vetoed, images, places and seen."),
            ),
        )
    )
    return Group(
        Text(f"Positions: {positions}. The totals over all corpora exclude examples and test runs.\n"),
        Text(f"Kinds of decisions: {format_kinds(games)}.\n"),
        class_table(book, games),
        Text(),
        patterns,
        Text(f"\nimages, places: seen/possible. seen: {', '.join(f'{letters[name]} {name}' for name in groups)}.\n"),
        Group(remarks_table(book, games), Text()) if remarks_on(book, games) else Group(),
        Text(f"{share:.1f}% of {len(book.patterns)} patterns decide or support a move in play."),
    )


def letters_of(names: Iterable[str]) -> dict[str, str]:
    """Return {name: letter}: for each name, its first letter that no earlier name has taken."""
    letters: dict[str, str] = {}
    for name in names:
        letters[name] = next(letter for letter in name if letter.isalpha() and letter not in letters.values())
    return letters


def pattern_detail(pattern: Pattern, book: Book, surveys: Mapping[str, Survey], games: Survey) -> RenderableType:
    """Return a pattern's coverage report: properties, diagram, counts in each source, places and remark."""
    flags = [name for name in ("forbid", "sacrifice", "risk", "rare") if getattr(pattern, name)]
    head = f"{', '.join([pattern.kind, f'priority {pattern.priority}', *flags])}. {pattern.summary}"
    seen = _format_seen(pattern, book, games)
    return Group(
        Text(f"{pattern.id}", style="bold"),
        Text(head),
        Text("\n".join(["", *(" ".join(row) for row in pattern.rows), ""])),
        source_table(pattern, surveys),
        Text(f"\nimages seen: {seen[0]}; places of the top-left corner: {seen[1]}" if pattern.rows else ""),
        place_map(pattern, games, corpora_of(book.ruleset_name).board_size),
        Text(remarks_on(book, games).get(pattern.id, "")),
    )


def class_table(book: Book, games: Survey) -> Table:
    """Return a table of the classes: see ClassRow."""
    rows = ((row.kind, *map(_format_count, row[1:4]), f"{row.share:.1f}%") for row in class_rows(book, games))
    return new_table("class", "patterns", "active", "moves", "share", rows=rows)


def pattern_table(book: Book, games: Survey, sources: Mapping[str, Survey], everything: bool = True) -> Table:
    """Return a table of all patterns or, if `everything` is false, of the patterns with remarks.

    games: the survey whose counts the table shows. sources: {letter: survey}; a row lists the letters of the sources in
    which the pattern fired.
    """
    odd, table = remarks_on(book, games), new_table("pattern", *COUNTS, "images", "places")
    table.add_column("seen")
    for pattern in book.patterns:
        if everything or pattern.id in odd:
            seen = "".join(letter if survey.of(pattern.id) else "-" for letter, survey in sources.items())
            table.add_row(pattern.id, *_count_cells(pattern, games), *_format_seen(pattern, book, games), seen)
    return table


def narrow_table(book: Book, games: Survey) -> Table:
    """Return a table of each pattern's counts DECIDES, SUPPORTS and PRESENT."""
    rows = ((pattern.id, *_count_cells(pattern, games)[:3]) for pattern in book.patterns)
    return new_table("pattern", *COUNTS[:3], rows=rows)


def source_table(pattern: Pattern, sources: Mapping[str, Survey]) -> Table:
    """Return a table of one pattern's counts, with a row for each source of positions."""
    rows = ((name, f"{survey.positions}", *_format_counts(pattern, survey)) for name, survey in sources.items())
    return new_table("where", "positions", *COUNTS, rows=rows)


def wide_table(book: Book, columns: Mapping[str, Survey]) -> Table:
    """Return a table of the patterns, with the counts of each survey in `columns`."""
    table = new_table("pattern")
    table.add_column("class")
    for name in columns:
        for count in COUNTS:
            table.add_column(f"{name}\n{count}", justify="right")
    for pattern in book.patterns:
        cells = (cell for survey in columns.values() for cell in _format_counts(pattern, survey))
        table.add_row(pattern.id, pattern.kind, *cells)
    return table


def remarks_table(book: Book, games: Survey) -> Table:
    """Return a table of the patterns with remarks."""
    table = new_table("pattern")
    table.add_column("remark", overflow="fold")
    for pattern_id, text in remarks_on(book, games).items():
        table.add_row(pattern_id, text)
    return table


def place_map(pattern: Pattern, games: Survey, size: int) -> Text:
    """Return a board that marks where the top-left corner of a pattern's drawing can lie.

    `#` marks a place where the pattern fired, and `.` marks any other possible place.
    """
    seen, possible = games.places.get(pattern.id, set()), possible_places(pattern, size)
    signs = ["#" if point in seen else "." if point in possible else " " for point in range(size * size)]
    return Text("\n".join(" ".join(signs[size * row : size * row + size]) for row in range(size)))


def _format_seen(pattern: Pattern, book: Book, games: Survey) -> tuple[str, str]:
    if not pattern.rows:
        return "-", "-"
    pairs = (
        (games.images.get(pattern.id, set()), set(image_numbers(pattern))),
        (games.places.get(pattern.id, set()), possible_places(pattern, corpora_of(book.ruleset_name).board_size)),
    )
    images, places = (f"{len(seen)}/{len(possible)}" if possible else "-" for seen, possible in pairs)
    return images, places


def _format_count(count: int) -> str:
    return str(count) if count else "-"


def _format_counts(pattern: Pattern, survey: Survey) -> list[str]:
    return [_format_count(survey.of(pattern.id)[count]) for count in COUNTS]


def _count_cells(pattern: Pattern, games: Survey) -> list[Text]:
    """Return a pattern's counts as table cells; the number of decisions is highlighted if it is small."""
    counts = games.of(pattern.id)
    idle = is_inert(pattern, games) and not pattern.rare
    style = "bold red" if idle else "bold" if counts[DECIDES] < HARDLY else ""
    return [Text(_format_count(counts[name]), style=style if name == DECIDES else "") for name in COUNTS]
