"""A table in a terminal: README.md says how it is used."""
