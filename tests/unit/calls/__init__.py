"""What happens in one call."""
