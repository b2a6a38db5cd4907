// The Scale in the replay of a session.
import "../scale.js";
