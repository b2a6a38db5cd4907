from django.apps import AppConfig


class DescriptorsConfig(AppConfig):
    name = "rulesets.descriptors"
    label = "descriptors"

    def ready(self) -> None:
        from campaigns import closing
        from campaigns.services import log
        from rolls.registry import register
        from rulesets.descriptors.ruleset import RULESET
        from rulesets.descriptors.services.scenes import SIGNALS
        from rulesets.descriptors.shown import unclaimed_keys

        register(RULESET)
        closing.register(unclaimed_keys)
        log.register_signals(SIGNALS)
