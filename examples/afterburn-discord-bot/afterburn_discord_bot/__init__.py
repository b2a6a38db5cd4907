"""Plays at a table from a Discord channel: README.md says how it is run."""
