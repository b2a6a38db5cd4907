"""Notices in a real browser: turned on by a press, shown by the service worker, and leading to what waits.

Two things have a stand-in, which a browser without its maker's services and without a screen lacks: its subscription,
and what puts a notification on the screen. The service worker is the real one, and gets its messages from the browser.
"""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, Worker, expect

from tests.browser.conftest import AtTable
from tests.browser.hands import begin_extended
from tests.browser.seats import Sit
from tests.notices.service import Browser

SUBSCRIBE = """
const subscription = { toJSON: () => (%s), unsubscribe: async () => true };
PushManager.prototype.getSubscription = async () => (sessionStorage.getItem("subscribed") ? subscription : null);
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly || applicationServerKey.length !== 65) throw new TypeError("not as push services want it");
  sessionStorage.setItem("subscribed", "yes");
  return subscription;
};
"""

WATCHED = """() => {
  self.opened = [];
  self.next = new Promise((tell) => {
    self.registration.showNotification = async (title, options) => tell({ title, ...options });
  });
  self.clients.openWindow = async (url) => { self.opened.push(url); };
}"""

PRESSED = """async (data) => {
  const press = Object.assign(new ExtendableEvent("notificationclick"), { notification: { data, close: () => {} } });
  const waited = [];
  press.waitUntil = (work) => waited.push(work);
  self.dispatchEvent(press);
  await Promise.all(waited);
  return self.opened;
}"""


def able(page: Page) -> Page:
    """Let a browser show notifications, and subscribe."""
    form = Browser("https://push.example.org/mine").form
    told = {"endpoint": form.pop("endpoint"), "keys": form}
    page.context.grant_permissions(["notifications"])
    page.add_init_script(SUBSCRIBE % json.dumps(told))
    return page


def deliver(page: Page, message: dict[str, str]) -> None:
    """Hand a message to the service worker, as the browser does with what comes from its push service."""
    cdp = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    cdp.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    cdp.send("ServiceWorker.enable")
    # The browser tells of its workers while the page is asked for anything at all.
    while not found:
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    told = {"origin": found[0]["scopeURL"].rstrip("/"), "registrationId": found[0]["registrationId"]}
    cdp.send("ServiceWorker.deliverPushMessage", {**told, "data": json.dumps(message)})


def test_notices_are_turned_on_by_a_press_shown_by_the_service_worker_and_lead_to_the_table(
    sit: Sit, table: str
) -> None:
    mo = able(sit("mo", fresh=True))
    mo.goto("/notices/")
    mo.get_by_role("button", name="Turn on in this browser").click()
    devices = mo.get_by_role("region", name="Devices")
    expect(devices).to_contain_text("this one")
    worker: Worker = mo.context.service_workers[0]
    worker.evaluate(WATCHED)
    message = {"title": "Ashes", "body": "It’s your turn.", "url": f"/c/{table}/#request-1", "tag": "a"}
    deliver(mo, message)
    shown = worker.evaluate("() => self.next")
    assert {name: shown[name] for name in ("title", "body", "tag")} == {
        name: message[name] for name in ("title", "body", "tag")
    }
    assert worker.evaluate(PRESSED, shown["data"]) == [message["url"]]
    devices.get_by_role("button", name="Remove").click()
    expect(mo.get_by_role("button", name="Turn on in this browser")).to_be_visible()


def test_what_is_chosen_by_keyboard_is_kept_and_a_campaign_is_muted_by_a_press(sit: Sit, table: str) -> None:
    mo = sit("mo", fresh=True)
    mo.goto(f"/c/{table}/notices/")
    box = mo.get_by_role("checkbox", name="A recap is out: Your devices")
    expect(box).to_be_checked()
    box.focus()
    mo.keyboard.press("Space")
    mo.get_by_role("table").locator("xpath=..").get_by_role("button", name="Save").click()
    expect(box).not_to_be_checked()
    mo.get_by_role("button", name="Mute this campaign").click()
    expect(mo.get_by_text("Muted: you’re told nothing from here.")).to_be_visible()
    mo.get_by_role("button", name="Use my default").click()
    expect(box).to_be_checked()


def test_the_link_of_a_notice_leads_to_what_waits_and_presses_nothing(service: AtTable, table: str) -> None:
    mo, gm = service("mo"), service("gm")
    begin_extended(gm)
    wait = mo.locator("#waiting [data-leads]:not([hidden])")
    expect(wait).to_have_count(1)
    leads = wait.get_attribute("data-leads")
    # From another page, and on the table itself.
    for before in ("/notices/", f"/c/{table}/"):
        mo.goto(before)
        mo.goto(f"/c/{table}/#{leads}")
        expect(mo.locator(f"#{leads}.is-led")).to_be_visible()
        expect(mo.locator(f"#{leads} :focus, #{leads}:focus")).to_have_count(1)
    expect(gm.get_by_role("region", name="Waiting for others")).to_contain_text("to roll")
