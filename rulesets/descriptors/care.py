"""What mends a character of the Descriptors rules: recovery, Refreshment Scenes, and what stays (descriptors.txt)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.models.play import Scene
from campaigns.schema import NAME, Maybe
from characters.advancement import Given, Granted, Standing, Told, Wording
from characters.models import Character
from characters.sheets.fields import Choice, Field, Number, RowGone
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put, Step, Take
from rolls.rules.errors import RuleError
from rolls.settings import roll_settings
from rulesets.descriptors.rules.power import BEARER_GAIN, Track
from rulesets.descriptors.rules.scene import Condition, Refreshment, SceneDescriptor, make_permanent, refreshment_scene
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_DICE, SHEET, power_box, track

SOMEBODY = ("", "somebody without a sheet here")


def _recovery_words(told: Told) -> str:
    name, dice, left = told["name"], told["dice"], max(0, told["dice"] - told["successes"])
    if not told["successes"]:
        return f"{name} withstands recovery"
    return f"Recovery: {name} {dice}D, {f'now {left}D' if left else 'gone'}"


class RecoveryClaim:
    """A recovery roll against an Injury: each success takes a die off it."""

    label = "A recovery roll was made"
    wording = Wording({"name": NAME, "dice": int, "successes": int}, _recovery_words)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        hurt = tuple((row["id"], f"{row['name']} {row['dice']}D") for row in SHEET.rows(standing.values, "injuries"))
        if not hurt:
            return ()
        return (
            Choice("injury", "Against", choices=hurt, default=hurt[0][0]),
            Number("successes", "Successes; 0 where the Injury withstood", maximum=MOST_DICE, default=1),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        row = _injury(standing, given)
        return dict(given), {"name": row["name"], "dice": row["dice"], "successes": given["successes"]}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        row, settings = _injury(standing, kept), roll_settings(standing.campaign).of(Settings)
        if not kept["successes"]:
            pays = BEARER_GAIN if settings.recovery_pays_bearer else 0
            return Granted((Put("will", SHEET.number(standing.values, "will") + pays),) if pays else ())
        left = row["dice"] - kept["successes"]
        if left > 0:
            return Granted((Put(f"injuries/{row['id']}/dice", left),))
        return Granted((Take("injuries", row["id"]),))

    def at_once(self, campaign: Campaign) -> bool:
        return False


class RefreshmentClaim:
    """Two characters let their guard down between scenes. The GM, who confirms it, may make the situation worse for it."""

    label = "A Refreshment Scene was played"
    wording = Wording(
        {"other": Maybe(NAME)},
        lambda told: (
            f"A Refreshment Scene with {told['other'] or 'somebody'}; the GM may make things worse for it, once"
        ),
    )

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        others = tuple((str(one.pk), one.name) for one in _others(standing))
        return (Choice("other", "With", choices=(*others, SOMEBODY), default=others[0][0] if others else SOMEBODY[0]),)

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        scenes = Scene.objects.filter(session__campaign=standing.campaign, session__ended_at=None, closed_at=None)
        other = _other(standing, given)
        _refreshed(standing, other, between_scenes=not scenes.exists())
        return dict(given), {"other": other.name if other else None}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        other = _other(standing, kept)
        after = _refreshed(standing, other, between_scenes=True)
        beside = (other.pk, _steps(other.values, after.partner)) if other else None
        return Granted(_steps(standing.values, after.caller), beside=beside)

    def at_once(self, campaign: Campaign) -> bool:
        return False


class KeepClaim:
    """What sticks becomes a Descriptor of their own, where a campaign has it so: the text notes that a rule is missing."""

    label = "Something that sticks is there for good"
    wording = Wording({"name": NAME, "dice": int}, lambda told: f"{told['name']} {told['dice']}D is there for good")

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        stuck = tuple((row["id"], f"{row['name']} {row['dice']}D") for row in SHEET.rows(standing.values, "stuck"))
        if not stuck or not roll_settings(standing.campaign).of(Settings).temporary_may_stay_for_good:
            return ()
        return (Choice("stuck", "Which", choices=stuck, default=stuck[0][0]),)

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        kept = _kept(standing, given)
        return dict(given), {"name": kept.name, "dice": kept.dice}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        own = _kept(standing, kept)
        return Granted((Take("stuck", kept["stuck"]), Add("descriptors", {"name": own.name, "dice": own.dice})))

    def at_once(self, campaign: Campaign) -> bool:
        return False


def _kept(standing: Standing, given: Given) -> SceneDescriptor:
    try:
        row = SHEET.row(standing.values, "stuck", given["stuck"])
        sticks = SceneDescriptor(row["name"], row["dice"], stuck_to=str(standing.who))
        return make_permanent(sticks, roll_settings(standing.campaign).of(Settings))
    except RowGone:
        raise Invalid("That is not on the sheet any more.") from None
    except RuleError as error:
        raise Invalid(error.message) from None


def _injury(standing: Standing, given: Given) -> Values:
    try:
        return SHEET.row(standing.values, "injuries", given["injury"])
    except RowGone:
        raise Invalid("That Injury is not on the sheet any more.") from None


def _others(standing: Standing) -> list[Character]:
    """The others of these rules whom players know of."""
    there = Character.objects.active().filter(campaign=standing.campaign, system=SHEET.name)
    return list(there.exclude(pk=standing.who).exclude(owner=None, shown=False).order_by("name"))


def _other(standing: Standing, given: Given) -> Character | None:
    if not given["other"]:
        return None
    return Character.objects.filter(campaign=standing.campaign, pk=UUID(given["other"])).with_related().first()


def _refreshed(standing: Standing, other: Character | None, *, between_scenes: bool) -> Refreshment:
    partner = _condition(other.values) if other else Condition()
    settings = roll_settings(standing.campaign).of(Settings)
    try:
        return refreshment_scene(_condition(standing.values), partner, between_scenes=between_scenes, settings=settings)
    except RuleError as error:
        raise Invalid(error.message) from None


def _condition(values: Values) -> Condition:
    there = track(values)
    return Condition(
        SHEET.number(values, "will"),
        Track(there.boxes, there.crossed),
        bool(SHEET.value(values, "out_of_scene")),
        SHEET.number(values, "start_will"),
    )


def _steps(values: Values, after: Condition) -> tuple[Step, ...]:
    """What of the sheet is other than after the scene."""
    before = _condition(values)
    steps: list[Step] = [Put(power_box(box), to=False) for box in sorted(before.track.crossed - after.track.crossed)]
    if after.will is not None and after.will != before.will:
        steps.append(Put("will", after.will))
    if before.out_of_scene and not after.out_of_scene:
        steps.append(Put("out_of_scene", to=False))
    return tuple(steps)
