"""Tests of links: their contents, the views that links open, and the limits of hostile links."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import zlib
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from studio_apps import ENTRY

from littlego.editor.cutting import Cut
from littlego.editor.entries import Entries
from littlego.editor.fires import move_name
from littlego.editor.links import BASES, DICTIONARY, LARGEST, LONGEST, Link, link_to, read_link
from littlego.editor.methods import Refusal
from littlego.editor.positions import position_text
from littlego.editor.session import Session, Snapshot
from littlego.editor.versions import DISK, version
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.examples import cases, outcome_of
from littlego.paths import PATTERNS_YAML
from littlego.rules.ruleset import LITTLE_GO
from littlego.studio.desk import Desk
from littlego.studio.site.in_page import Page


def packed(content) -> str:
    """Return the text of a link with any JSON content."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=DICTIONARY)
    data = packer.compress(json.dumps(content).encode()) + packer.flush()
    return "1." + base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.mark.parametrize("ruleset", BASES)
def test_each_shipped_entry_has_a_short_link_that_changes_nothing(ruleset):
    text = BASES[ruleset].read_text()
    cut = Cut(text, BASES[ruleset].name)
    lengths = []
    for entry in random.Random(5).sample(cut.entries, 30):
        link = link_to(cut.text_of(entry), ".....", ruleset)
        assert read_link(link.text()) == link and link.applied() == text
        lengths.append(len(link.text()))
    assert sorted(lengths)[15] <= 600 and max(lengths) <= 1300


def test_a_new_entry_follows_the_last_one():
    text = link_to(ENTRY, "", LITTLE_GO.name).applied()
    cut = Cut(text, "patterns.yaml")
    assert text.startswith(BASES[LITTLE_GO.name].read_text().rstrip("\n"))
    assert cut.text_of(cut.entries[-1]) == "".join(f"  {line}\n" for line in ENTRY.splitlines())


FORM = f"expected at most {LONGEST:,} characters, starting with `1.`"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the link starts with ''; " + FORM),
        ("2.abc", "the link starts with '2.abc'; " + FORM),
        ("1." + "A" * LONGEST, f"the link has {LONGEST + 2:,} characters"),
        ("1.!!!", "the link is damaged"),
        (packed({"pattern": "x"})[:-4], "the link is damaged"),
        (packed({"pattern": "x" * 2 * LARGEST}), f"more than {LARGEST:,} bytes"),
        (packed([1]), "the link is damaged"),
        (packed({"pattern": 1}), "unknown content"),
        (packed({"pattern": "x", "ruleset": "chess"}), "the ruleset little-go or match; get a new link"),
        (packed({"pattern": "x", "board": "." * 5000}), "board has 5,000 characters"),
        (packed({"pattern": "x", "other": "y"}), "the link is damaged"),
    ],
)
def test_another_text_is_refused_in_a_sentence(text, told):
    with pytest.raises(Refusal) as refused:
        read_link(text)
    assert told in refused.value.text


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "ruleset: match\n",
        ENTRY + ENTRY.replace("mine", "other"),
        "patterns:\n  - id: mine\n",
    ],
)
def test_a_link_holds_one_entry_and_no_other_part_of_a_file(entry):
    with pytest.raises(Refusal, match="not exactly one entry"):
        Link(entry).applied()


@given(st.text(max_size=300), st.text(max_size=60), st.sampled_from(sorted(BASES)))
@settings(max_examples=60)
def test_any_text_is_kept_or_refused(entry, board, ruleset):
    link = Link(entry, board, ruleset)
    assert read_link(link.text()) == link
    name = link.filename()
    assert Path(name).name == name and name.endswith(".yaml")
    try:
        assert isinstance(link.applied(), str)
    except Refusal as refused:
        assert "one entry" in refused.text


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data):
    with pytest.raises(Refusal):
        read_link("1." + base64.urlsafe_b64encode(data).decode())


def test_a_comparison_of_a_new_file_begins_with_its_start(tmp_path):
    session = Session()
    start = link_to(ENTRY, "", LITTLE_GO.name).base()
    session.take(Snapshot(1, start, "new.yaml", str(tmp_path / "new.yaml"), start=start))
    assert list(version(session, DISK).known)[0] == "pass-to-win"


async def hits_by_link(desk, entry, examples, ruleset):
    """Open an entry's link; yield each example's (name, moves by the studio, moves by the example's run)."""
    links = [link_to(entry, position_text(one.example.position()), ruleset) for one in examples]
    state = await desk.answer("one", "POST", "/api/link", {"link": links[0].text()})
    for case, link in zip(examples, links, strict=True):
        assert read_link(link.text()) == link and len(link.text()) <= 2000
        about = {"revision": state["revision"], "pattern": state["link"]["pattern"], "position": link.board}
        fires = await desk.answer("one", "POST", "/api/ask/fires", about)
        moves = {move["move"] for one in fires["answer"]["patterns"] for move in one["moves"]}
        outcome = outcome_of(case.pattern, case.example)
        yield case.name, moves, {move_name(move, case.example.position().ruleset.size) for move in outcome.moves}


async def differing_hits(ruleset, folder, most):
    """Return (number of compared examples, names of examples whose hits differ) for some of the patterns."""
    text = BASES[ruleset].read_text()
    _, problems, base = compile_text(text.encode(), str(BASES[ruleset]), with_examples=False)
    assert not problems
    entries = Entries(text, BASES[ruleset].name)
    every = defaultdict(list)
    for case in cases(base):
        if not case.pattern.sequence and case.pattern.id in entries.ids:
            every[case.pattern.id].append(case)
    (folder / "patterns.yaml").write_text(PATTERNS_YAML.read_text())
    desk = Desk(Page(SimpleNamespace(keep=lambda: None, load=None), str(folder), "patterns.yaml").studio)
    count, differing = 0, []
    for name in random.Random(7).sample(sorted(every), min(most, len(every))):
        entry = entries.cut.text_of(entries.entry(name))
        async for example, by_link, by_check in hits_by_link(desk, entry, every[name], ruleset):
            count += 1
            if by_link != by_check:
                differing.append(example)
    return count, differing


@pytest.mark.parametrize(("most", "fewest"), [(6, 20), pytest.param(10_000, 1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("ruleset", BASES)
def test_examples_open_by_their_links_with_the_hits_of_check(ruleset, most, fewest, tmp_path):
    count, differing = asyncio.run(differing_hits(ruleset, tmp_path, most))
    assert count >= fewest and differing == []
