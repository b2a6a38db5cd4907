// A page of what is known.
import "../js/sound.js";
import "../js/steady.js";
import "../js/apply.js";
import "../js/announce.js";
import "../js/names.js";
import "../js/world.js";
import "../js/showing.js";
import "../js/live.js";
import "../js/chain.js";
