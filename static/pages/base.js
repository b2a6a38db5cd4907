// What every page runs.
import "../js/patience.js";
import "../js/again.js";
import "../js/refusals.js";
import "../js/page.js";
import "../js/motion.js";
import "../js/keys.js";
import "../js/drafts.js";
import "../js/focus.js";
import "../js/press.js";
import "../js/dice.js";
import "../js/fetched-forms.js";
import "../js/closed.js";
import "../js/confirm.js";
import "../js/pause.js";
import "../js/x-card.js";
import "../js/copy.js";
import "../js/password.js";
