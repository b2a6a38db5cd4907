// Whether things may move: not for whoever asked their device, or this site (people/profile.html), to keep them still.
export const isStill = () =>
  document.documentElement.hasAttribute("data-still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
