"""The command line: `python -m littlego COMMAND`, the same as the console script `littlego COMMAND`."""

import sys

from littlego.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
