// What was not answered is sent again: each time after a longer pause, anywhere around that, so that those who wait for a server that was
// started again do not all come back in the same moment; and at once when the line is back. What was sent again TRIES times rests until then.

const FIRST = 500; // ms
const LONGEST = 8000; // ms
const TRIES = 12; // about a minute

const pauseAfter = (tries) => Math.min(FIRST * 2 ** tries, LONGEST) * (0.5 + Math.random());
const waiting = new Set();

/** One thing that is sent until it is answered, by `send`. @param {() => void} send */
export const patience = (send) => {
  let timer = null;
  let tries = 0;
  let refused = 0;
  const self = {
    // Forget the next attempt.
    stop() {
      clearTimeout(timer);
      waiting.delete(self);
    },
    // Count from the start again.
    renew() {
      tries = 0;
      refused = 0;
    },
    now() {
      self.stop();
      if (refused > TRIES) self.renew();
      send();
    },
    soon() {
      clearTimeout(timer);
      timer = setTimeout(self.now, pauseAfter(0));
    },
    // Send again after a pause of `least` ms at the least. False if it rests; without a line (no refusal) it never does.
    later({ isRefusal = true, least = 0 } = {}) {
      self.stop();
      waiting.add(self);
      refused += Number(isRefusal);
      if (refused > TRIES) return false;
      timer = setTimeout(self.now, Math.max(pauseAfter(tries), least));
      tries += 1;
      return true;
    },
  };
  return self;
};

// Nothing waits any longer: one answer says that the server is back.
export const wake = () => [...waiting].forEach((one) => one.now());
window.addEventListener("online", wake);
document.addEventListener("afterburn:live", () => waiting.forEach((one) => one.soon()));
