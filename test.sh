#!/bin/sh
# Set up a virtual environment in .venv, look the code over (ruff, mypy) and pass all tests in it. Arguments go to
# pytest alone, for example -m slow.
# PYTHON names the interpreter to build it with, 3.11 to 3.13; LITTLEGO_PYTHON37 a real Python 3.7, under which the
# player is then tested too; LITTLEGO_LOCK a file of exact versions with hashes, from which all packages are installed.
set -eu
cd "$(dirname "$0")"
unset PYTHONDONTWRITEBYTECODE  # else each of the programs that tests start compiles all its modules anew

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
    echo "test.sh: $python is not Python 3.11, 3.12 or 3.13: set PYTHON to one that is" >&2
    exit 2
fi
[ -x .venv/bin/python ] || "$python" -m venv .venv
install() { .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"; }
if [ -n "${LITTLEGO_LOCK:-}" ]; then
    install --require-hashes --requirement "$LITTLEGO_LOCK"
    install --no-deps --no-build-isolation --editable .
else
    install --editable '.[test]'
fi

# mypy and import-linter do not follow the package's path to rules/; git ignores the link.
[ -e tools/littlego/rules ] || ln -s ../../rules tools/littlego/rules

if [ $# -gt 0 ]; then
    exec .venv/bin/python -m pytest "$@"
fi
.venv/bin/python -m ruff check
.venv/bin/python -m ruff format --check
# Beside the types, on another core: what all processes of pytest would do, each for itself, as they collect the tests.
# It compiles the engine and rewrites asserts. What cannot be collected is told by the tests.
.venv/bin/python -m pytest --collect-only --quiet >/dev/null 2>&1 &
.venv/bin/python -m mypy
wait $! || true
# One process more than there are cores: many tests wait for other processes.
workers=$(.venv/bin/python -c 'import os; print(os.cpu_count() + 1)')
.venv/bin/python -m pytest --numprocesses "$workers" --cov --cov-branch --cov-report=
.venv/bin/python tests/support/coverage_floor.py
