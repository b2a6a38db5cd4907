// How long to wait before what was not answered is sent again: longer each time, anywhere around that, so that those who wait for a
// server that was started again do not all come back in the same moment. Whoever was not answered TRIES times gives up and says so.

const FIRST = 500; // ms
const LONGEST = 8000; // ms

export const TRIES = 12; // about a minute

export const pauseAfter = (tries) => Math.min(FIRST * 2 ** tries, LONGEST) * (0.5 + Math.random());
