"""A mark that skips tests, with the reason, if JAX or optax is missing; in CI, the run fails instead."""

from __future__ import annotations

import importlib.util
import os

import pytest

IS_NEEDED = "LITTLEGO_NEEDS_JAX"  # set by .ci/run, where a skipped test would go unnoticed
MISSING = [name for name in ("jax", "optax") if importlib.util.find_spec(name) is None]
WHY_NOT = f"no {' and no '.join(MISSING)}: pip install -e '.[zero]'" if MISSING else ""

if WHY_NOT and os.environ.get(IS_NEEDED):
    pytest.exit(f"{IS_NEEDED} is set, and there is {WHY_NOT}", returncode=2)

needs_jax = pytest.mark.skipif(bool(WHY_NOT), reason=f"NOT RUN: {WHY_NOT}")
