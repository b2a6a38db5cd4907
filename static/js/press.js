// A click counts for what the mouse went down on, also if that has moved from under the pointer before the button goes up, since something
// came above it, or was drawn again by then, by what somebody fetched (of what the socket brings: live.js). The browser would press nothing.

const CONTROLS = "a[href], button, summary";
const STILL = 5; // px: who moves further away has changed their mind
let pressed = null; // {control, x, y}

// What was drawn again is known by its id, and the only button of a form by that of the form.
const standsNow = (control) => {
  if (control.isConnected) return control;
  if (control.id) return document.getElementById(control.id);
  const form = control.form?.id ? document.getElementById(control.form.id) : null;
  const buttons = form?.querySelectorAll("button") ?? [];
  return buttons.length === 1 ? buttons[0] : null;
};

document.addEventListener("pointerdown", ({ target, button, pointerType, clientX: x, clientY: y }) => {
  const control = button === 0 && pointerType === "mouse" && target.closest(CONTROLS);
  pressed = control ? { control, x, y } : null;
}, true);
document.addEventListener("pointerup", ({ target, clientX, clientY, ctrlKey, metaKey, shiftKey, altKey }) => {
  if (!pressed || ctrlKey || metaKey || shiftKey || altKey) return;
  const { control, x, y } = pressed;
  pressed = null;
  const now = standsNow(control);
  // The browser presses what is still the same, under the same pointer; never what took its place.
  if (!now || (now === control && now.contains(target)) || Math.hypot(clientX - x, clientY - y) > STILL) return;
  now.click();
}, true);
