"""What a player of the forged rules says has happened: trauma, harm, recovery and vice; heat and payoff of a crew (public rules).

A sheet may stand for a moment where the rules never stop: with the last box of stress, heat or the healing clock marked. Here
that is the moment it is: full heat and a full healing clock begin anew with what comes, full stress asks for its trauma.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import CODE, NAME, Maybe
from characters.advancement import Given, Granted, Standing, Told, Wording
from characters.sheets.fields import Choice, Field, Flag, Number, Text
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put, Step, Take
from rolls.rules.errors import RuleError
from rolls.settings import roll_settings
from rulesets.forged import claim_words, crew
from rulesets.forged import sheet as forged
from rulesets.forged.claim_words import GROUP
from rulesets.forged.rules import downtime, harm, heat, score
from rulesets.forged.rules.body import Strain, strain
from rulesets.forged.settings import Settings

T = TypeVar("T")

RECOVERED = tuple((str(ticks), f"{result.value}: {ticks}") for result, ticks in downtime.AMOUNTS.items())
LEVELS = tuple((str(level), f"{level}, {words.lower()}") for level, words in sorted(forged.HARM_WORDS.items()))
STRAINS = (
    (GROUP, "led a group action: 1 for each player character whose best was 1 to 3"),
    *((one.value, f"{one.value} flashback: {stress}") for one, stress in score.FLASHBACK_STRESS.items() if stress),
)
DIE = (("0", "not indulged: stress for each trauma"), *((str(face), f"the die is a {face}") for face in range(1, 7)))


class TraumaClaim:
    """The last box of stress is marked: a trauma, and the track is free again."""

    label = "The stress is full"
    wording = Wording({"trauma": CODE, "retired": bool}, claim_words.trauma)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        if forged.SHEET.number(standing.values, "stress") < _settings(standing).boxes:
            return ()
        had = forged.traumas(standing.values)
        left = tuple((one, one.capitalize()) for one in forged.TRAUMAS if one not in had)
        return (Choice("trauma", "Which trauma", choices=left, default=left[0][0]),)

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        after = self._after(standing)
        return dict(given), {"trauma": given["trauma"], "retired": after.retired}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        after = self._after(standing)
        return Granted((Put(forged.trauma_of(kept["trauma"]), to=True), Put("stress", after.stress)))

    def at_once(self, campaign: Campaign) -> bool:
        return True

    def _after(self, standing: Standing) -> Strain:
        settings = _settings(standing)
        had = min(len(forged.traumas(standing.values)), settings.last_trauma - 1)
        return strain(settings.boxes - 1, had, 1, settings)


class HarmClaim:
    """A harm goes into its row, or into the next one where that is full; it empties the healing clock."""

    label = "Harm was taken"
    wording = Wording({"level": int, "name": NAME, "row": int}, claim_words.harm)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (
            Choice("level", "Level", choices=(*LEVELS, (str(harm.FATAL), "4, fatal")), default="2"),
            Text("name", "What it is", longest=80, required=True),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        level = int(given["level"])
        taken = harm.record(rows_of(standing.values), level)
        return dict(given), {"level": level, "name": given["name"], "row": taken.row}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        taken = harm.record(rows_of(standing.values), int(kept["level"]))
        if taken.fatal:
            return Granted()
        return Granted((Add(forged.harm_rows(taken.row), {"name": kept["name"]}), Put("healing", taken.healing)))

    def at_once(self, campaign: Campaign) -> bool:
        return True


class RecoveryClaim:
    """The healing clock is ticked; full, it brings every harm down a level and begins again with what is over."""

    label = "Somebody treated them"
    wording = Wording({"ticks": int, "down": int}, claim_words.recovery)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        if not any(rows_of(standing.values).values()):
            return ()
        return (Choice("ticks", "Result, and its segments", choices=RECOVERED, default=RECOVERED[0][0]),)

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        down = self._healed(standing, given).levels_down
        return dict(given), {"ticks": int(given["ticks"]), "down": down}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        healed = self._healed(standing, kept)
        return Granted((*_brought_down(standing.values, healed.levels_down), Put("healing", healed.healing)))

    def at_once(self, campaign: Campaign) -> bool:
        return True

    def _healed(self, standing: Standing, given: Given) -> harm.Healed:
        marked = forged.SHEET.number(standing.values, "healing")
        return _ruled(lambda: harm.heal(rows_of(standing.values), 0, marked + int(given["ticks"])))


class ViceClaim:
    """A vice clears the die from the stress; a downtime without it brings stress for each trauma."""

    label = "A downtime, with the vice or without"
    wording = Wording({"indulged": bool, "over": bool, "before": int, "after": int}, claim_words.vice)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (Choice("die", "The lowest attribute was rolled", choices=DIE, default="1"),)

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        before, (after, over) = self._stress(standing), self._after(standing, given)
        told = {"indulged": bool(int(given["die"])), "over": over, "before": before, "after": after}
        return dict(given), told

    def grant(self, standing: Standing, kept: Given) -> Granted:
        return Granted((Put("stress", self._after(standing, kept)[0]),))

    def at_once(self, campaign: Campaign) -> bool:
        return True

    def _stress(self, standing: Standing) -> int:
        return min(forged.SHEET.number(standing.values, "stress"), _settings(standing).boxes)

    def _after(self, standing: Standing, given: Given) -> tuple[int, bool]:
        """The stress afterwards, which full asks for a trauma, and whether too much was indulged."""
        settings, before, die = _settings(standing), self._stress(standing), int(given["die"])
        if die:
            done = downtime.vice(before, die, settings)
            return done.stress, done.overindulged
        return min(before + len(forged.traumas(standing.values)), settings.boxes), False


class StressClaim:
    """Stress that no roll of one's own brings: leading a group action (forged.txt, Lead a group action), and flashbacks."""

    label = "A group action or a flashback cost stress"
    wording = Wording({"why": CODE, "stress": int}, claim_words.stress)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (
            Choice("why", "What it was", choices=STRAINS, default=GROUP),
            Number("more", "How many of those, or how much more", maximum=score.MOST_EXTRA_STRESS),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        return dict(given), {"why": given["why"], "stress": self._cost(given)}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        after = forged.SHEET.number(standing.values, "stress") + self._cost(kept)
        return Granted((Put("stress", min(after, _settings(standing).boxes)),))

    def at_once(self, campaign: Campaign) -> bool:
        return True

    def _cost(self, given: Given) -> int:
        if given["why"] == GROUP:
            return int(given["more"])
        return _ruled(lambda: score.flashback(score.Flashback(given["why"]), given["more"]))


class HeatClaim:
    """A score brings heat, and each full track of it a wanted level."""

    label = "A score brought heat"
    wording = Wording({"added": int, "heat": int, "wanted": Maybe(int)}, claim_words.heat)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        done = tuple((one.value, f"{one.value}: {added}") for one, added in heat.EXPOSURE_HEAT.items())
        return (
            Choice("exposure", "How it was done", choices=done, default=done[0][0]),
            Flag("prominent", "A prominent target: 1 more"),
            Flag("hostile_turf", "On hostile ground: 1 more"),
            Flag("war", "At war: 1 more"),
            Flag("killing", "Somebody was killed: 2 more"),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        added, after = self._after(standing, given)
        return dict(given), {"added": added, "heat": after.heat, "wanted": after.wanted if after.raised else None}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        after = self._after(standing, kept)[1]
        return Granted((Put("heat", after.heat), Put("wanted", after.wanted)))

    def at_once(self, campaign: Campaign) -> bool:
        return True

    def _after(self, standing: Standing, given: Given) -> tuple[int, heat.Heat]:
        more = {name: given[name] for name in ("prominent", "hostile_turf", "war", "killing")}
        added = heat.score_heat(heat.Exposure(given["exposure"]), **more)
        marked, wanted = crew.heat(standing.values)
        return added, heat.heat(0, wanted, marked + added)


class PayoffClaim:
    """What a score brings the crew: rep by the target's Tier, and coin."""

    label = "A score paid off"
    wording = Wording({"rep": int, "coin": int}, claim_words.payoff)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        takes = tuple((one.value, f"{one.value}: {coin} coin") for one, coin in score.COIN.items())
        return (
            Number("target", "Tier of the target", maximum=score.HIGHEST_TIER),
            Choice("take", "How large the haul is", choices=takes, default=score.Take.STANDARD.value),
            Number("extra", "More coin, of a major one", maximum=score.MOST_EXTRA_COIN),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        paid = self._paid(standing, given)
        return dict(given), {"rep": paid.rep, "coin": paid.coin}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        paid = self._paid(standing, kept)
        rep, coin = (crew.SHEET.number(standing.values, name) for name in ("rep", "coin"))
        room = (Put("rep", min(crew.REP, rep + paid.rep)), Put("coin", min(crew.MOST_COIN, coin + paid.coin)))
        return Granted(room)

    def at_once(self, campaign: Campaign) -> bool:
        return True

    def _paid(self, standing: Standing, given: Given) -> score.Payoff:
        own, take = crew.tier(standing.values), score.Take(given["take"])
        return _ruled(lambda: score.payoff(own, given["target"], take, given["extra"]))


def rows_of(values: Values) -> Mapping[int, int]:
    """How many harms are in each row."""
    return {level: len(names) for level, names in forged.harm(values).items()}


def _brought_down(values: Values, levels: int) -> tuple[Step, ...]:
    """From the lowest row up, so that there is room for what comes down."""
    steps: list[Step] = []
    for level in sorted(forged.HARM_SLOTS) if levels else ():
        for row in forged.SHEET.rows(values, forged.harm_rows(level)):
            steps.append(Take(forged.harm_rows(level), row["id"]))
            if level > levels:
                steps.append(Add(forged.harm_rows(level - levels), {"name": row["name"]}))
    return tuple(steps)


def _settings(standing: Standing) -> Settings:
    return roll_settings(standing.campaign).of(Settings)


def _ruled(ask: Callable[[], T]) -> T:
    try:
        return ask()
    except RuleError as error:
        raise Invalid(error.message, field=error.field) from None
