"""The base of all games' rules, as pure Python: values in, values out. No Django, clock, database or randomness.

Dice come in as an iterator of faces (`dice.Faces`), so that a roll can be injected, replayed and checked. The rules of a ruleset
resolve an `Ask` into an `Outcome` that keeps every die and says why it counted as it did.
"""
