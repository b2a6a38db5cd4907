from rolls.apps import RulesetConfig


class ScaleConfig(RulesetConfig):
    name = "rulesets.scale"
    rules_module = "add_on"

    def ready(self) -> None:
        from rulesets.scale import erasing  # noqa: F401  # it connects itself to a signal

        super().ready()
