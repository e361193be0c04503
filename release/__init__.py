"""What builds the distribution that strangers install: `python -m release`, in a checkout."""
