"""Assembles the runtime: Python for a page, made ready ahead by that Python itself."""
