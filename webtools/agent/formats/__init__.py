"""The tool formats of model APIs, as pure functions: one module each, `openai`, `anthropic` and `mcp`.

In each, `tools` writes the page's definitions, `calls` reads what a model wants to have called, and
`result` writes what came of a call.
"""
