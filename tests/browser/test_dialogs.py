"""What is asked before something is done: in dialogs of ours, each with one Cancel, from which the focus comes back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import open_form

ASKS = """() => {
  const form = document.createElement("form");
  form.setAttribute("hx-get", location.pathname);
  form.setAttribute("hx-swap", "none");
  form.setAttribute("hx-confirm", "Burn the archive?");
  form.innerHTML = "<button id='burn-it' type='submit'>Burn it</button>";
  document.querySelector("main, .middle").prepend(form);
  htmx.process(form);
}"""


def test_a_question_is_asked_in_our_dialog_and_the_focus_comes_back(service: AtTable, table: str) -> None:
    page = service("gm", fresh=True)
    page.evaluate(ASKS)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    question = page.get_by_role("dialog", name="Burn the archive?")
    page.locator("#burn-it").press("Enter")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(page.locator("#burn-it")).to_be_focused()
    assert not [url for url in asked if url.endswith(f"/c/{table}/")]
    page.keyboard.press("Enter")
    with page.expect_request(f"**/c/{table}/"):
        question.get_by_role("button", name="Burn it").click()
    expect(question).to_be_hidden()


def test_each_form_at_the_table_has_one_way_to_leave_it_and_the_keys_are_read_from_their_heading(
    service: AtTable,
) -> None:
    gm = service("gm")
    for link in ("New clock", "New storyline"):
        gm.get_by_role("link", name=link).click()
        _has_one_cancel(gm)
    open_form(gm, "Scene Descriptor")
    _has_one_cancel(gm)

    desk = gm.locator("#desk")
    addresses = gm.locator('[hx-get][hx-target="#desk"]').evaluate_all(
        "all => [...new Set(all.map((element) => element.getAttribute('hx-get')))]"
    )
    buttons_of_their_own = 0
    for address in addresses:
        gm.evaluate("url => htmx.ajax('GET', url, { target: '#desk', swap: 'innerHTML settle:0s' })", address)
        if desk.locator("form [type=submit]").count():
            expect(desk.get_by_role("button", name="Cancel")).to_have_count(1)
        buttons_of_their_own += desk.locator("form [data-close]").count()
        gm.keyboard.press("Escape")
        expect(desk.locator("form")).to_have_count(0)
    assert buttons_of_their_own

    gm.keyboard.press("?")
    expect(gm.locator("#keys-head")).to_be_focused()
    gm.keyboard.press("Escape")
    expect(gm.locator("#keys")).to_be_hidden()


def _has_one_cancel(page: Page) -> None:
    dialog = page.locator("#dialog")
    expect(dialog.locator("form")).not_to_have_count(0)
    cancel = dialog.get_by_role("button", name="Cancel", exact=True).or_(
        dialog.get_by_role("link", name="Cancel", exact=True)
    )
    expect(cancel).to_have_count(1)
    cancel.click()
    expect(dialog).to_be_hidden()
