"""A witness: follows the log of a campaign from outside, and reports changes of what it has seen (README.md)."""
