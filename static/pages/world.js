// A page of what is known, and where it is written.
import "../js/sound.js";
import "../js/steady.js";
import "../js/apply.js";
import "../js/announce.js";
import "../js/names.js";
import "../js/links.js";
import "../js/showing.js";
import "../js/live.js";
import "../js/world.js";
import "../js/chain.js";
