"""The rules of the games as pure Python: values in, values out. No Django, no clock, no database, no randomness.

Dice come in as an iterator of faces (`dice.Faces`), so that a roll can be injected, replayed and checked. Every module resolves
an `Ask` into an `Outcome` that keeps every die and says why it counted as it did. Whoever wants to add a system reads
`storyteller.py` first: settings, pool, ask, outcome, `resolve`.

A decision which the source texts leave open is a field of the module's `Settings` or a named constant.
"""
