"""Tests of `littlego dev gallery`: a searchable, printable page with a correct card for each pattern."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from corpora import use
from drawn_patterns import FILE, changed
from html_outline import Outline
from knowledge_files import compiled
from match_patterns import entry, file_of

from littlego import paths as data
from littlego.cli.main import main
from littlego.judging.coverage import Survey
from littlego.judging.gallery import atlas, cli
from littlego.judging.gallery.atlas import Card, atlas_page, card_of, group_by_class, in_play, split_expression
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.firing import firings_for
from littlego.rules.geometry import turned

SVG = "{http://www.w3.org/2000/svg}"


def base_of(text: str = FILE):
    return compile_text(text, "patterns.yaml", with_examples=False)[2]


def card(text: str = FILE):
    base = base_of(text)
    return card_of(base.patterns[0], base)


def run(*words: object) -> int:
    return main(["dev", "gallery", *map(str, words)])


@pytest.fixture(scope="module")
def shipped_cards() -> list[Card]:
    base = compiled().base
    return [card_of(pattern, base) for pattern in base.patterns]


@pytest.fixture(scope="module")
def shipped(shipped_cards) -> str:
    """Return the page of the shipped patterns, made from existing cards, since new cards take seconds."""
    made = {one.pattern.id: one for one in shipped_cards}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atlas, "card_of", lambda pattern, _: made[pattern.id])
        return atlas_page(compiled().base, "patterns.yaml")


def test_every_shipped_pattern_has_a_card_with_its_words_and_pictures(shipped):
    outline = Outline(shipped)
    known = {pattern.id: pattern for pattern in compiled().base.patterns}
    shown = {article["id"]: article for article in outline.attributes["article"]}
    assert shown.keys() == known.keys()
    for name, article in shown.items():
        assert article["data-class"] == known[name].kind
        assert known[name].summary.lower() in article["data-words"]
    assert outline.seen.count("figure") == sum(len(pattern.examples) for pattern in known.values())


def test_the_page_is_small_whole_and_every_link_in_it_leads_somewhere(shipped):
    outline = Outline(shipped)
    assert len(shipped.encode()) < 5_000_000
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|<link|<img", shipped)
    ids = [attributes["id"] for found in outline.attributes.values() for attributes in found if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {anchor["href"] for anchor in outline.attributes["a"]}
    assert {"#take-the-last-liberty", "#class_capture", "#fact_in_atari"} <= links <= {f"#{name}" for name in ids}


@pytest.mark.parametrize("name", ["search", "words", "class", "found", "facts", "fact-size", "class-capture"])
def test_a_pattern_may_have_any_name(name):
    page = atlas_page(base_of(changed("id: take", f"id: {name}")), "patterns.yaml")
    found = [one["id"] for attributes in Outline(page).attributes.values() for one in attributes if "id" in one]
    assert found.count(name) == 1


def test_without_script_all_is_shown_and_only_the_search_is_not(shipped):
    hidden = [tag for tag, found in Outline(shipped).attributes.items() for one in found if "hidden" in one]
    assert hidden == ["form"]


def test_the_same_page_every_time():
    some = replace(compiled().base, patterns=compiled().base.patterns[::6])
    assert atlas_page(some, "patterns.yaml") == atlas_page(some, "patterns.yaml")


def test_no_shipped_example_fails(shipped_cards):
    groups = [(one.pattern.id, group) for one in shipped_cards for _, group in one.examples]
    assert [(name, shown) for name, group in groups for shown in group if shown.wrong] == []


def test_a_card_counts_places_and_images():
    found = card()
    assert len(found.images) == 4  # O* in four directions
    assert found.places == 80  # 40 pairs of neighbouring points, in both directions


def test_a_pattern_without_a_diagram_has_no_images():
    pattern = next(pattern for pattern in compiled().base.patterns if not pattern.rows)
    found = card_of(pattern, compiled().base)
    assert (found.images, found.places) == ([], 0)


def test_an_example_shows_the_labels_where_the_pattern_found_them():
    (_, (fires,)), (_, (silent,)) = card().examples
    picture = ElementTree.fromstring(fires.picture)
    [letter] = [text for text in picture.iter(SVG + "text") if text.text == "A"]
    [[stone]] = [group for group in picture.iter(SVG + "g") if group.get("class") == "go-white"]
    assert (letter.get("x"), letter.get("y")) == (stone.get("cx"), stone.get("cy"))
    assert fires.caption == "2,2 · 18 left" and silent.caption == "nowhere · 20 left"


def test_an_example_on_a_large_board_gets_the_room_that_its_picture_takes():
    rows = [". " * 18 + "."] * 19
    touched = [". " * 9 + "O" + " ." * 9 if row == 9 else text for row, text in enumerate(rows)]

    def drawn(lines):
        return "".join(f"            {line}\n" for line in lines)

    base = base_of(
        "ruleset: match\npatterns:\n  - id: touch\n    class: shape\n    summary: Touch a stone.\n    priority: 500\n"
        "    diagram: |\n      O *\n    examples:\n      matches:\n        - board: |\n"
        f"{drawn(touched)}          move: 8,9\n      no_match:\n        - board: |\n{drawn(rows)}"
    )
    page = atlas_page(base, "patterns.match.yaml")
    pictures = re.findall(r'<figure class="example" style="max-width: (\d+)px">\s*<svg [^>]*width="(\d+)"', page)
    assert pictures == [("209", "209")] * 2
    assert "max-width: " not in "".join(re.findall(r"<figure[^>]*>", atlas_page(base_of(), "patterns.yaml")))


def test_what_another_file_shares_has_a_card_too(tmp_path, capsys):
    (tmp_path / "patterns.yaml").write_text(FILE.replace("id: take\n", "id: take\n    rulesets: [little-go, match]\n"))
    (tmp_path / "mine.yaml").write_text(file_of(head="ruleset: match\nshares: patterns.yaml\n"))
    assert run(tmp_path / "mine.yaml", "-o", tmp_path / "pages") == 0
    assert "2 patterns" in capsys.readouterr().out
    page = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    assert "mine.yaml:4" in page and "shared: line 3 of the file for little-go, with its examples" in page
    assert re.search(r'id="take"', page)


def test_of_a_large_drawing_no_images_are_shown():
    wide = "      X * .\n" + "      . . ?\n" * 8
    base = base_of(file_of(entry("wide", f"    diagram: |\n{wide}"), entry("touch")))
    assert [len(card_of(pattern, base).images) for pattern in base.patterns] == [0, 4]


def test_labels_are_turned_as_the_player_turns_the_diagram():
    """If a drawing's `*` is rotated and shifted like the labels, it lies on the move of the firing."""
    checked = 0
    for pattern in compiled().base.patterns:
        spots = [(r, c) for r, row in enumerate(pattern.rows) for c, symbol in enumerate(row) if symbol == "*"]
        if not spots or set("".join(pattern.rows)) & set("+-|"):
            continue
        example = next(example for example in pattern.examples if example.must_fire)
        firing = firings_for(pattern, example.position())[example.move]
        row, column = turned(firing.symmetry, *spots[0], len(pattern.rows), len(pattern.rows[0]))
        assert firing.place + 5 * row + column == example.move
        checked += 1
    assert checked > 50


WRONG = changed("          move: 2,2\n", "          move: 0,0\n")
TODO = FILE + "    todo_match:\n" + FILE[FILE.index("        - board") : FILE.index("      no_match")]
SHOULD = "Should fire, but does not yet"


@pytest.mark.parametrize(
    ("text", "heading", "wrong"),
    [
        (FILE, "Fires", ""),
        (WRONG, "Fires", "fails now"),
        # the expected move 0,0 is not played; but the player does not pass, as the example requires
        (TODO.replace("2,2", "0,0"), SHOULD, ""),
        (TODO, SHOULD, "passes now"),
    ],
)
def test_an_example_says_what_is_wrong_with_it(text, heading, wrong):
    examples = dict(card(text).examples)
    assert [shown.wrong for shown in examples[heading]] == [wrong]


def test_a_colour_a_pass_and_a_ko_are_told(shipped_cards):
    text = changed("          move: 2,2\n", "          move: 2,2\n          colour: white\n          moves_left: 9\n")
    assert card(text).examples[0][1][0].caption == "2,2 · 9 left · X is White"
    told = {shown.caption for one in shipped_cards for _, group in one.examples for shown in group}
    assert any("after a pass" in caption for caption in told) and any("ko at " in caption for caption in told)


def test_doubts_and_rarity_and_tags_are_on_the_card():
    text = changed("    priority: 900\n", "    priority: 900\n    doubt: Weak & slow <here>.\n    tags: [first]\n")
    text = changed("    priority: 900\n", "    priority: 900\n    rare: Hardly ever.\n", text)
    page = atlas_page(base_of(text), "patterns.yaml")
    Outline(page)
    assert "Weak &amp; slow &lt;here&gt;." in page and "#first" in page and "Hardly ever." in page
    assert card(text).flags == ["rare", "doubt"]


def test_expressions_are_split_at_their_facts():
    assert split_expression("100 * size(A)") == [("100 * ", False), ("size", True), ("(A)", False)]
    facts = [word for word, is_fact in split_expression("not in_atari(A) and moves_left > 2") if is_fact]
    assert facts == ["in_atari", "moves_left"]


def test_coverage_is_shown_where_it_is_known():
    survey = Survey(positions=1234)
    page = atlas_page(base_of(), "patterns.yaml", survey)
    assert "1,234 recorded decisions" in page and "never fired" in page
    assert "recorded decisions" not in atlas_page(base_of(), "patterns.yaml")
    survey.counts["take"] = Counter(present=1200, decides=3, vetoed=0)
    assert in_play(survey.of("take")) == "decides 3, present 1,200"


def test_classes_come_in_the_order_of_the_file():
    base = base_of()
    cards = [card_of(pattern, base) for pattern in base.patterns]
    assert [(kind, len(found)) for kind, _, found in group_by_class(cards)] == [("capture", 1)]


def test_the_command_makes_the_folder_and_says_what_it_wrote(tmp_path, capsys):
    source, folder = tmp_path / "mine.yaml", tmp_path / "new" / "folder"
    source.write_text(FILE)
    assert run(source, "-o", folder) == 0
    assert "1 pattern of mine.yaml" in (folder / "index.html").read_text()
    assert "1 pattern, " in capsys.readouterr().out


def test_coverage_counts_the_recorded_decisions(tmp_path, monkeypatch):
    few, source = tmp_path / "decisions.txt", tmp_path / "patterns.yaml"
    few.write_text("".join(data.DECISIONS.read_text().splitlines(keepends=True)[1::500]))
    source.write_text(FILE)
    use(monkeypatch, "little-go", record=few)
    assert run(source, "-o", tmp_path, "--coverage") == 0
    page = (tmp_path / "index.html").read_text()
    assert "13 recorded decisions" in page and "present 6" in page
    few.write_text("nonsense\n")
    assert run(source, "-o", tmp_path, "--coverage") == 2


def test_a_broken_file_leaves_the_old_page(tmp_path, capsys):
    source = tmp_path / "patterns.yaml"
    source.write_text(FILE)
    assert run(source, "-o", tmp_path) == 0
    old = (tmp_path / "index.html").read_bytes()
    source.write_text(changed("priority: 900", "priority: high"))
    assert run(source, "-o", tmp_path) == 1
    assert (tmp_path / "index.html").read_bytes() == old
    assert "1 problem; no page is written" in capsys.readouterr().err


def test_what_cannot_be_read_or_written_is_said_in_a_line(tmp_path, capsys):
    source = tmp_path / "patterns.yaml"
    assert run(source, "-o", tmp_path) == 2
    source.write_text(FILE)
    assert run(source, "-o", source) == 2
    assert [line.split(" ")[:3] for line in capsys.readouterr().err.splitlines()] == [
        ["littlego:", "cannot", "read"],
        ["littlego:", "cannot", "write"],
    ]


def test_open_shows_the_page_in_the_browser(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(cli.webbrowser, "open", shown.append)
    (tmp_path / "patterns.yaml").write_text(FILE)
    run(tmp_path / "patterns.yaml", "-o", tmp_path, "--open")
    assert shown == [(tmp_path / "index.html").as_uri()]


def test_a_file_whose_name_is_no_text_has_a_page(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.yaml")
    path.write_text(FILE, encoding="utf-8")
    assert run(path, "-o", tmp_path / "page") == 0
    assert "\\udcff.yaml" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
