"""Wheels: those that a page gets, what they need there, and the index of those that an author has."""
