"""Runs the tests that load JAX in a process of their own.

JAX starts threads. A process with threads must not fork, but many other tests fork the process that runs them.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from jax_learner import needs_jax

pytestmark = pytest.mark.thorough

TESTS = Path(__file__).with_name("test_zero_training.py")


@needs_jax
def test_the_tests_of_training_pass():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "jax and not slow", str(TESTS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
