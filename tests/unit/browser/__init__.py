"""The page's host, against a border made of Python."""
