// Any other page that follows its table.
import "../js/sound.js";
import "../js/steady.js";
import "../js/apply.js";
import "../js/announce.js";
import "../js/showing.js";
import "../js/live.js";
import "../js/chain.js";
