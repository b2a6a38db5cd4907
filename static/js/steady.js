// What grows, goes or folds in the feed without moving what somebody reads there.
const feed = document.getElementById("feed");
const frame = feed?.closest(".feed-frame"); // only the table has a feed

// The frame is a reversed column: 0 is its end, where it stays by itself. Higher up, what one reads must not move, whatever comes,
// goes or grows below it; what lies above it moves nothing.
export const steadily = (where, change) => {
  const reads = frame && !frame.hidden && feed.contains(where) && frame.scrollTop < -80;
  const below = reads && (where === feed || where.getBoundingClientRect().bottom > frame.getBoundingClientRect().top);
  const height = below ? frame.scrollHeight : 0;
  change();
  if (below) frame.scrollTop -= frame.scrollHeight - height;
};
