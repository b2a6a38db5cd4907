from afterburn.app import RulesetConfig


class LanternsConfig(RulesetConfig):
    name = "afterburn_lanterns"
