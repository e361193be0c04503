"""The command line, for the machine that serves a page. Never imported in the page."""
