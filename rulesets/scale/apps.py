from django.apps import AppConfig


class ScaleConfig(AppConfig):
    name = "rulesets.scale"
    label = "scale"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import kinds
        from campaigns.queries import standing
        from campaigns.services import erasing
        from rolls.queries import checking
        from rolls.registry import register_add_on
        from rulesets.scale.add_on import ADD_ON
        from rulesets.scale.erasing import erase_rows
        from rulesets.scale.events import MAJOR_BURN, ORACLE_MARKED, OUTCOMES, TOPICS
        from rulesets.scale.queries.standing import Burns

        register_add_on(ADD_ON)
        kinds.add_choices(topics=TOPICS, outcomes=OUTCOMES)
        erasing.register([erase_rows])
        standing.register([Burns])
        checking.tells_of_dice([MAJOR_BURN], caused_as="burn")
        checking.tells_of_dice([ORACLE_MARKED])
