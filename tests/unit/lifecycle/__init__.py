"""When a tool is registered."""
