"""Tests of `littlego dev clusters`: clusters of records equal those of a slow search of all boards."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from mined_games import PATTERNS, knowledge, planted

from littlego.cli.main import main
from littlego.learning.mining.clusters import Records, best_first, find_clusters, shares
from littlego.rules.geometry import image_of, points_of, symmetry_tables
from littlego.rules.positionkey import PASS_POINT, unpack
from littlego.truth.labels.decider import write_overrides
from littlego.truth.labels.labels import moves_left, save
from littlego.truth.labels.positions import at_stake, held_out

TABLES = symmetry_tables(5)


def images(code, move):
    """Yield (own, theirs, move) for each image of a position."""
    position = unpack(code)
    for table in TABLES:
        turned = PASS_POINT if move == PASS_POINT else table[move]
        yield image_of(position.own, table), image_of(position.theirs, table), turned


def shares_part(cluster, points, code, move):
    """Return whether an image of a position equals a cluster's board at `points` and has the same move."""
    own, theirs, wanted = next(images(cluster.code, cluster.move))
    return any(
        turned == wanted and not ((mine ^ own) | (others ^ theirs)) & points
        for mine, others, turned in images(code, move)
    )


def legal(code):
    """Return the legal moves of a position, with 25 for the pass."""
    return [*points_of(unpack(code).legal()), PASS_POINT]


@pytest.fixture(scope="module")
def known():
    """Return the planted positions that have both winning and losing moves."""
    labels = planted()
    return labels.where(at_stake(labels.codes, labels.winning))


@pytest.fixture(scope="module")
def records(known):
    """Return Records with a winning move for every second known position."""
    moves = {
        code: (mask & -mask).bit_length() - 1
        for code, mask in zip(known.codes.tolist(), known.winning.tolist(), strict=True)
    }
    chosen = dict([*moves.items()][::2])
    return Records(chosen, known.where(~np.isin(known.codes, [*chosen])), knowledge().book)


@pytest.fixture(scope="module")
def clusters(records):
    """Return the clusters of all records."""
    found = list(find_clusters(records, records.codes.size, 0))
    assert len(found) == records.codes.size > 20
    return found


def against_of(records, cluster):
    """Yield (code, move) of the losing moves against which a cluster is checked."""
    codes = records.known.codes
    here = (moves_left(codes) == cluster.left) & ~held_out(codes)
    for code, winning in zip(codes[here].tolist(), records.known.winning[here].tolist(), strict=True):
        yield from ((code, move) for move in legal(code) if not winning >> move & 1)


def test_a_sub_board_lets_in_no_other_verdict_and_no_point_of_it_can_be_left_out(records, clusters):
    cut = 0
    for cluster in clusters[::3]:
        against = list(against_of(records, cluster))
        assert not any(shares_part(cluster, cluster.points, *one) for one in against)
        for point in points_of(cluster.points):
            less = cluster.points & ~(1 << point)
            assert any(shares_part(cluster, less, *one) for one in against)
        cut += cluster.points.bit_count() < 25
    assert cut


def test_its_members_are_the_records_that_share_it(records, clusters):
    both = [*zip(records.codes.tolist(), records.moves.tolist(), strict=True)]
    for number, cluster in enumerate(clusters):
        assert number in cluster.members and records.by[number][1] == cluster.kind
        members = [
            index
            for index, (code, move) in enumerate(both)
            if code >> 56 == cluster.left
            and records.by[index][1] == cluster.kind
            and shares_part(cluster, cluster.points, code, move)
        ]
        assert list(cluster.members) == members
    assert max(len(one.members) for one in clusters) > 2


def test_what_was_held_out_is_counted_and_decides_nothing(records, clusters):
    codes, counted = records.known.codes, 0
    for cluster in clusters:
        held = held_out(codes) & (moves_left(codes) == cluster.left)
        worth = [
            winning >> move & 1
            for code, winning in zip(codes[held].tolist(), records.known.winning[held].tolist(), strict=True)
            for move in legal(code)
            if shares_part(cluster, cluster.points, code, move)
        ]
        assert (cluster.right, cluster.known) == (sum(worth), len(worth))
        counted += cluster.known
    assert counted


def test_classes_and_the_clusters_that_bring_most_come_first(records, clusters):
    found = shares(records, clusters)
    assert sum(one.records for one in found) == records.codes.size == sum(one.looked_at for one in found)
    assert [one.records for one in found] == sorted((one.records for one in found), reverse=True)
    assert all(one.median <= one.largest <= one.records and 1 <= one.needed <= one.records for one in found)
    best = best_first(clusters, len(clusters))
    new = [number for _, number in best]
    assert new == sorted(new, reverse=True) and sum(new) == records.codes.size
    for (one, number), place in zip(best, range(len(best)), strict=True):
        before = {member for other, _ in best[:place] for member in other.members}
        assert number == len({*one.members} - before)


def test_a_drawn_sub_board_is_that_of_the_record(clusters):
    for cluster in clusters:
        own, theirs, move = next(images(cluster.code, cluster.move))
        for point, (row, column) in enumerate(product(range(5), repeat=2)):
            sign = cluster.rows()[row][column]
            if point == move:
                assert sign == "*"
            elif not cluster.points >> point & 1:
                assert sign == "?"
            else:
                assert (sign == "X", sign == "O") == (own >> point & 1, theirs >> point & 1)


def test_the_command_shows_them_and_writes_the_same(records, known, tmp_path, capsys):
    labels, overrides = tmp_path / "labels.npz", tmp_path / "overrides.txt"
    save(known, labels)
    write_overrides(overrides, dict(zip(records.codes.tolist(), records.moves.tolist(), strict=True)))
    asked = [
        "dev",
        "clusters",
        "-f",
        PATTERNS,
        "--labels",
        str(labels),
        "--overrides",
        str(overrides),
        "--records",
        "30",
    ]
    assert main([*asked, "--json", str(tmp_path / "found.json")]) == 0
    shown = capsys.readouterr().out
    found = json.loads((tmp_path / "found.json").read_text())
    assert f"{records.codes.size:,} overrides, of which {found['looked_at']} are examined" in shown
    assert found["records"] == records.codes.size and 0 < len(found["clusters"]) <= 12
    assert " ".join(found["clusters"][0]["board"][0]) in shown
    assert main(asked) == 0
    assert capsys.readouterr().out == shown


def test_without_a_record_it_says_so(known, tmp_path, capsys):
    labels, overrides = tmp_path / "labels.npz", tmp_path / "overrides.txt"
    save(known, labels)
    write_overrides(overrides, {})
    assert main(["dev", "clusters", "--labels", str(labels), "--overrides", str(overrides)]) == 2
    assert "there are no overrides" in capsys.readouterr().err
