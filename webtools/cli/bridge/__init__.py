"""`webtools bridge`: a page's tools for MCP clients, by a Chromium that has the page open.

`server.py` is the side of MCP, `sites.py` gives several pages' tools their names, `site.py` keeps one page
open, `chromium.py` and `tabs.py` are its port to a browser (`ports.py`), through Playwright and `page.js`.
"""
