"""The facts of rules/facts by their number in vocabulary.FACTS: plain Python here, compiled in `facts`."""

from __future__ import annotations

from rules.facts import (
    alive,
    atari,
    captures,
    colour,
    cuts,
    doomed,
    edge,
    empty_near,
    enclosed,
    eye,
    eyes,
    false_eye,
    in_atari,
    joins,
    ko,
    ko_ban,
    ladder,
    lead,
    legal,
    liberties,
    liberties_after,
    line,
    makes_life,
    margin2,
    move_number,
    moves_left,
    own_liberties,
    own_near,
    passed,
    region,
    saves,
    shared_liberties,
    size,
    snapback,
    their_atari,
    their_captures,
    their_enclosed,
    their_eye,
    their_legal,
    their_liberties,
    their_life,
    their_near,
    their_saves,
    threatens,
)
from rules.vocabulary import FACTS

# fmt: off
(
    SIZE, LIBERTIES, IN_ATARI, SHARED_LIBERTIES, EYES, ALIVE, DOOMED, LADDER, LIBERTIES_AFTER,
    LEGAL, CAPTURES, OWN_LIBERTIES, JOINS, CUTS, KO, ATARI, SAVES, THREATENS, SNAPBACK, MAKES_LIFE,
    THEIR_LEGAL, THEIR_CAPTURES, THEIR_LIBERTIES, THEIR_ATARI, THEIR_SAVES, THEIR_LIFE, EYE,
    FALSE_EYE, THEIR_EYE, REGION, ENCLOSED, THEIR_ENCLOSED, LINE, EDGE, OWN_NEAR, THEIR_NEAR,
    EMPTY_NEAR, MOVES_LEFT, MOVE_NUMBER, COLOUR, LEAD, MARGIN2, PASSED, KO_BAN,
) = range(len(FACTS))
# fmt: on


def about_chain(number, state, move, chain):
    """Return what a fact says of a chain."""
    if number == SIZE:
        return size(state, move, chain)
    if number == LIBERTIES:
        return liberties(state, move, chain)
    if number == IN_ATARI:
        return in_atari(state, move, chain)
    if number == EYES:
        return eyes(state, move, chain)
    if number == ALIVE:
        return alive(state, move, chain)
    if number == DOOMED:
        return doomed(state, move, chain)
    if number == LADDER:
        return ladder(state, move, chain)
    return liberties_after(state, move, chain)


def about_move(number, state, move, point):
    """Return what a fact says of own playing at a point."""
    if number == LEGAL:
        return legal(state, move, point)
    if number == CAPTURES:
        return captures(state, move, point)
    if number == OWN_LIBERTIES:
        return own_liberties(state, move, point)
    if number == JOINS:
        return joins(state, move, point)
    if number == CUTS:
        return cuts(state, move, point)
    if number == KO:
        return ko(state, move, point)
    if number == ATARI:
        return atari(state, move, point)
    if number == SAVES:
        return saves(state, move, point)
    if number == THREATENS:
        return threatens(state, move, point)
    if number == SNAPBACK:
        return snapback(state, move, point)
    return makes_life(state, move, point)


def about_threat(number, state, move, point):
    """Return what a fact says of theirs playing at a point."""
    if number == THEIR_LEGAL:
        return their_legal(state, move, point)
    if number == THEIR_CAPTURES:
        return their_captures(state, move, point)
    if number == THEIR_LIBERTIES:
        return their_liberties(state, move, point)
    if number == THEIR_ATARI:
        return their_atari(state, move, point)
    if number == THEIR_SAVES:
        return their_saves(state, move, point)
    return their_life(state, move, point)


def about_point(number, state, move, point):
    """Return what a fact says of a point as it is."""
    if number == EYE:
        return eye(state, move, point)
    if number == FALSE_EYE:
        return false_eye(state, move, point)
    if number == THEIR_EYE:
        return their_eye(state, move, point)
    if number == REGION:
        return region(state, move, point)
    if number == ENCLOSED:
        return enclosed(state, move, point)
    if number == THEIR_ENCLOSED:
        return their_enclosed(state, move, point)
    if number == LINE:
        return line(state, move, point)
    if number == EDGE:
        return edge(state, move, point)
    if number == OWN_NEAR:
        return own_near(state, move, point)
    if number == THEIR_NEAR:
        return their_near(state, move, point)
    return empty_near(state, move, point)


def about_game(number, state, move):
    """Return what a fact says of the game as a whole."""
    if number == MOVES_LEFT:
        return moves_left(state, move)
    if number == MOVE_NUMBER:
        return move_number(state, move)
    if number == COLOUR:
        return colour(state, move)
    if number == LEAD:
        return lead(state, move)
    if number == MARGIN2:
        return margin2(state, move)
    if number == PASSED:
        return passed(state, move)
    return ko_ban(state, move)


def fact(number, state, move, first, second):
    """Return what the fact with this number says of masks; those that it does not take are ignored."""
    if number == SHARED_LIBERTIES:
        return shared_liberties(state, move, first, second)
    if number < LEGAL:
        return about_chain(number, state, move, first)
    if number < THEIR_LEGAL:
        return about_move(number, state, move, first)
    if number < EYE:
        return about_threat(number, state, move, first)
    if number < MOVES_LEFT:
        return about_point(number, state, move, first)
    return about_game(number, state, move)
