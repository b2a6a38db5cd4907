from rolls.apps import RulesetConfig


class DescriptorsConfig(RulesetConfig):
    name = "rulesets.descriptors"

    def ready(self) -> None:
        from rulesets.descriptors import services  # noqa: F401

        super().ready()
