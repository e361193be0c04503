"""An author's folder: its pages, the apps that they name, and what these need."""
