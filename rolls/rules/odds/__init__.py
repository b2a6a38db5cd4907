"""The exact odds of every roll: whole numbers and Fractions, nothing rounded.

One module a system: `storyteller.py`, `scale.py` (what a roll does to the Scale, and what many do), `descriptors.py`, `arc.py`,
`forged.py`. `python -m rolls.rules.odds` answers questions line by line.

All of them count the rolls that the rules themselves would judge; the docstring of each says why it misses none. What a campaign
set for the rules holds here too. A result depends on its inputs alone and is kept for the next who asks.
"""
