"""What is kept from one call to the next."""
