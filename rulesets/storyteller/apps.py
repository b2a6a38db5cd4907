from django.apps import AppConfig


class StorytellerConfig(AppConfig):
    name = "rulesets.storyteller"
    label = "storyteller"

    def ready(self) -> None:
        from rolls.registry import register
        from rulesets.storyteller.ruleset import RULESET

        register(RULESET)
