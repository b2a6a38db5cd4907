// What checks a session’s dice and log in the reader’s browser.
import "../js/fairness.js";
import "../js/lines.js";
import "../js/verify.js";
