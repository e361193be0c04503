"""`webtools build`: all that a page needs, written down for any static host to serve."""
