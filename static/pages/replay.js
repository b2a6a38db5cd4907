// What the replay of a session runs.
import "../js/replay.js";
import "../js/player.js";
