"""The procedures of the forged rules, by their kinds."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst

from languages.text import colon
from languages.text import gettext as _
from rolls.forms.asked import ActForm, played
from rolls.procedures import ProcedureKind
from rules.acts import Target
from rules.messages import capital
from rules.table import Table
from rulesets.forged.procedures.action import StagedAction
from rulesets.forged.procedures.action_card import FATES, HURT
from rulesets.forged.procedures.action_state import Stage, codes, setups
from rulesets.forged.procedures.carried import Carried
from rulesets.forged.procedures.downtime import Downtime
from rulesets.forged.procedures.engagement import Engage, Opening
from rulesets.forged.procedures.experience import Experience
from rulesets.forged.procedures.flashback import Flashback
from rulesets.forged.procedures.fortune import Fortune
from rulesets.forged.procedures.load import Loads
from rulesets.forged.rows import Scoundrel, Trauma, crews
from rulesets.forged.rules.consequence import MOST_SIZE, SIZES, Inflicted
from rulesets.forged.words import inflicted_words


class OpenForm(ActForm):
    """What somebody wants to achieve, and how."""

    @classmethod
    def drawn(cls, table: Table, action: Any, target: Target) -> dict[str, Any]:
        return {"goal": _("What do you want to achieve?")}


class AboutForm(ActForm):
    """The form of an act of a staged action, which says what it is about."""

    @classmethod
    def drawn(cls, table: Table, action: Any, target: Target) -> dict[str, Any]:
        one = next((one for one in target if isinstance(one, Inflicted)), None)
        if one is None:
            words = _("This action ticks {clock}, which is no longer on the table.").format(clock=action.clock_name)
            return {"about": words if cls.act.name == "move_ticks" else ""}
        about = str(capital(inflicted_words(one)))
        if cls.act.name == "move_its_ticks":
            words = _("{consequence}: {clock} is no longer on the table.")
            about = words.format(consequence=about, clock=one.clock_name)
        return {"about": about, "whose": action.called(table, one.whom), "pushes": one.push}


class SetForm(ActForm):
    """What the GM sets, with the harm of those who roll and the set-ups for whoever follows."""

    @classmethod
    def drawn(cls, table: Table, action: Any, target: Target) -> dict[str, Any]:
        rolling = [who for one in action.rollers if (who := table.find(Scoundrel, one.id))]
        named = {level: [harm for who in rolling for harm in who.harms(level)] for level in HURT}
        counted = {one.id for one in action.tokens}
        return {
            "hurts": [
                {
                    "field": f"spared_{level}",
                    "words": f"{capfirst(HURT[level])}{colon()}{', '.join(those)}"
                    if any(those)
                    else capfirst(HURT[level]),
                    "spared": level in action.spared,
                }
                for level, those in named.items()
                if those
            ],
            "setups": [
                (id, str(words), action.stage is not Stage.ASKED and id not in counted)
                for id, words in setups(action, table)
            ],
        }


class InflictForm(ActForm):
    """One consequence, of which the usual ones are pressed on the card; the last that the GM names, or one of several."""

    @classmethod
    def drawn(cls, table: Table, action: Any, target: Target) -> dict[str, Any]:
        every = [(code, str(words)) for code, words in codes(action, table)]
        usual = len(action.menu) or len(every)
        return {
            "menu": every[:usual],
            "others": every[usual:],
            "bargained": action.bargained,
            "crew": bool(crews(table)),
            "complications": " ".join(SIZES),
            "most": MOST_SIZE,
            "submits": [("last", "on", _("Add and finish"))],
            "said_by_them": True,
            "again": _("Add and continue"),
        }


class FatalForm(AboutForm):
    """What becomes of a character: its choices are the buttons."""

    @classmethod
    def drawn(cls, table: Table, action: Any, target: Target) -> dict[str, Any]:
        submits = [("fate", fate.value, str(words)) for fate, words in FATES.items()]
        return super().drawn(table, action, target) | {"submits": submits, "said_by_them": True}


FORMS = {
    "open": OpenForm,
    "set": SetForm,
    "inflict": InflictForm,
    "take_fatal": FatalForm,
    **dict.fromkeys(("more_dice", "move_ticks", "move_its_ticks"), AboutForm),
}
PROCEDURES: dict[str, ProcedureKind] = {
    "load": played("forged", Loads),
    "engage": played("forged", Engage),
    "engagement": played("forged", Opening),
    "action": played("forged", StagedAction, FORMS),
    "setup": played("forged", Carried),
    "trauma": played("forged", Trauma),
    "flashback": played("forged", Flashback),
    "fortune": played("forged", Fortune),
    "downtime": played("forged", Downtime),
    "experience": played("forged", Experience),
}
