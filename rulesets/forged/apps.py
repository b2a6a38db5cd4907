from rolls.app_config import RulesetConfig


class ForgedConfig(RulesetConfig):
    name = "rulesets.forged"
