"""The interval that needs no library, held against scipy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tools.shares import wilson


@given(st.integers(1, 5000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))), st.floats(0.5, 0.99))
def test_it_is_that_of_scipy(counts, confidence):
    found, of = counts
    known = binomtest(found, of).proportion_ci(confidence, method="wilson")
    assert wilson(found / of, of, confidence) == pytest.approx((known.low, known.high), abs=1e-9)
