from rolls.app_config import RulesetConfig


class ScaleConfig(RulesetConfig):
    name = "rulesets.scale"
    rules_module = "add_on"

    def ready(self) -> None:
        from rulesets.scale import erasing  # noqa: F401  # these connect themselves to signals
        from rulesets.scale.queries import standing  # noqa: F401

        super().ready()
