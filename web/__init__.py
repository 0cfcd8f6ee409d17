"""The page: what the table shows and takes over HTTP."""
