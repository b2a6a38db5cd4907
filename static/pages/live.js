// Any other page that follows its table.
import "../js/showing.js";
import "../js/live.js";
import "../js/chain.js";
