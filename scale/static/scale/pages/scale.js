// The Scale, wherever a campaign plays with it.
import "../scale.js";
import "../major.js";
