from django.apps import AppConfig


class DescriptorsConfig(AppConfig):
    name = "rulesets.descriptors"
    label = "descriptors"

    def ready(self) -> None:
        from campaigns import closing
        from rolls.registry import register
        from rulesets.descriptors.ruleset import RULESET
        from rulesets.descriptors.shown import unclaimed_keys

        register(RULESET)
        closing.register(unclaimed_keys)
