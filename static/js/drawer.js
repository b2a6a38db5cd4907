// The drawer of faces: what is chosen is seen large, and as it stands in a line (templates/characters/_drawer.html).

const PIXELS = 512; // the longest side of what is uploaded, as the server keeps it

const show = (drawer, tile) => {
  for (const place of drawer.querySelectorAll(".drawer-shown")) {
    place.className = `${tile.className} drawer-shown`;
    place.replaceChildren(...tile.cloneNode(true).childNodes);
  }
};

// Pages may not load what they have made themselves as a picture, but they may draw it.
const showFile = async (drawer, file) => {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return;
  const ratio = Math.min(1, PIXELS / Math.max(picture.width, picture.height));
  for (const place of drawer.querySelectorAll(".drawer-shown")) {
    const canvas = document.createElement("canvas");
    canvas.width = picture.width * ratio;
    canvas.height = picture.height * ratio;
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    place.className = "portrait drawer-shown";
    place.replaceChildren(canvas);
  }
};

const choose = (drawer, chosen) => {
  const upload = drawer.querySelector("[type=file]");
  if (chosen === upload) {
    drawer.querySelector(".drawer-own [type=radio]").checked = true;
    if (upload.files[0]) showFile(drawer, upload.files[0]);
  } else if (chosen.matches(".drawer-one > input")) {
    if (!chosen.closest(".drawer-own")) upload.value = "";
    show(drawer, chosen.nextElementSibling);
  }
};

document.addEventListener("change", ({ target }) => {
  const drawer = target.closest?.(".drawer");
  if (drawer) choose(drawer, target);
});

document.addEventListener("click", ({ target }) => {
  const drawer = target.closest("[data-drawer=surprise]")?.closest(".drawer");
  if (!drawer) return;
  const faces = [...drawer.querySelectorAll(".drawer-faces input:not(:checked)")].filter((one) => one.offsetParent);
  const face = faces[Math.floor(Math.random() * faces.length)];
  face.checked = true;
  face.dispatchEvent(new Event("change", { bubbles: true }));
});

// Where a character is made, its name is typed beside the drawer.
document.addEventListener("input", ({ target }) => {
  const drawer = target.name === "name" && target.form?.querySelector(".drawer");
  if (!drawer) return;
  for (const place of drawer.querySelectorAll("[data-drawer=name]")) place.textContent = target.value;
  const letter = drawer.querySelector("[data-drawer=letter]");
  letter.textContent = target.value.trim().slice(0, 1).toUpperCase();
  const chosen = drawer.querySelector(".drawer-one > :checked");
  if (!chosen || letter === chosen.nextElementSibling) show(drawer, letter);
});

// What was chosen before the page was sent back, or left and returned to.
for (const chosen of document.querySelectorAll(".drawer-one > :checked")) choose(chosen.closest(".drawer"), chosen);
