"""The documentation: pages in Markdown, and what makes a site of them."""
