// The party: who of it has a player at the table now, by those whom the head of the page names.

const presence = document.getElementById("presence");
const party = document.getElementById("party");

const show = () => {
  const here = new Set([...presence.querySelectorAll("[data-person]")].map((person) => person.dataset.person));
  for (const one of party.querySelectorAll("[data-players]")) {
    // A crew is everybody's: nobody's being away makes it absent.
    if (!one.dataset.players) continue;
    const is = one.dataset.players.split(" ").some((player) => here.has(player));
    one.classList.toggle("is-away", !is);
    one.querySelector(".party-here").hidden = !is;
    one.querySelector(".party-away").hidden = is;
  }
};

new MutationObserver(show).observe(presence, { childList: true });
new MutationObserver(show).observe(party, { childList: true });
show();
