"""The command line: `python -m littlego COMMAND`, the same as the console script `littlego COMMAND`."""

import sys

if not sys.flags.safe_path:  # Python puts the current folder first, and a stranger's files there could replace modules
    del sys.path[0]

from littlego.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
