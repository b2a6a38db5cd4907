// A sheet: every field saves by itself, and says along what it was when it was pressed, so that nobody overwrites unseen.
"use strict";

(() => {
  const shown = (form) => form.querySelector(".mark").dataset.value;

  document.addEventListener("htmx:configRequest", (event) => {
    const form = event.detail.elt.closest(".setter");
    if (!form) return;
    event.detail.parameters.set("seen", event.detail.triggeringEvent?.submitter?.dataset.seen ?? shown(form));
  });

  // Keeping what the other wrote needs nobody's leave.
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-keep]")) return;
    const form = event.target.closest(".setter");
    form.querySelector(".errors").replaceChildren();
    form.querySelector(".steps button").focus();
  });

  // Boxes are as many as another field allows: those beyond cannot be pressed.
  const fit = (mark) => {
    if (!mark.closest(".is-boxes")) return;
    for (const step of mark.parentElement.querySelectorAll(".steps button")) {
      step.hidden = Number(step.value) > Number(mark.dataset.of);
    }
  };
  document.addEventListener("afterburn:placed", (event) => event.target.matches(".setter .mark") && fit(event.target));
  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".setter .mark").forEach(fit));
})();
