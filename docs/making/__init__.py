"""What makes a site of the pages."""
