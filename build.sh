#!/bin/sh
# Play ten games of ./my_player3.py against the random player over input.txt and output.txt, colours alternating.
# Needs a POSIX shell and python3 (3.7 or later), nothing else. `sh build.sh --help` shows the options.
cd "$(dirname "$0")" || exit 1
exec "${PYTHON:-python3}" -m tools.match.build_host "$@"
