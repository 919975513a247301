"""The certificate that is committed belongs to the player of today: to its sources, its patterns and its overrides."""

from __future__ import annotations

import json

from tools.cache import ROOT
from tools.effects.books import read_knowledge
from tools.knowledge.overrides import read
from tools.proof.certificate import player_of

CERTIFICATE = ROOT / "docs" / "proof" / "black.json"
PARTS = {
    "rules": "what the sources in rules/ mean",
    "patterns": "patterns.txt",
    "exceptions": "overrides.txt",
}


def test_the_committed_certificate_is_about_the_player_of_today():
    certificate = json.loads(CERTIFICATE.read_bytes())
    player = player_of(read_knowledge(str(ROOT / "patterns.txt")), read(ROOT / "overrides.txt"))
    changed = [PARTS[name] for name, digest in player._asdict().items() if certificate["player"][name] != digest]
    assert not changed, (
        f"{' and '.join(changed)} changed since docs/proof/black.json was made, which proves nothing of today's "
        "player: run `littlego prove --black --certificate docs/proof/black.json`"
    )
    assert certificate["proved"] and certificate["complete"] and certificate["failures"] == 0
