// The party: who of it has a player at the table now, by those whom the head of the page names; and what is done with one of them.

const presence = document.getElementById("presence");
const party = document.getElementById("party");

const show = () => {
  const here = new Set([...presence.querySelectorAll("[data-person]")].map((person) => person.dataset.person));
  const faces = new Set();
  for (const one of party.querySelectorAll("[data-players]")) {
    // A crew is everybody's: nobody's being away makes it absent.
    if (!one.dataset.players) continue;
    const players = one.dataset.players.split(" ");
    const is = players.some((player) => here.has(player));
    players.forEach((player) => faces.add(player));
    one.classList.toggle("is-away", !is);
    one.querySelector(".party-here").hidden = !is;
    one.querySelector(".party-away").hidden = is;
  }
  // Where their characters are shown beside them, those who play these are not shown a second time.
  if (!party.closest(".top")) return;
  for (const person of presence.querySelectorAll("[data-person]")) person.classList.toggle("has-face", faces.has(person.dataset.person));
};

new MutationObserver(show).observe(presence, { childList: true });

// Who is opened stays so when all are drawn anew.
let open = "";
party.addEventListener("toggle", ({ target }) => {
  const { id } = target.closest(".party-one") ?? {};
  if (target.open) open = id;
  else if (open === id && target.isConnected) open = "";
}, true);
new MutationObserver(() => {
  show();
  document.getElementById(open)?.querySelector("details").setAttribute("open", "");
}).observe(party, { childList: true });

// Who is no longer among those a GM may have at hand, since a player has taken them, is nobody a GM speaks as.
document.addEventListener("htmx:oobAfterSwap", ({ target }) => {
  if (target.id !== "npcs") return;
  for (const option of document.querySelectorAll("#say-voice option")) {
    const [kind, id] = option.value.split(":");
    if (kind === "character" && !target.querySelector(`[href$="character=${id}"]`)) option.remove();
  }
});

document.addEventListener("click", ({ target }) => {
  const { whisper } = target.closest("[data-whisper]")?.dataset ?? {};
  if (!whisper) return;
  const voice = document.querySelector("#say [name=voice]");
  voice.value = "whisper";
  voice.dispatchEvent(new Event("change", { bubbles: true }));
  for (const box of document.querySelectorAll("#say-to [name=to]")) box.checked = whisper.split(" ").includes(box.value);
  document.querySelector(".side.is-open .side-close")?.click();
  document.getElementById("say-text").focus();
});
show();
