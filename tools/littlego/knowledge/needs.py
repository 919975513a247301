"""Search for facts that match a question in everyday words, such as "can it be captured".

The search looks for the words of the question, and for their synonyms, in the names and the promises (one-line
descriptions) of facts. Two words match if they have the same stem. Facts that match more words of the question rank
higher. Among facts that match equally many words, facts named in the question rank highest, then facts with higher
scores. A match in a name scores more than a match in a promise.
"""

from __future__ import annotations

import re
from functools import cache

from littlego.knowledge.programs import facts_for
from littlego.rules.facts import FACTS
from littlego.rules.ruleset import LITTLE_GO

# Words to ignore.
_EMPTY_WORDS = """
a all an and any are at be been being by can could do does for from get gets give has have here how i if in into is it
its may me must now of off on or should so some than that the then there these they this those to up was were what when
where whether which while who will with would you"""
# Each line has related words. A word may be in several lines.
SYNONYMS = tuple(
    line.split()
    for line in """
    ko repetition repeat retake superko
    capture take kill catch caught ladder doomed snapback prisoner die dead
    atari liberty liberties breath danger threatened
    ladder doomed chase net
    eye eyes eyespace enclosed surrounded
    alive life live living benson unconditionally settled
    edge corner side border line margin
    connect join link attach merge
    cut separate split divide disconnect
    save rescue escape extend run safe
    threaten threat follow
    moves clock time turn remaining late early number opening endgame
    lead margin2 score komi ahead behind winning win lose losing
    size stones big large
    legal allowed illegal suicide forbidden banned deny
    empty free vacant
    near next adjacent neighbour neighbor touch beside
    region area space territory influence framework moyo neutral dame
    group groups chains
    weak strong safe
    corner far_line opening joseki
    last tenuki elsewhere distance
    prisoners dead
    invade invasion hopeless
    own my mine our ours
    their theirs opponent enemy
    colour color black white
    pass passed end
    """.strip().splitlines()
)
_WORD = re.compile(r"[a-z]+2?")
_ENDING = re.compile(r"(?<=...)(?:ing|ed|es|e|(?<!s)s)$")
EXACT_NAME, NAME, EXACT_PROMISE, PROMISE = 8, 4, 2, 1  # scores of a match
LEAST_SHARE = 4  # a result needs at least a quarter of the best score
MOST = 12  # maximum number of results


def find_facts(need: str, size: int = LITTLE_GO.size) -> list[str]:
    """Return the names of at most MOST facts that match a question, best first.

    Facts with less than a quarter of the best score are omitted. need: the question. size: the board size that the
    facts must support.
    """
    terms = [stem for stem in _stems(need) if stem not in _stems(_EMPTY_WORDS)]
    scores = {name: [_score(name, term) for term in terms] for name in facts_for(size)}
    spelled = re.findall(r"\w+", need.lower())
    found = {name: (sum(map(bool, each)), name in spelled, sum(each)) for name, each in scores.items() if any(each)}
    most = max((score for _, _, score in found.values()), default=0)
    ranked = sorted(found, key=lambda name: found[name], reverse=True)
    return [name for name in ranked if found[name][-1] * LEAST_SHARE >= most][:MOST]


def known_words() -> list[str]:
    """Return the facts' names and all synonyms, as candidates for a spelling suggestion."""
    return [*FACTS, *dict.fromkeys(word for line in SYNONYMS for word in line)]


def _score(name: str, term: str) -> int:
    in_name, in_promise = _stems(name), _stems(FACTS[name].promise)
    near = _same_as(term)
    if term in in_name:
        return EXACT_NAME + EXACT_PROMISE * (term in in_promise)
    if near & set(in_name):
        return NAME + EXACT_PROMISE * (term in in_promise)
    return EXACT_PROMISE if term in in_promise else PROMISE if near & set(in_promise) else 0


@cache
def _same_as(term: str) -> frozenset[str]:
    """Return the stems of a term's synonyms: the words that share a line of SYNONYMS with the term."""
    lines = (set(_stems(" ".join(line))) for line in SYNONYMS)
    return frozenset().union(*(line for line in lines if term in line))


@cache
def _stems(text: str) -> tuple[str, ...]:
    """Return the distinct stems of a text's words. For example, `captures` and `captured` have the same stem."""
    words = (word[:-3] + "y" if word.endswith("ies") else word for word in _WORD.findall(text.lower()))
    return tuple(dict.fromkeys(_ENDING.sub("", word) for word in words))
