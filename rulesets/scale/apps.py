from django.apps import AppConfig


class ScaleConfig(AppConfig):
    name = "rulesets.scale"
    label = "scale"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import finding, shapes
        from campaigns.services import erasing
        from rolls.registry import register_add_on
        from rolls.services import checking
        from rulesets.scale.add_on import ADD_ON
        from rulesets.scale.erasing import COPIED, ROWS, TYPED
        from rulesets.scale.finding import OUTCOMES, READERS, TOPICS
        from rulesets.scale.shapes import SHAPES

        register_add_on(ADD_ON)
        finding.add_choices(topics=TOPICS, outcomes=OUTCOMES)
        finding.register(READERS)
        shapes.register(SHAPES)
        erasing.register(TYPED, COPIED, ROWS)
        checking.tells_of_dice(["scale.major_burn"], caused_as="burn")
