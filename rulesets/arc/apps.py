from django.apps import AppConfig


class ArcConfig(AppConfig):
    name = "rulesets.arc"
    label = "arc"

    def ready(self) -> None:
        from rolls.queries import checking
        from rolls.registry import register
        from rulesets.arc.events import ORDER_ROLLED
        from rulesets.arc.ruleset import RULESET

        register(RULESET)
        checking.tells_of_dice([ORDER_ROLLED])
