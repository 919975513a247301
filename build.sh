#!/bin/sh
# Play ten games of ./my_player3.py against the random player over input.txt and output.txt, colours alternating.
# The first is shown move by move, with the reasons; then come a line for each of the others and the summary.
# Needs a POSIX shell and python3 (3.7 or later), nothing else. `sh build.sh --help` shows the options.
cd "$(dirname "$0")" || exit 1
cd tools || exit 1  # not by PYTHONPATH, which the players would inherit
export PATH  # a shell may have a PATH of its own, which Python does not see; then it cannot find itself
exec "${PYTHON:-python3}" -m littlego.players.build_host "$@"
