"""`webtools check`: what an agent or a person would stumble over in an app's tools.

`sources.py` gets the definitions; `names.py`, `texts.py`, `schemas.py` and `effects.py` judge them;
`rules.py` lists all rules; `printed.py` says what was found. docs/check.md has the rules for people.
"""
