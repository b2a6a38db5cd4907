"""What packages of others import from (docs/rulesets.md). Whatever else there is may change from one version to the next.

`rules` and `sheets` load without Django, for the modules of a game that do so too; `ruleset`, `procedures` and `rows` need it.
"""
