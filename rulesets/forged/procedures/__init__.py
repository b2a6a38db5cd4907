"""The procedures of the forged rules, by their kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.forms import SelectMultiple
from django.utils.text import capfirst

from languages.text import gettext as _
from languages.text import gettext_lazy
from rolls.forms.asked import ActForm, Several, played
from rolls.procedures import ProcedureKind
from rules.acts import Target
from rules.errors import RuleError
from rules.messages import Words, capital, joined, worded
from rules.table import Table
from rulesets.forged.procedures.action import StagedAction
from rulesets.forged.procedures.action_card import (
    FATES,
    HURT,
    clocks,
    codes,
    foretold,
    resist_words,
    roll_odds,
    setups,
    stress_odds,
    terms_said,
)
from rulesets.forged.procedures.downtime import SENTENCES, Downtime
from rulesets.forged.procedures.experience import Experience
from rulesets.forged.procedures.score import Carried, Engage, Flashback, Fortune, Loads, Opening
from rulesets.forged.rows import Scoundrel, Trauma, crews
from rulesets.forged.rules.action import FATAL, MOST_SIZE, SIZES, Attribute, Inflicted, Stage, resist_pool
from rulesets.forged.words import ATTRIBUTE_WORDS, inflicted_words, terms_words


def noted(words: str) -> type[ActForm]:
    """Return the form of an act with a sentence below its fields."""
    return type("NotedForm", (ActForm,), {"note": words})


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


class EachClock(SelectMultiple):
    """Reads so many ticks of each clock from a field of its own, ticks-<id>, as `ticks` names them."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        each = {key.removeprefix(f"{name}-"): data[key] for key in data if key.startswith(f"{name}-")}
        chosen = super().value_from_datadict(data, files, name) or []
        return [*chosen, *(f"{clock}.{typed}" for clock, typed in each.items() if typed.strip("0"))]


class SetForm(ActForm):
    """What the GM sets by presses on the card (forged/_sets.html), with what it comes to as it stands there."""

    ticking = Several(required=False, widget=EachClock)

    @classmethod
    def drawn(cls, table: Table, action: Any, target: Target) -> dict[str, Any]:
        rolling = [who for one in action.rollers if (who := table.find(Scoundrel, one.id))]
        named = {level: [harm for who in rolling for harm in who.harms(level)] for level in HURT}
        counted, who = {one.id for one in action.tokens}, action.who(table)
        wrong = {one.clock: one.ticks for one in action.threat.ticking}
        return {
            "hurts": [
                (f"spared_{level}", capfirst(HURT[level]), ", ".join(filter(None, those)), level in action.spared)
                for level, those in named.items()
                if those
            ],
            "setups": [
                (id, str(words), action.stage is not Stage.ASKED and id not in counted)
                for id, words in setups(action, table)
            ],
            "actor": who.name,
            "group": action.group,
            "is_set": action.stage is Stage.SET,
            "offered": bool(action.bargain),
            "crew": bool(crews(table)),
            "clocks": [
                (one, wrong.get(one.id, 0), one.id == action.clock, one.kind == "danger")
                for one in clocks(action, table)
            ],
            "flags": [
                (one.name, str(one.label), getattr(action.threat, one.name))
                for one in cls.act.asks
                if one.name in ("less", "worse", "complicated", "lost")
            ],
            "harms": [(level, level == action.threat.harm) for level in range(1, FATAL + 1)],
            "resists": [
                (
                    one.value,
                    str(ATTRIBUTE_WORDS[one]),
                    resist_words(action, table, one),
                    stress_odds(resist_pool(who.attribute(one))),
                )
                for one in Attribute
            ],
            "left": max(0, who.room(table)),
            "outnumbered": action.is_outnumbered,
        }

    @classmethod
    def prepared(cls, table: Table, action: Any, target: Target, given: Mapping[str, Any]) -> dict[str, Any]:
        form = cls(given)
        form.is_valid()
        sent = form.cleaned_data if "position" in given else action.so_far("set", table)
        trial, why = table.trial(), ""
        try:
            asked = {one.name: one.read(sent.get(one.name), action, table) for one in cls.act.asks}
            unnamed = {
                name: asked[name] or "…" for name in ("harm_name", "trouble") if asked["complicated"] or asked["harm"]
            }
            action.take(trial, cls.act, (), asked | unnamed)
        except RuleError as refused:
            why = refused.message
        then = trial.get(type(action), action.id)
        comes = terms_said(then, trial)
        return {
            "why": why,
            "comes": "" if comes == terms_words(then.position, then.base) else comes,
            "foretold": foretold(then, trial),
            "odds": roll_odds(then, trial, then.rollers[0]),
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


class DowntimeForm(ActForm):
    """The score that a downtime begins with."""

    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: Target) -> dict[str, Any]:
        alone = _("There’s no crew sheet here yet, so keep track of rep, coin and heat yourselves.")
        return {} if crews(table) else {"about": alone}


class PrisonForm(ActForm):
    """Who goes to prison, and for how long."""

    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: Target) -> dict[str, Any]:
        sentences = [worded(SENTENCES[crew.wanted]) for crew in crews(table)]
        cleared: Words = _("The wanted level goes down by 1, and all heat is cleared.")
        return {"about": joined(" ", [cleared, *sentences])}


FORMS: dict[str, type[ActForm]] = {
    "open": OpenForm,
    "set": SetForm,
    "offer": noted(
        gettext_lazy(
            "Coin and items leave the sheet when the dice fall. Anything else, the GM names after the roll. Anyone may "
            "refuse a bargain. Whoever takes it pays the price, whatever the roll."
        )
    ),
    "set_up": noted(
        gettext_lazy("It counts for every teammate who follows, until the scene ends or the GM removes it.")
    ),
    "inflict": InflictForm,
    "take_fatal": FatalForm,
    **dict.fromkeys(("more_dice", "move_ticks", "move_its_ticks"), AboutForm),
}
OF_DOWNTIME: dict[str, type[ActForm]] = {
    "open": DowntimeForm,
    "prison": PrisonForm,
    "better": noted(
        gettext_lazy("Each coin improves the result by one step. Beyond a critical, 2 coin buy an asset one more Tier.")
    ),
}
PROCEDURES: dict[str, ProcedureKind] = {
    "load": played(
        "forged",
        Loads,
        {
            "open": noted(
                gettext_lazy(
                    "Everyone chooses how much they carry, once for the score. Armour is restored, and nothing is "
                    "carried yet."
                )
            )
        },
    ),
    "engage": played(
        "forged",
        Engage,
        {
            "open": noted(
                gettext_lazy(
                    "Starts with 1 die. Choose what helps and hinders the plan on the card, where everyone sees it."
                )
            )
        },
    ),
    "engagement": played("forged", Opening),
    "action": played("forged", StagedAction, FORMS),
    "setup": played("forged", Carried),
    "trauma": played("forged", Trauma),
    "flashback": played(
        "forged",
        Flashback,
        {
            "open": noted(
                gettext_lazy(
                    "Below, say what they did earlier. The GM sets the cost: 0 stress for something ordinary, 1 for "
                    "something unlikely, 2 or more for something elaborate."
                )
            )
        },
    ),
    "fortune": played("forged", Fortune),
    "downtime": played("forged", Downtime, OF_DOWNTIME),
    "experience": played(
        "forged",
        Experience,
        {
            "open": noted(
                gettext_lazy(
                    "Each player says what their character did in this session and marks XP for it. Anyone can answer "
                    "for the crew."
                )
            )
        },
    ),
}
