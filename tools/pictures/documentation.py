"""The pictures of README.md and docs/*.md: docs/pictures/<name>.webp. What is rolled for one is there in those after it."""

from __future__ import annotations

import io
import re
from uuid import NAMESPACE_URL, UUID, uuid5

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tools.pictures.lanterns import SLUG
from tools.pictures.studio import (
    HARROW,
    PHONE,
    SALT,
    THEMES,
    Studio,
    at,
    beside,
    hold,
    is_ready,
    load_dice,
    pick,
    roll,
    save,
    shot,
    smaller,
)

PERCEPTION = ("perception", "alertness")

GRACE = (10, 9, 7, 4, 2)
"""Faces for `PERCEPTION`, which move the Scale by so little that no Burn is offered."""

TROUBLE = (6, 1, 1, 1, 1)
ORACLES = (4, 2)
"""Faces that take the Scale from where it is then past -8, and those of the oracles' dice that follow."""

NARRATION = "The lanterns go out one after the other, as if somebody were walking past them."
FIRST = (10, 4, 3, 2)
HITS = (9, 8, 7, 4, 3, 5, 2, 9, 8, 7, 5, 3, 2)
"""Faces that let Tess's character begin a conflict, and that hit and hurt."""

ENDED = "Lamps for the drowned"

MOMENTS = (40, 90, 150, 210, 290, 400, 530, 700)
"""Milliseconds after dice begin to fall, of the frames that show it."""

ACT = 1400
"""Milliseconds, a little longer than an act of a Major Burn stays (scale/static/scale/major.js)."""

STEPS = 300
"""Of how many steps a held clock goes on at most, until something is there."""

LANTERN_ROLLS = {
    "/l nerve oil # Down to the water": (5, 4, 3),
    "/l craft # Mend the shutter": (4, 3),
    "/l heart 1 # Do not answer it": (1, 1),
}
"""What is typed at the table of Lanterns, and the faces that fall."""

FINISH = """() => document.getAnimations()
  .filter((motion) => Number.isFinite(motion.effect.getComputedTiming().endTime)).forEach((motion) => motion.finish())"""


def take(studio: Studio) -> None:
    for several in (
        _table,
        _reading,
        _pages,
        _languages,
        _falling_dice,
        _overlay,
        _major_burn,
        _fight,
        _curtain,
        _between,
    ):
        several(studio)
        studio.leave()


def _table(studio: Studio) -> None:
    """The table of the demo, with everyone at it, and a pool that is about to be rolled; and on a phone."""
    for theme in THEMES:
        page = studio.sit_with_everyone("mo", HARROW, color_scheme=theme)
        pick(page, *PERCEPTION)
        save(shot(page), _themed("table", theme))
        studio.leave()
    page = studio.sit_with_everyone("mo", HARROW, **PHONE)
    screens = [shot(page)]
    for side in ("sheet", "panels"):
        page.locator(f"[data-opens={side}]").click()
        screens.append(shot(page))
        page.locator(".side.is-open .side-close").click()
    save(beside(screens), "phone")


def _reading(studio: Studio) -> None:
    """What stays of a session, in both themes and on a phone."""
    pages = {"log": "log/", "session": "sessions/6/", "replay": "sessions/6/replay/", "statistics": "statistics/"}
    screens = []
    for name, path in pages.items():
        for theme in THEMES:
            page = studio.sit("mo", HARROW + path, color_scheme=theme)
            _play_on(page)
            save(shot(page), _themed(name, theme))
        page = studio.sit("mo", HARROW + path, **PHONE)
        _play_on(page)
        screens.append(shot(page))
        studio.leave()
    save(beside(screens), "log-phone")


def _play_on(page: Page) -> None:
    """Go to the sixth roll, where the page is a replay; its steps come in several parts."""
    if page.locator("#player").count():
        expect(page.locator("#player")).to_contain_text(re.compile(r"of \d+$", re.MULTILINE))
        for _ in range(6):
            page.get_by_role("button", name="Next roll").click()
        is_ready(page)


def _pages(studio: Studio) -> None:
    """A sheet, a table with other rules, exact odds, and the page of tokens."""
    page = studio.sit("mo", HARROW + "characters/")
    page.get_by_role("link", name="Silas Grey").first.click()
    is_ready(page)
    save(shot(page), "sheet")
    save(shot(studio.sit_with_everyone("mo", SALT)), "forged")
    save(shot(studio.sit("", "/odds/storyteller/?dice=5&difficulty=6")), "odds")
    page = studio.sit("mo", HARROW + "settings/tokens/", viewport={"width": 900, "height": 1060})
    for name, access in (("Session notes", "Read"), ("Discord bot", "Read and write")):
        page.get_by_label("Name").fill(name)
        page.get_by_label("Access").select_option(label=access)
        # A token follows from the key of its form; it is the same in each picture.
        page.locator(".form [name=key]").evaluate("(field, key) => { field.value = key; }", str(_key(name)))
        page.get_by_role("button", name="Create token").click()
        expect(page.get_by_role("heading", name="New token")).to_be_visible()
    is_ready(page)
    save(shot(page), "tokens")


def _key(name: str) -> UUID:
    """Return a key as a browser makes them, by chance (version 4), but the same for a name each time."""
    return UUID(bytes=uuid5(NAMESPACE_URL, name).bytes, version=4)


def _languages(studio: Studio) -> None:
    """The same table in English, for the GM, and in German, for a player."""
    for name, look in (("two-languages", {}), ("two-languages-phone", PHONE)):
        pages = [
            studio.sit_with_everyone(person, HARROW, color_scheme="light", locale=locale, **look)
            for person, locale in (("gm", "en-GB"), ("mo", "de-DE"))
        ]
        save(smaller(beside([shot(page) for page in pages]), 1840), name)
        studio.leave()


def _falling_dice(studio: Studio) -> None:
    """The card of a roll, from its first die to what it gave."""
    page = studio.sit("mo", HARROW, reduced_motion="no-preference")
    hold(page)
    roll(page, PERCEPTION, GRACE)
    card = page.locator("#feed .arrives .card.roll")
    expect(card).to_be_visible()
    frames = []
    for moment in MOMENTS:
        at(page, moment)
        frames.append(shot(card))
    save(beside(frames, columns=2, gap=8), "roll-frames")


def _overlay(studio: Studio) -> None:
    """The overlay, after that roll, over the cover of the campaign in place of a stream."""
    gm = studio.sit("gm", HARROW + "invitations/")
    gm.get_by_role("button", name="Turn on").click()
    address = gm.locator("#overlay").input_value()
    overlay = studio.sit("", f"{address}?stay=0&size=1", viewport={"width": 1280, "height": 720})
    small = gm.locator("img[src*='/covers/']").first.get_attribute("src") or ""
    cover = gm.request.get(re.sub("(small|icon)/$", "", small))
    picture = Image.open(io.BytesIO(cover.body())).convert("RGBA")
    picture.alpha_composite(shot(overlay, omit_background=True))
    save(picture.convert("RGB"), "overlay")


def _major_burn(studio: Studio) -> None:
    """What everyone sees of a Major Burn, act by act: Iva's screen, while Mo rolls and the GM narrates."""
    gm, mo, _ = (studio.sit(person, HARROW) for person in ("gm", "mo", "tess"))
    size = {"width": 1280, "height": 640}
    iva = studio.sit("iva", HARROW, reduced_motion="no-preference", held_clock=True, viewport=size)
    roll(mo, PERCEPTION, (*TROUBLE, *ORACLES))
    dialog = iva.locator("#major-burn")
    _until_visible(iva, dialog)
    expect(dialog.locator(".is-told-in-acts")).to_have_count(1)
    acts = [_at_rest(iva)]
    while dialog.locator(".is-told-in-acts").count():
        iva.clock.run_for(ACT)
        acts.append(_at_rest(iva))
    save(shot(mo), "major-burn")
    gm.locator("#major-burn").get_by_role("button", name="Narrate", exact=True).click()
    gm.get_by_label("What happens").fill(NARRATION)
    _until_visible(iva, iva.locator("#major-draft"))
    acts.append(_at_rest(iva))
    gm.get_by_role("button", name="Tell the table").click()
    _until_visible(iva, iva.locator("#major-told .is-told"))
    acts.append(_at_rest(iva))
    save(beside([smaller(act, 640) for act in acts], columns=2, gap=8), "major-burn-acts")


def _fight(studio: Studio) -> None:
    """A round of a conflict: Tess's turn, what they attack with, the GM's answer, what it did, and whose turn comes next."""
    size = {"width": 1280, "height": 800}
    gm, tess = (studio.sit(person, HARROW, viewport=size) for person in ("gm", "tess"))
    load_dice(*FIRST)
    gm.locator(".openers summary").click()
    gm.locator(".openers").get_by_role("button", name="Conflict", exact=True).click()
    gm.locator("#desk").get_by_label("Others").fill("Watchman 5")
    gm.locator("#desk").get_by_role("button", name="Start").click()
    attack = tess.get_by_role("button", name="Attack Watchman")
    expect(attack).to_be_visible()
    frames = [_middle(tess)]
    pick(tess, "strength", "brawl")
    expect(tess.get_by_role("group", name="With")).to_contain_text("Strength + Brawl")
    frames.append(_middle(tess))
    load_dice(*HITS)
    attack.click()
    hit, soak = (gm.get_by_role("button", name=name) for name in ("Take the hit", "Soak"))
    for answer in (hit, tess.get_by_role("button", name=re.compile("^Roll damage")), soak):
        expect(answer).to_be_visible()
        frames.append(_middle(answer.page))
        answer.click()
    expect(attack).to_be_enabled()
    tess.get_by_role("button", name=re.compile("^Done ")).click()
    expect(attack).to_have_count(0)
    frames.append(_middle(tess))
    gm.get_by_role("button", name="End", exact=True).click()
    save(beside([smaller(frame, 440) for frame in frames], columns=3, gap=8), "fight-acts")


def _middle(page: Page) -> Image.Image:
    """Return the middle of a table, where a fight is played."""
    page.mouse.move(0, 0)
    return shot(page.locator(".middle"))


def _curtain(studio: Studio) -> None:
    """The end of a session: its name, the card in the feed, and the curtain once Mo and Iva wrote what they remember."""
    size = {"width": 1280, "height": 800}
    gm, mo, iva = (studio.sit(person, HARROW, viewport=size) for person in ("gm", "mo", "iva"))
    gm.locator("#now details", has_text="Session").locator("summary").click()
    gm.locator("#now").get_by_role("button", name="End session").click()
    dialog = gm.locator("#dialog")
    dialog.get_by_label("Title").fill(ENDED)
    frames = [shot(gm)]
    dialog.get_by_role("button", name="End session").click()
    expect(mo.locator("#feed .curtain-card", has_text=ENDED)).to_be_visible()
    frames.append(shot(mo))
    for page, words in ((mo, "Corvina laughing in the dark."), (iva, "That the third lantern was ours.")):
        page.locator("#feed .curtain-card", has_text=ENDED).click()
        is_ready(page)
        page.locator(".curtain [name=words]").fill(words)
        page.get_by_role("button", name="Save").first.click()
        expect(page.locator(".curtain [name=words]")).to_have_value(words)
    mo.reload()
    is_ready(mo)
    for lower in (0, 380):
        mo.evaluate("(lower) => scrollTo(0, lower)", lower)
        frames.append(shot(mo))
    save(beside([smaller(frame, 640) for frame in frames], columns=2, gap=8), "curtain-acts")


def _between(studio: Studio) -> None:
    """The days after both tables have ended their sessions: a page of what is known as its GM sees it, and Home."""
    size = {"width": 1280, "height": 800}
    gm = studio.sit("gm", SALT, viewport=size)
    gm.locator("#now details", has_text="Session").locator("summary").click()
    gm.locator("#now").get_by_role("button", name="End session").click()
    gm.locator("#dialog").get_by_role("button", name="End session").click()
    expect(gm.locator("#feed .curtain-card")).to_be_visible()
    gm.goto(f"{HARROW}world/")
    gm.get_by_role("link", name="Madam Orsolya").first.click()
    is_ready(gm)
    save(shot(gm), "page")
    mo = studio.sit("mo", "/", viewport=size, color_scheme="light")
    faces = mo.locator(".home-waits img")
    expect(faces.first).to_be_visible()
    for face in faces.all():
        face.evaluate("(image) => image.decode()")
    save(shot(mo), "home")


def _until_visible(page: Page, part: Locator) -> None:
    """Let the clock of a page go on until a part of it is there."""
    for _ in range(STEPS):
        if not part.is_visible():
            page.clock.run_for(20)
    expect(part).to_be_visible()


def _at_rest(page: Page) -> Image.Image:
    """Return what is seen once all that moves has come to rest."""
    page.evaluate(FINISH)
    return shot(page)


def take_lanterns(studio: Studio) -> None:
    """The table of a game that is installed as a package, after three rolls and before a fourth."""
    page = studio.sit("mo", f"/c/{SLUG}/")
    for line, faces in LANTERN_ROLLS.items():
        load_dice(*faces)
        page.get_by_label("Message").fill(line)
        page.get_by_label("Message").press("Enter")
        expect(page.locator("#feed .card").last).to_contain_text(line.partition("# ")[2])
    pick(page, "craft")
    save(shot(page), "lanterns")
    studio.leave()


def _themed(name: str, theme: str) -> str:
    return name if theme == "dark" else f"{name}-light"
