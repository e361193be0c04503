"""Tests on CPython alone."""
