"""The engine for large boards: matching by planes (see `planes`), chain tables, additional facts."""
