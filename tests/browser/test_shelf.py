"""Handouts and roll tables in the browsers of a table: several pictures at once, and what each person is told."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import AtTable
from tests.browser.test_dates import open_live


def picture(folder: Path, name: str) -> str:
    path = folder / name
    Image.new("RGB", (90, 60), "tomato").save(path)
    return str(path)


def test_several_pictures_are_sent_at_once_and_shown_to_those_who_are_chosen(
    service: AtTable, table: str, tmp_path: Path
) -> None:
    gm, mo, iva = service("gm"), service("mo"), service("iva")
    for player in (mo, iva):
        open_live(player, f"/c/{table}/")
    (tmp_path / "broken.png").write_bytes(b"no picture")
    (tmp_path / "huge.jpg").write_bytes(b"\xff\xd8\xff" + b"0" * 5_500_000)
    good = [picture(tmp_path, name) for name in ("The_old map.png", "Key.png")]
    gm.goto(f"/c/{table}/handouts/")
    gm.locator("#shelf-add > summary").click()
    gm.locator("#shelf-new [name=picture]").set_input_files(
        [good[0], str(tmp_path / "broken.png"), str(tmp_path / "huge.jpg"), good[1]]
    )
    files, shelf = gm.locator("#shelf-files li"), gm.locator("#shelf .shelf-item")
    expect(files).to_have_count(4)
    gm.locator("#shelf-new").get_by_label("Mo", exact=True).check()
    gm.locator("#shelf-new button[type=submit]").click()
    expect(shelf).to_have_count(2)
    expect(files.first).to_contain_text("This file can’t be read as a picture.")
    expect(files.last).to_contain_text("Pictures can be up to 5 MB.")
    expect(mo.locator("#feed .picture")).to_have_count(2)
    expect(iva.locator("#feed .picture")).to_have_count(0)
    key = shelf.filter(has_text="Key")
    key.locator("summary").click()
    key.get_by_label("Iva", exact=True).check()
    key.get_by_role("button", name="Show to these people").click()
    expect(shelf.filter(has_text="Key")).to_contain_text("Mo, Iva")
    expect(iva.locator("#feed .picture")).to_have_count(1)


def test_a_line_rolls_on_a_table_for_everyone_or_for_gms_alone(service: AtTable, table: str) -> None:
    gm, mo = service("gm"), service("mo")
    open_live(mo, f"/c/{table}/")
    gm.goto(f"/c/{table}/tables/new/")
    gm.get_by_label("Name").fill("Street")
    gm.locator("select[name=dice]").select_option("d66")
    gm.get_by_label("Lines").fill("11-66 A quiet street")
    gm.get_by_role("button", name="Save table").click()
    expect(gm.locator(".roll-table")).to_contain_text("A quiet street")
    open_live(gm, f"/c/{table}/")
    for line in ("/table street gm", "/table street"):
        gm.locator("#say-text").fill(line)
        gm.locator("#say-text").press("Escape")
        gm.locator("#say-text").press("Enter")
        expect(gm.locator("#say-text")).to_have_value("")
    expect(gm.locator("#feed .roll-on-table")).to_have_count(2)
    expect(mo.locator("#feed .roll-on-table")).to_have_count(1)
    gm.locator("#roll-tables").get_by_role("button", name="Street", exact=True).click()
    expect(mo.locator("#feed .roll-on-table")).to_have_count(2)
