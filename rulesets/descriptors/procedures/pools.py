"""Pools while their owners fill them: their content, costs and gains, and who is ready (descriptors.txt, "Before rolling"). A
contest has two sides that are filled against each other, a recovery one for each helper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final

from pydantic import AliasChoices, ConfigDict, Field

from campaigns.schema import Code, Name
from languages.letters import same
from languages.text import gettext_lazy, pgettext_lazy
from rolls import stage
from rolls.forms.asked import ActForm
from rules.acting import FOR_GM, Between, Text, Under, Waits, When, act
from rules.acts import Actor, AvailableAct, Target
from rules.checked import made
from rules.dice import LARGEST_POOL
from rules.errors import RuleError, whole
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.descriptors import terms
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptor
from rulesets.descriptors.rows import LISTS, Chip, Hero, Tells, chips_of, known_of
from rulesets.descriptors.rules.contest import already_used, block_message, called, pay_for_roll
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import LONGEST_NAME
from rulesets.descriptors.terms import dice_words, rated

MOST_ENTRIES: Final = 40
AS_STORED: Final = ConfigDict(strict=False, extra="ignore")


class Entry(terms.Entry):
    """A Descriptor in a pool. `id` is unique in the procedure; `source` is where it is written (rows.Chip), "" where it was named
    in words. `pending`: then nobody has accepted it yet.
    """

    model_config = AS_STORED

    id: Code = Field(validation_alias=AliasChoices("id", "key"))
    source: Code = ""
    pending: bool = False

    @property
    def words(self) -> Message:
        there = rated(self.name, self.dice)
        return _("their {name} {dice}D", name=self.name, dice=self.dice) if self.theirs else there


class Side(terms.Pool):
    """One who fills a pool: a character, or (without one) what a GM sets against it.

    `number` counts its entries, so that no id is given twice. What follows from sheets for all to see are `short` (it costs more
    Will than there is), `last` (it takes the last point) and `gone` (they are not in play any more). `allowed`: a GM lets them in
    whatever state they are in. It is `ready` for what it has seen (`ready_for`).
    """

    model_config = AS_STORED

    id: Code = Field(validation_alias=AliasChoices("id", "key"))
    name: Name
    character: Code | None = None
    entries: list[Entry] = Field(default=[], validation_alias=AliasChoices("entries", "used"))  # type: ignore[assignment]
    unnamed: int = Field(default=0, validation_alias=AliasChoices("unnamed", "dice"))
    number: int = 0
    ready: bool = False
    ready_for: Code = ""
    short: bool = False
    last: bool = False
    gone: bool = False
    allowed: bool = False

    @property
    def label(self) -> Words:
        return called(self.name)

    @property
    def pending(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.pending]

    @property
    def words(self) -> Message:
        """Return words such as "Swordplay 3D + their Pride 2D + 2 dice"."""
        named = [entry.words for entry in self.entries]
        words = joined(" + ", [*named, dice_words(self.unnamed)] if self.unnamed or not named else named)
        return joined(", ", [words, self.burn]) if self.extra else words

    def hero(self, table: Table) -> Hero | None:
        """Return the character, if they are in play."""
        there = table.find(Hero, self.character) if self.character else None
        return there if there and there.plays else None


def reads(table: Table, hero: Hero) -> bool:
    """Return whether the actor may read this sheet."""
    return hero.shared or table.by.plays(hero.id)


def names(those: Iterable[str]) -> Message:
    return joined(", ", map(called, those))


def plays(procedure: Filling, who: Actor, side: Side) -> bool:
    return who.plays(side.character)


def _stands_against(procedure: Filling, who: Actor, entry: Entry) -> bool:
    """Return whether the actor plays the side that gains by this entry."""
    other = procedure.other(procedure.of(entry))
    return entry.theirs and other is not None and other.character in who.characters


def _strikes(procedure: Filling, who: Actor, entry: Entry) -> bool:
    """Return whether the actor may strike the entry: a GM any entry of a character, the opponent a typed one."""
    if who.is_gm and procedure.of(entry).character is not None:
        return True
    return entry.pending and _stands_against(procedure, who, entry)


def _entries(procedure: Filling, table: Table) -> list[Entry]:
    return [entry for side in procedure.filled for entry in side.entries]


def another(procedure: Filling, table: Table, side: Side) -> Words:
    other = procedure.other(side)
    if other is None or ((hero := other.hero(table)) and reads(table, hero)):
        return gettext_lazy("Another Descriptor")
    return _("Another Descriptor, yours or {name}’s", name=other.label)


def their_own(procedure: Filling, table: Table, side: Side) -> Words:
    other = procedure.other(side)
    return _("It’s {name}’s, used against them", name=other.label if other else "")


class Filling(Tells):
    """Owners fill their own pool, a GM everyone's. `corrected` is what of pools was corrected since the last act."""

    on_card = {"use": "descriptors/_pool_chips.html"}
    TOGETHER: ClassVar[bool] = True
    """Whether sides are filled against each other: then a change by one cancels everyone's readiness."""

    sides: list[Side] = []
    corrected: list[Name] = []

    @property
    def filled(self) -> list[Side]:
        """Return the sides whose pools are still filled."""
        return self.sides

    @property
    def opposed(self) -> str:
        """Return the source of what all roll against, which gives no dice against itself; "" if they roll against each other."""
        return ""

    def other(self, side: Side) -> Side | None:
        """Return the opponent of this side; None in a recovery, where all roll against an Injury."""
        return next(one for one in self.sides if one.id != side.id) if self.TOGETHER else None

    def of(self, entry: Entry) -> Side:
        return next(side for side in self.sides if entry.id.startswith(side.id))

    def in_roll(self, side: Side) -> list[Side]:
        """Return the sides that stand in one roll."""
        return [side, *filter(None, [self.other(side)])]

    def seen_by(self, side: Side) -> tuple[Any, ...]:
        """Return what a side has seen when it says it is ready: the pools. Whether others are ready does not matter."""
        return tuple(
            (one.unnamed, one.extra, [entry.model_dump() for entry in one.entries]) for one in self.in_roll(side)
        )

    # Acts

    @act(gettext_lazy("Fill the pool"), by=plays, each=lambda self, table: self.filled)
    def use(
        self,
        table: Table,
        side: Side,
        *,
        chips: list[str] = [],  # noqa: B006  # nobody writes it
        before: list[str] = [],  # noqa: B006
        name: Annotated[str, Text(LONGEST_NAME), Under(another), gettext_lazy("Name")] = "",
        name_dice: Annotated[int | None, Between(1, LARGEST_POOL), gettext_lazy("Dice")] = None,
        theirs: Annotated[bool, When(lambda self, table, side: self.other(side) is not None), their_own] = False,
        dice: Annotated[
            int | None, Between(0, LARGEST_POOL), FOR_GM, Under(""), gettext_lazy("Dice without a name")
        ] = None,
    ) -> None:
        """Put `chips` in that were not there `before`, and take those out that are not there any more; put in what somebody has
        named in words, and set the `dice` without a name, as a GM."""
        there = {source for sent in before for source in sent.split()}
        side.entries = [one for one in side.entries if not one.source or one.source not in there.difference(chips)]
        for source in dict.fromkeys(chips):
            if source not in there and all(source != entry.source for entry in side.entries):
                self._put(table, side, self._chip(table, side, source))
        if name and name_dice is None:
            raise Refused(_("Say how many dice it has."), "name_dice")
        if name and name_dice:
            self._put(table, side, Chip("", name, name_dice), theirs=theirs, pending=not table.by.is_gm)
        if dice is not None:
            side.unnamed = dice
        if side.own > LARGEST_POOL:
            raise Refused(_("A pool has at most {count} dice.", count=LARGEST_POOL), "dice")
        self.corrected = []

    @act(gettext_lazy("Not ready"), by=plays, each=lambda self, table: [one for one in self.filled if one.ready])
    def not_ready(self, table: Table, side: Side) -> None:
        side.ready, self.corrected = False, []

    @act(
        gettext_lazy("Ready"),
        says=gettext_lazy("{name} is ready: {pool}."),
        by=plays,
        each=lambda self, table: [one for one in self.filled if not one.ready],
        terms=lambda self, table, side: self.seen_by(side),
        tried=False,
        primary=True,
    )
    def ready(self, table: Table, side: Side) -> dict[str, Words]:
        if side.gone:
            raise Refused(_("{name} is no longer in play.", name=side.name))
        self.let_in(table, side)
        for entry in (entry for one in self.in_roll(side) for entry in one.pending):
            raise Refused(_("First accept “{name}” or strike it.", name=entry.name))
        if side.short:
            raise Refused(_("{name} doesn’t have enough Will for this pool.", name=side.name))
        if side.own < table.settings.fewest_dice:
            raise Refused(_("{name} needs at least 1 die.", name=side.name))
        side.ready, side.ready_for, self.corrected = True, self._mark(side), []
        return {"name": side.label, "pool": side.words}

    @act(
        gettext_lazy("Accept"),
        says=gettext_lazy("{descriptor} was accepted into the pool."),
        by=lambda self, who, entry: who.is_gm or _stands_against(self, who, entry),
        each=lambda self, table: [entry for entry in _entries(self, table) if entry.pending],
        terms=lambda self, table, entry: entry,
    )
    def accept(self, table: Table, entry: Entry) -> dict[str, Words]:
        entry.pending, self.corrected = False, []
        return {"descriptor": rated(entry.name, entry.dice)}

    @act(
        gettext_lazy("Take out"),
        by=lambda self, who, entry: who.plays(self.of(entry).character),
        each=_entries,
        terms=lambda self, table, entry: entry,
    )
    def take_out(self, table: Table, entry: Entry) -> None:
        side = self.of(entry)
        side.entries = [one for one in side.entries if one.id != entry.id]
        self.corrected = []

    @act(
        gettext_lazy("Strike"),
        says=gettext_lazy("{descriptor} was struck from the pool."),
        by=_strikes,
        each=_entries,
        terms=lambda self, table, entry: entry,
    )
    def strike(self, table: Table, entry: Entry) -> dict[str, Words]:
        self.take_out(table, entry)
        return {"descriptor": rated(entry.name, entry.dice)}

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        return {"dice": target[0].unnamed} if target else super().so_far(act, table)

    def let_in(self, table: Table, side: Side) -> None:
        """Let in who is without Will or out of the scene, if a GM allows it. Raises BlockedByState."""
        hero = side.hero(table)
        block = hero.fund(table.settings).block if hero else None
        if hero and block and not side.allowed:
            table.forbid(block, block_message(hero.name, block))
            side.allowed = True

    # What may be put in

    def groups(self, table: Table, side: Side) -> Iterator[tuple[Words, list[Chip]]]:
        """Yield the chips that the actor may press, by what they are: of the character's own sheet, on the table, and of the
        other side's sheet: all of it if they may read it, else what everyone knows."""
        hero, other = side.hero(table), self.other(side)
        if hero and reads(table, hero):
            yield from ((rows.label, chips_of(hero, rows.name)) for rows in LISTS)
        lying = [one for one in table.all(SceneDescriptor) if not one.over and not one.hidden]
        yield _("On the table"), [Chip(f"scene/{one.id}", one.name, one.dice) for one in lying]
        if other and (hero := other.hero(table)):
            known = None if reads(table, hero) else {chip.source: chip for chip in known_of(table, hero)}
            for rows in LISTS:
                theirs = chips_of(hero, rows.name)
                if known is not None:
                    theirs = [known[chip.source] for chip in theirs if chip.source in known]
                yield joined(": ", (hero.name, worded(rows.label))), theirs

    def _chip(self, table: Table, side: Side, source: str) -> Chip:
        if source == self.opposed:
            raise Refused(_("An Injury gives no dice against itself."))
        if all(chip.source != source for _label, chips in self.groups(table, side) for chip in chips):
            raise Refused(_("That’s no longer on the sheet."), "chips")
        return self._now(table, source) or Chip(source, "", 0)

    def _now(self, table: Table, source: str) -> Chip | None:
        """Return what is at a source now; None if it is gone."""
        whose, *where = source.split("/")
        if whose == "scene":
            lies = table.find(SceneDescriptor, where[0])
            return Chip(source, lies.name, lies.dice) if lies and not lies.over else None
        hero = table.find(Hero, whose)
        row = getattr(hero, where[0]).get(where[1]) if hero and hero.plays else None
        return Chip(source, row.name, row.dice) if row else None

    def _put(self, table: Table, side: Side, chip: Chip, *, theirs: bool | None = None, pending: bool = False) -> None:
        if len(side.entries) >= MOST_ENTRIES:
            raise Refused(_("A pool has at most {count} Descriptors.", count=MOST_ENTRIES))
        if not 1 <= len(chip.name) <= LONGEST_NAME:
            raise Refused(_("A Descriptor’s name has 1 to {count} characters.", count=LONGEST_NAME), "name")
        whole("dice", chip.dice, 1, LARGEST_POOL)
        if theirs is None:
            whose, other = chip.source.split("/")[0], self.other(side)
            theirs = whose != side.character and other is not None and whose == other.character
        side.number += 1
        entry = Entry(
            id=f"{side.id}{side.number}",
            source=chip.source,
            name=chip.name,
            dice=chip.dice,
            theirs=theirs,
            pending=pending,
        )
        if table.settings.once_per_roll:
            self._refuse_twice(side, entry)
        side.entries.append(entry)

    def _refuse_twice(self, side: Side, new: Entry) -> None:
        """Refuse a Descriptor used twice: by its source, or by its owner and name."""
        for whose in self.in_roll(side):
            for entry in whose.entries:
                same_place = bool(new.source) and entry.source == new.source
                same_owner = (entry.theirs == new.theirs) is (whose.id == side.id)
                if same_place or (same_owner and same(entry.name, new.name)):
                    raise Refused(already_used(new.name))

    # What follows from sheets and from what is on the table

    def settle(self, table: Table) -> None:
        """Correct the pools that are filled, and who is ready for them."""
        changed = [name for side in self.filled for name in self._correct(table, side)]
        left, kept_out, burnt = [], [], self.burnt(table)
        for side in self.filled:
            hero, was_gone = side.hero(table), side.gone
            side.gone = bool(side.character) and hero is None
            side.name = hero.name if hero else side.name
            left += [side.name] if side.gone and not was_gone else []
            self._weigh(table, side, hero)
        changed += self.more_changed(table)
        for side in self.filled:
            if side.ready and side.ready_for != self._mark(side):
                side.ready = False
        for side in self.filled:
            hero = side.hero(table)
            barred = hero and hero.fund(table.settings).block and not side.allowed
            if side.ready and (side.gone or side.short or barred):
                kept_out.append(side.name)
        if kept_out:
            for side in self.filled:
                side.ready = side.ready and not (self.TOGETHER or side.name in kept_out)
        for those, news in ((left, "left"), (changed, "pool"), (kept_out, "will"), (burnt, "dice")):
            if those:
                self.corrected = those
                table.tell(worded(CORRECTIONS[news], names=names(those)))
                break

    def burnt(self, table: Table) -> list[str]:
        """Take the dice that Burns put into pools now, and return whose have changed."""
        return []

    def more_changed(self, table: Table) -> list[str]:
        """Correct what else all roll against, and return what of it has changed."""
        return []

    def _correct(self, table: Table, side: Side) -> Iterator[str]:
        for entry in [*side.entries]:
            now = self._now(table, entry.source) if entry.source else None
            if entry.source and (now is None or (now.name, now.dice) != (entry.name, entry.dice)):
                yield entry.name
                if now is None:
                    side.entries.remove(entry)
                else:
                    entry.name, entry.dice = now.name, now.dice

    def _weigh(self, table: Table, side: Side, hero: Hero | None) -> None:
        side.short, side.last = False, False
        if hero:
            other, will = self.other(side), hero.fund(table.settings).will
            gained = other.gives if other else 0
            try:
                paid = pay_for_roll(will, invoked=len(side.entries), used_against=gained, settings=table.settings)
            except RuleError:
                side.short = True
            else:
                side.last = paid.out_after_roll and bool(paid.spent)

    def _mark(self, side: Side) -> str:
        return AvailableAct("ready", terms=self.seen_by(side)).mark

    # What is seen

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        """Return a side, or a Descriptor of a pool, which nobody plays."""
        for side in self.sides:
            if side.id == key:
                return side.name, side.character
            for entry in side.entries:
                if entry.id == key:
                    return f"{entry.name} {entry.dice}D", None
        return "", None

    def waits_of(self, side: Side) -> Iterator[Waits]:
        """Yield who is waited for, and for what: a Descriptor that was typed waits for a GM, and for the other side where it is
        theirs."""
        for entry in side.pending:
            named = {"entry": entry.name, "dice": entry.dice, "name": side.label}
            if entry.theirs and (other := self.other(side)) and other.character:
                words = _("to accept or strike their own “{entry}” {dice}D in {name}’s pool", **named)
                yield Waits(other.character, words, other.label, other.id)
            yield Waits("", _("to accept or strike “{entry}” {dice}D in {name}’s pool", **named))
        if not side.ready:
            words = _("to be ready") if side.own else _("to fill the pool and be ready")
            yield Waits(side.character or "", words, side.label, side.id)

    @property
    def news(self) -> list[Message]:
        """Return the lines about what changed since a side was ready."""
        return [_("Changed: {names}. Check your pool again.", names=names(self.corrected))] if self.corrected else []

    @property
    def those_let_in(self) -> list[Message]:
        """Return a line for each side that a GM let in although their state forbids it."""
        return [_("The GM let {name} in anyway.", name=side.label) for side in self.sides if side.allowed]

    def staged_side(self, side: Side, buttons: Sequence[Button], odds: stage.Odds | None = None) -> stage.Side:
        """Return one of those who fill a pool, as the stage draws them."""
        other, theirs = self.other(side), [button for button in buttons if button.whom == side.id]
        gains = other.gives if other else 0
        will = [_("costs {cost} Will", cost=len(side.entries))] if side.entries else []
        will += [_("gains {gain} Will", gain=gains)] if gains else []
        entries = [self._staged_entry(side, entry, buttons) for entry in side.entries]
        if side.unnamed:
            words = ngettext("{count} die without a name", "{count} dice without a name", side.unnamed)
            entries.append(stage.Entry(words=words))
        entries += [stage.Entry(words=side.burn)] if side.extra else []
        return stage.Side(
            name=side.label,
            character=side.character or "",
            words=joined(", ", will) if will else "",
            pool=side.dice,
            marks=[stage.Mark(worded(pgettext_lazy("of a pool", "ready")), "good")] if side.ready else (),
            entries=entries,
            warnings=[worded(words) for name, words in WARNINGS.items() if getattr(side, name)],
            buttons=theirs,
            acts_for=side.label if any(button.members for button in theirs) else "",
            odds=odds,
        )

    def _staged_entry(self, side: Side, entry: Entry, buttons: Sequence[Button]) -> stage.Entry:
        of_entry = [button for button in buttons if button.whom == entry.id]
        return stage.Entry(
            words=entry.words,
            look="pending" if entry.pending else "theirs" if entry.theirs else "",
            buttons=[button for button in of_entry if button.members],
            # A GM strikes what an owner takes out, which is told.
            gm_buttons=[button for button in of_entry if button.name != "take_out" or side.character is None],
        )

    def told(self) -> Iterator[Chip]:
        entries = (entry for side in self.sides for entry in side.entries)
        # A source with two slashes is on a sheet.
        yield from (Chip(one.source, one.name, one.dice) for one in entries if one.source.count("/") == 2)

    # What events of 0.2 told

    @classmethod
    def from_before(cls, state: Mapping[str, Any], **own: Any) -> Table:
        """Return the table of such an event, by its state and what of it is this kind's `own`."""
        news, corrected = state.get("news"), list(state.get("corrected", ()))
        row = cls(sides=state["sides"], corrected=corrected if news else [], **own)
        table = Table([row], settings=made(Settings, state["decisions"]))
        if words := CORRECTIONS.get(news or ""):
            table.tell(worded(words, names=names(corrected)))
        return table

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        match act:
            case "use" | "take_out" | "not_ready":
                return ""
            case "reread":
                return joined(" ", table.told)
            case "ready":
                side = next((side for side in self.sides if side.name == whom), None)
                if side is None:
                    return _("{name} is ready.", name=called(whom))
                return self.acts[act].line(self, table, {"name": side.label, "pool": side.words})
            case "strike" | "accept":
                return self.acts[act].line(self, table, {"descriptor": whom})
        return self.stands(table)


ONCE_ACCEPTED: Final = gettext_lazy("A Descriptor that’s not on a sheet you can see counts once it’s accepted.")


class UseForm(ActForm):
    """There are `groups` of chips, and `will` if this viewer may read that."""

    @classmethod
    def drawn(cls, table: Table, procedure: Filling, target: Target) -> dict[str, Any]:
        if not target:
            return {}
        side, once, mine = target[0], table.settings.once_per_roll, target[0].hero(table)
        other, used = procedure.other(side), {entry.source for entry in side.entries if entry.source}
        refused = {procedure.opposed} | ({entry.source for entry in other.entries} if other and once else set())
        groups = [_group(*group, used, refused) for group in procedure.groups(table, side)]
        return {
            "groups": [group for group in groups if group["chips"]],
            "will": mine.will if mine and reads(table, mine) else None,
            "note": "" if table.by.is_gm else str(ONCE_ACCEPTED),
        }


def _group(label: Words, chips: list[Chip], used: set[str], refused: set[str]) -> dict[str, Any]:
    drawn = [chip._asdict() | {"pressed": chip.source in used} for chip in chips if chip.source not in refused]
    return {"label": str(label), "chips": drawn}


CORRECTIONS: Final = {
    "pool": gettext_lazy("{names} changed while in a pool. The new dice count, and no one is ready for them yet."),
    "will": gettext_lazy("No longer ready: {names}."),
    "dice": gettext_lazy("The dice from a Burn changed for {names}. No one is ready for them yet."),
    "left": gettext_lazy("No longer in play: {names}."),
}
WARNINGS: Final = {
    "short": gettext_lazy("Not enough Will for this pool."),
    "last": gettext_lazy("This takes the last Will: out of the scene after the roll."),
    "gone": gettext_lazy("No longer in play."),
}
