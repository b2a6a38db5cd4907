// Who comes from a sheet to roll a trait of it finds it in the composer: as if they had pressed it here.

import "./composer.js"; // which hears what is pressed here

const address = new URL(location.href);
const wanted = address.searchParams.get("trait");
if (wanted) {
  const trait = document.querySelector(`[data-trait] .cell[data-field="${CSS.escape(wanted)}"]`)?.closest("[data-trait]");
  if (trait && trait.getAttribute("aria-pressed") !== "true") trait.click();
  document.getElementById("mode-roll")?.click();
  document.querySelector("#roll [type=submit]")?.focus();
  // Once: after a reload it is not wanted again.
  address.searchParams.delete("trait");
  history.replaceState(history.state, "", address);
}
