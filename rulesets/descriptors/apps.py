from rolls.apps import RulesetConfig


class DescriptorsConfig(RulesetConfig):
    name = "rulesets.descriptors"

    def ready(self) -> None:
        from rulesets.descriptors.services import scenes  # noqa: F401  # it connects itself to signals

        super().ready()
