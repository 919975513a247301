"""The engine for large boards: matching by planes (see `planes`), chain tables, and facts for large boards."""
