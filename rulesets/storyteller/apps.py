from rolls.apps import RulesetConfig


class StorytellerConfig(RulesetConfig):
    name = "rulesets.storyteller"
