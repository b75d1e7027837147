// Runs in the measured page before its own scripts: when the page can be used, and how evenly it draws. Reads only; changes nothing.
{
  const once = { composer: 0, fcp: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === "first-contentful-paint") once.fcp = entry.startTime;
  }).observe({ type: "paint", buffered: true });
  const seen = new MutationObserver(() => {
    const field = document.querySelector("textarea");
    if (!field || field.disabled) return;
    once.composer = performance.now();
    seen.disconnect();
  });
  seen.observe(document, { childList: true, subtree: true });

  let frames = [];
  let tasks = [];
  let blank = 0;
  let looked = 0;
  let running = false;
  new PerformanceObserver((list) => { if (running) tasks.push(...list.getEntries().map((entry) => entry.duration)); }).observe({ type: "longtask" });

  const sorted = (values) => [...values].sort((a, b) => a - b);
  window.probe = {
    loaded() {
      const scripts = performance.getEntriesByType("resource").filter((entry) => /\.m?js$/.test(new URL(entry.name).pathname));
      const first = scripts.filter((entry) => entry.startTime < once.composer);
      const bytes = (entries) => entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
      return { ...once, first_js_bytes: bytes(first), js_bytes: bytes(scripts) };
    },
    // `list`: a selector of a scrolling list; a look at its middle that finds no row is blank.
    start(list) {
      frames = [];
      tasks = [];
      blank = looked = 0;
      running = true;
      const element = list ? document.querySelector(list) : null;
      let last = 0;
      const frame = (now) => {
        if (!running) return;
        if (last) frames.push(now - last);
        last = now;
        // Looking for a row makes the browser lay out at once: not in every frame.
        if (element && frames.length % 8 === 0) {
          looked += 1;
          const box = element.getBoundingClientRect();
          const hit = document.elementFromPoint(box.left + box.width / 2, (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2);
          if (!hit?.closest("li")) blank += 1;
        }
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    },
    stop() {
      running = false;
      const times = sorted(frames);
      const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
      return {
        frames: times.length, seconds: times.reduce((sum, time) => sum + time, 0) / 1000, fps: 1000 / at(0.5), p95_ms: at(0.95), worst_ms: at(1),
        late: times.filter((time) => time > 33.4).length / Math.max(1, times.length), long_tasks: tasks.length,
        longest_ms: tasks.length ? Math.max(...tasks) : 0, blank: blank / Math.max(1, looked), nodes: document.querySelectorAll("*").length,
      };
    },
  };
}
