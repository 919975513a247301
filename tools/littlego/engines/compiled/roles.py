"""Numbers for the roles of patterns in a decision, used by the compiled engine."""

from __future__ import annotations

from collections.abc import Sequence

from littlego.engines.reasons import contrast

ABSENT, PRESENT, SUPPORTS, DECIDES = range(4)  # role of a pattern in a decision
ROLE_NAMES = {contrast.DECIDES: DECIDES, contrast.SUPPORTS: SUPPORTS, contrast.PRESENT: PRESENT}
ROLE = 3  # mask of the role
VETOED = 4  # flag of a role: the pattern leads or forbids a vetoed move


def speakers_of(roles: Sequence[int]) -> list[int]:
    """Return the indexes of the deciding patterns or, if there are none, of the supporting patterns.

    roles: the role of each pattern, with or without VETOED.
    """
    plain = [role & ROLE for role in roles]
    wanted = DECIDES if DECIDES in plain else SUPPORTS
    return [number for number, role in enumerate(plain) if role == wanted]
