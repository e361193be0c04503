"""What a tool is: definition, names, schema lowering, results, the decorator."""
