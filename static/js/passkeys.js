// Makes a passkey, or asks the browser for one, as the page says or the server does where nobody is known yet; people/forms.py reads it.
const button = document.getElementById("passkey");
/** @type {any} */
const form = button?.closest("form");
const failed = document.getElementById("passkey-failed");

const asked = async () => {
  const here = document.getElementById("passkey-data");
  if (here) return JSON.parse(here.textContent);
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  return answer.json();
};

const found = async (asks) => {
  if (asks.request_options) {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asks.request_options.publicKey);
    return navigator.credentials.get({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asks.creation_options.publicKey);
  const alone = form.elements.namedItem("passwordless").checked;
  publicKey.authenticatorSelection = {
    ...publicKey.authenticatorSelection,
    residentKey: alone ? "required" : "discouraged",
    requireResidentKey: alone,
    ...(alone ? { userVerification: "required" } : {}),
  };
  return navigator.credentials.create({ publicKey });
};

// Pages for a code have none where this site's address can have no passkeys.
button?.addEventListener("click", async () => {
  failed.hidden = true;
  try {
    const passkey = await found(await asked());
    form.elements.namedItem("credential").value = JSON.stringify(passkey);
  } catch {
    failed.hidden = false;
    return;
  }
  form.submit();
});
