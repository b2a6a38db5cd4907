// The sheet of a character.
import "../js/sound.js";
import "../js/steady.js";
import "../js/apply.js";
import "../js/announce.js";
import "../js/sheet/operations.js";
import "../js/showing.js";
import "../js/live.js";
import "../js/sheet/row.js";
import "../js/sheet/entries.js";
import "../js/sheet/rows.js";
import "../js/sheet.js";
import "../js/chain.js";
