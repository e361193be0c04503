"""What a person at the terminal is told: problems, long work, and texts of pages that nobody vouches for."""
