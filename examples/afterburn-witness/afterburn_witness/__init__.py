"""A witness: follows the log of a campaign from outside, and says when what it has seen was changed (README.md)."""
