"""The names that other people's packages import (docs/rulesets.md). Everything else may change between versions.

`rules` and `sheets` load without Django, for the modules of a game that do so too; `ruleset`, `procedures` and `rows` need it.
"""
