// A click counts for what the mouse went down on, also if that has moved from under the pointer before the button goes up, since something
// came above it, or was drawn again by then, by what somebody fetched (of what the socket brings: live.js). The browser would press nothing.

const CONTROLS = "a[href], button, summary";
const STILL = 5; // px: who moves further away has changed their mind
let pressed = null; // {control, x, y}

document.addEventListener("pointerdown", ({ target, button, pointerType, clientX: x, clientY: y }) => {
  const control = button === 0 && pointerType === "mouse" && target.closest(CONTROLS);
  pressed = control ? { control, x, y } : null;
}, true);
document.addEventListener("pointerup", ({ target, clientX, clientY, ctrlKey, metaKey, shiftKey, altKey }) => {
  if (!pressed || ctrlKey || metaKey || shiftKey || altKey) return;
  const { control, x, y } = pressed;
  pressed = null;
  const now = control.isConnected ? control : control.id && document.getElementById(control.id);
  // The browser presses what is still the same, under the same pointer; never what took its place.
  if (!now || (now === control && now.contains(target)) || Math.hypot(clientX - x, clientY - y) > STILL) return;
  now.click();
}, true);
