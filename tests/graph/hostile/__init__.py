"""What the guard is tried on: hostile queries by kind, honest ones, and two namespaces."""
