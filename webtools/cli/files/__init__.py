"""Files as hosts send them: with hashes in their names, compressed ahead, with their types and headers."""
