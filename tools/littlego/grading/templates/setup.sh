#!/usr/bin/env bash
# Gradescope runs this script once, when it builds the autograder's image (Ubuntu 22.04). The script has not been tested
# on Gradescope.
# Zip setup.sh, run_autograder and a wheel of littlego (`pip wheel --no-deps .` in its repository) without a folder.
set -e
apt-get update
apt-get install -y bubblewrap g++ default-jdk-headless python3-pip
pip3 install uv
uv python install 3.12
uv python install 3.7 || echo "no Python 3.7: littlego runs the programs with its own Python and says so"
uv venv --python 3.12 /opt/littlego
cd /autograder/source
wheel=$(ls littlego-*.whl 2>/dev/null || echo "littlego=={{ version }}")
uv pip install --python /opt/littlego/bin/python "$wheel"
