"""What happens in one call: the dispatcher, its deadlines, and what a handler may use of the page."""
