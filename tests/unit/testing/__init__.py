"""The public fakes."""
