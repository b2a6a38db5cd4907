from rolls.app_config import RulesetConfig


class StorytellerConfig(RulesetConfig):
    name = "rulesets.storyteller"
