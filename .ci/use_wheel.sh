#!/usr/bin/env bash
# Use the installed `littlego` in an empty folder, as an author does, on any system with bash.
set -euo pipefail
cd "$(mktemp -d)"
littlego init mine --small
cd mine
littlego check
littlego test
littlego play --black ours --white greedy --brief
littlego solve board.txt --left 4
littlego match greedy random --games 2
