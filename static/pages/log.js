// The log.
import "../js/everything.js";
import "../js/faces.js";
import "../js/names.js";
import "../js/steady.js";
import "../js/rolls.js";
import "../js/log.js";
