from rolls.apps import RulesetConfig


class ForgedConfig(RulesetConfig):
    name = "rulesets.forged"
