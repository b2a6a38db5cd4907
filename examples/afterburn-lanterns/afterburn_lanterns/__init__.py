"""Lanterns: a small game for Afterburn, and the example of docs/rulesets.md."""
