// One's own account: how one is told of what waits.
import "../js/sound.js";
import "../js/alerts.js";
import "../js/zones.js";
