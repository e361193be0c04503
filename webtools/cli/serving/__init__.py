"""What `webtools serve` does beside serving files: live reload, what pages tell, and certificates."""
