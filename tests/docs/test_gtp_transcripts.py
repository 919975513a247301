"""Tests of the GTP transcripts in docs/: each is replayed, and each analysis command has a transcript."""

import pytest

from littlego.cache import ROOT
from littlego.dev.regenerate.transcripts import read_transcripts, replay, update_transcripts
from littlego.players.gtp import gogui, kata

TRANSCRIPTS = [
    (page.name, transcript)
    for page in sorted((ROOT / "docs").glob("*.md"))
    for transcript in read_transcripts(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "transcript"), TRANSCRIPTS, ids=[str(number) for number in range(len(TRANSCRIPTS))])
def test_the_engine_answers_as_the_page_says(page, transcript):
    for exchange, answer in replay(transcript):
        assert exchange.answer == answer, f"{page}:{exchange.line}: > {exchange.command}"


def test_every_command_for_analysis_is_shown():
    shown = {exchange.command.split()[0] for _, transcript in TRANSCRIPTS for exchange in transcript.exchanges}
    assert {*gogui.COMMANDS, *kata.STREAMS} - shown == set()


DRAWN = """# A page

```gtp
> play b C3
= wrong
and more
> gogui-rules_captured_count
```

```gtp match 5
> gogui-rules_game_id
= match
```
"""


def test_what_differs_is_seen_and_written_anew():
    first, second = read_transcripts(DRAWN)
    assert [(said.line, said.command, said.answer) for said in first.exchanges] == [
        (4, "play b C3", ["= wrong", "and more"]),
        (7, "gogui-rules_captured_count", []),
    ]
    assert second.ruleset == "match-5"
    assert [answer for _, answer in replay(first)] == [["="], ["= 0 0"]]
    assert update_transcripts(DRAWN) == DRAWN.replace("= wrong\nand more\n", "=\n").replace(
        "_count\n", "_count\n= 0 0\n"
    )
