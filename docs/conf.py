"""Configuration of the documentation's site: `nox -s docs` builds it into `build/site`."""

from __future__ import annotations

import importlib.metadata

project = "webtools"
author = "webtools contributors"
version = release = importlib.metadata.version("webtools-host")
html_title = "webtools"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docs.making.extension"]
exclude_patterns = ["making", "images", "site"]
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["attrs_block", "colon_fence", "fieldlist"]
myst_heading_anchors = 4

# Docstrings have single backticks around code, as Markdown has.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_use_ivar = True
napoleon_numpy_docstring = False
maximum_signature_line_length = 70
python_use_unqualified_type_names = True

smartquotes = False  # would make a dash of `--`, and other quotes of those in commands

# Most blocks in other languages are cut where it does not matter, with "…", which no lexer knows.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#3730a3", "color-brand-content": "#4338ca"},
    "dark_css_variables": {"color-brand-primary": "#a5b4fc", "color-brand-content": "#a5b4fc"},
    "top_of_page_buttons": [],
}
html_static_path = ["site"]
html_css_files = ["site.css"]
html_favicon = "site/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
