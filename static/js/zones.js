// Time zones with the names that the browser has for them in the page's language, and the browser's own zone first.
const zones = document.querySelector("select[name=time_zone]");
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param {string} timeZone */
function called(timeZone) {
  const words = new Intl.DateTimeFormat(document.documentElement.lang, { timeZone, timeZoneName: "longGeneric" });
  return words.formatToParts().find(({ type }) => type === "timeZoneName")?.value;
}

for (const option of zones.options ?? []) {
  try {
    option.text = `${option.text} · ${called(option.value)}`;
  } catch {
    // The server knows more zones than this browser: its name stays.
  }
}
const first = [...(zones.options ?? [])].find(({ value }) => value === own);
if (first) zones.prepend(first);
