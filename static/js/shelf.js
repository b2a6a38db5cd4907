// Several handouts at once: chosen, or dropped on the page, and sent one after the other, each with its progress. One that is refused says
// why and stays; the others go on.
import { newKey, settle } from "./page.js";
import { headers } from "./token.js";

const card = document.getElementById("shelf-add");
/** @type {any} */
const form = document.getElementById("shelf-new");
const input = form.elements.namedItem("picture");
const title = form.elements.namedItem("title");
const button = form.querySelector("button[type=submit]");
const list = document.getElementById("shelf-files");
const TYPES = input.accept.split(",");
const SECOND = 1000; // ms

/** @type {any[]} */
let files = []; // { file, key, row, bar, said }, those that wait to be sent and those that were refused

const element = (name, values) => Object.assign(document.createElement(name), values);
const nameOf = ({ name }) => name.replace(/\.[^.]*$/, "").replace(/_/g, " ").trim().slice(0, 120);

const count = () => {
  // Each of several is called as its file is.
  title.closest(".field").hidden = files.length > 1;
  if (files.length === 1 && !title.value) title.value = nameOf(files[0].file);
};

const leave = (one) => {
  files = files.filter((other) => other !== one);
  one.row.remove();
  count();
};

const add = (file) => {
  const row = element("li", { className: "row" });
  const bar = element("progress", { max: 1, value: 0, hidden: true });
  bar.setAttribute("aria-label", file.name);
  const said = element("span", { className: "quiet" });
  const gone = element("button", { type: "button", className: "bare", textContent: gettext("Remove") });
  row.append(element("span", { textContent: file.name }), bar, said, gone);
  const one = { file, key: newKey(), row, bar, said };
  gone.addEventListener("click", () => leave(one));
  files.push(one);
  list.append(row);
};

const take = (chosen) => {
  for (const file of chosen) add(file);
  card.setAttribute("open", "");
  input.value = "";
  if (files.length > 1) title.value = "";
  count();
};

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const refused = (one, words) => {
  one.bar.hidden = true;
  one.said.textContent = words;
};

// The answer to one file: its request, once it is there.
const post = ({ file, key, bar }, called) =>
  new Promise((done) => {
    const body = new FormData(form);
    body.set("picture", file);
    body.set("title", called);
    body.set("key", key);
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    for (const [name, value] of Object.entries({ ...headers(), "HX-Request": "true" })) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = loaded / total;
    });
    request.addEventListener("loadend", () => done(request));
    request.send(body);
  });

const wordsIn = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent.replace(/\s+/g, " ").trim();

const send = async (one, called) => {
  if (!TYPES.includes(one.file.type)) return refused(one, gettext("Choose a JPEG, PNG or WebP picture."));
  if (one.file.size > Number(card.dataset.maximum)) return refused(one, card.dataset.words);
  one.bar.hidden = false;
  one.said.textContent = gettext("Sending …");
  const request = await post(one, called);
  if (request.status === 204) return leave(one);
  if (request.status === 429) {
    await wait(SECOND * Number(request.getResponseHeader("Retry-After") || 1));
    return send(one, called);
  }
  if (!request.status) return refused(one, gettext("This couldn’t be sent. Check your connection, then press Add again."));
  one.key = newKey();
  refused(one, wordsIn(request.responseText));
};

const show = async () => {
  const answer = await fetch(location.href);
  const now = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("shelf");
  if (!answer.ok || !now) return;
  document.getElementById("shelf").replaceWith(now);
  settle(now);
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!files.length) {
    input.focus();
    input.click();
    return;
  }
  button.disabled = true;
  const own = files.length === 1 ? title.value.trim() : "";
  for (const one of [...files]) await send(one, own || nameOf(one.file));
  if (!files.length) title.value = "";
  button.disabled = false;
  await show();
});

input.multiple = true;
input.addEventListener("change", () => take([...input.files]));

const brings = ({ dataTransfer }) => [...(dataTransfer?.types ?? [])].includes("Files");
const mark = (yes) => card.classList.toggle("is-dropping", yes);
document.addEventListener("dragover", (event) => {
  if (!brings(event)) return;
  event.preventDefault();
  mark(true);
});
document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || mark(false));
document.addEventListener("drop", (event) => {
  if (!brings(event)) return;
  event.preventDefault();
  mark(false);
  take([...(event.dataTransfer?.files ?? [])]);
});
