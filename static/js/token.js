// What says that a form comes from a page of this site. It is stale once somebody has signed in again in another tab; the refusal then
// has a new one (config/views.py), unless that was somebody else.
export const NEW_TOKEN = "X-CSRFToken";

export const headers = () => JSON.parse(document.body.getAttribute("hx-headers"));

// Whether there is one, which all that is sent from now on has.
/** @param {string | null} token */
export const renewToken = (token) => {
  if (!token) return false;
  document.body.setAttribute("hx-headers", JSON.stringify({ ...headers(), [NEW_TOKEN]: token }));
  for (const input of document.querySelectorAll("[name=csrfmiddlewaretoken]")) input.value = token;
  return true;
};
