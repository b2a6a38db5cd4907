from django.apps import AppConfig


class DescriptorsConfig(AppConfig):
    name = "rulesets.descriptors"
    label = "descriptors"

    def ready(self) -> None:
        from rolls.registry import register
        from rulesets.descriptors.ruleset import RULESET

        register(RULESET)
