from rolls.apps import RulesetConfig


class ArcConfig(RulesetConfig):
    name = "rulesets.arc"
