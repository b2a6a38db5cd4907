// The table of those who only look on. What makes a page live comes last: one that says it is has run all else.
import "../js/sound.js";
import "../js/apply.js";
import "../js/panels.js";
import "../js/announce.js";
import "../js/sheet/operations.js";
import "../js/feed.js";
import "../js/faces.js";
import "../js/stage.js";
import "../js/scene-card.js";
import "../js/primer.js";
import "../js/unread.js";
import "../js/party.js";
import "../js/sheet/row.js";
import "../js/marks.js";
import "../js/showing.js";
import "../js/live.js";
import "../js/chain.js";
