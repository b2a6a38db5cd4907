"""What every ruleset is held to, whoever wrote it: these tests run for each that is installed.

    python3 dev.py test -- tests/rulesets/conformance -k lanterns       # for an author (docs/rulesets.md)

`samples.py` says what a ruleset brings to be tried with.
"""
