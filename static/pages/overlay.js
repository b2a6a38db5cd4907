// The overlay of a stream. What makes a page live comes last: one that says it is has run all else.
import "../js/steady.js";
import "../js/apply.js";
import "../js/overlay.js";
import "../js/live.js";
