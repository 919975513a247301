"""The command line: `python -m littlego COMMAND`, the same as the console script `littlego COMMAND`."""

import sys

if not sys.flags.safe_path:  # sys.path[0] is the current folder, where a stranger's files could replace modules
    del sys.path[0]

from littlego.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
