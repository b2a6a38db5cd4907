from django.apps import AppConfig


class ForgedConfig(AppConfig):
    name = "rulesets.forged"
    label = "forged"

    def ready(self) -> None:
        from rolls.registry import register
        from rulesets.forged.ruleset import RULESET

        register(RULESET)
