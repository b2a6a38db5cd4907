// While a dialog makes the rest of the page inert, the X-card lies in the one that was opened last: nobody has to close anything first.

const card = document.getElementById("x-card-place");
const { parentElement: home, nextSibling: next } = card ?? {};
let open = [];

const place = (records) => {
  for (const { target } of records) {
    open = open.filter((dialog) => dialog !== target);
    if (target.matches("dialog:modal")) open.push(target);
  }
  open = open.filter((dialog) => dialog.isConnected);
  const last = open.at(-1);
  if (!last) card.parentElement === home || home.insertBefore(card, next);
  else if (last.id !== "pause" && card.parentElement !== last) last.append(card);
};

if (card) new MutationObserver(place).observe(document.body, { subtree: true, attributeFilter: ["open"] });
