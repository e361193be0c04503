"""When a tool is registered: the registry and its ports, model context and clock."""
