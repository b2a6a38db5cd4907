// The sheet of a character.
import "../js/showing.js";
import "../js/live.js";
import "../js/sheet/row.js";
import "../js/sheet/entries.js";
import "../js/sheet/rows.js";
import "../js/sheet.js";
import "../js/chain.js";
