from rolls.app_config import RulesetConfig


class LanternsConfig(RulesetConfig):
    name = "afterburn_lanterns"
