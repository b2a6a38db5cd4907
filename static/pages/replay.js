// What the replay of a session runs.
import "../js/sound.js";
import "../js/steady.js";
import "../js/apply.js";
import "../js/panels.js";
import "../js/announce.js";
import "../js/replay.js";
import "../js/player.js";
