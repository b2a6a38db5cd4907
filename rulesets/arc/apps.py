from rolls.app_config import RulesetConfig


class ArcConfig(RulesetConfig):
    name = "rulesets.arc"
