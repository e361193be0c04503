"""`webtools serve`: files for the browser, live reload, what pages tell, and certificates."""
