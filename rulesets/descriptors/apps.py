from django.apps import AppConfig


class DescriptorsConfig(AppConfig):
    name = "rulesets.descriptors"
    label = "descriptors"

    def ready(self) -> None:
        from campaigns import finding
        from rolls.registry import register
        from rulesets.descriptors.finding import READERS
        from rulesets.descriptors.ruleset import RULESET

        register(RULESET)
        finding.register(READERS)
