from django.apps import AppConfig


class ArcConfig(AppConfig):
    name = "rulesets.arc"
    label = "arc"

    def ready(self) -> None:
        from campaigns import finding
        from rolls.registry import register
        from rolls.services import checking
        from rulesets.arc.finding import READERS
        from rulesets.arc.ruleset import RULESET

        register(RULESET)
        finding.register(READERS)
        checking.tells_of_dice(READERS)
