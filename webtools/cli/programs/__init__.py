"""Other programs on this machine: finding Node and Chromium, and running what is found."""
