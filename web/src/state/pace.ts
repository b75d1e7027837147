/** When a change is drawn: before the next picture; after an expensive one only when as much time has passed again. */

interface Clock { now: () => number; frame: (callback: () => void) => void; later: (callback: () => void, ms: number) => void }

/** What a picture may cost before the next one waits: a bit less than a frame at 60 a second. */
const cheap = 12;
const longest = 120;

export function paced({ now, frame, later }: Clock): (callback: () => void) => void {
  let free = 0;
  const draw = (callback: () => void) => frame(() => {
    const started = now();
    callback();
    // The timer comes when the picture has been laid out and painted.
    later(() => {
      const cost = now() - started;
      free = cost > cheap ? now() + Math.min(cost, longest) : 0;
    }, 0);
  });
  return (callback) => {
    const wait = free - now();
    if (wait > 0) later(() => draw(callback), wait); else draw(callback);
  };
}
