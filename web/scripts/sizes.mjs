// Prints what a first visit loads, compressed: the entry, its static imports and its styles, as the built index.html and chunks name them.
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { join } from "node:path";

const root = new URL("../../src/famulus/web_dist/", import.meta.url).pathname;
const read = (name) => readFileSync(join(root, name));
const size = (name) => gzipSync(read(name), { level: 9 }).length;
const html = read("index.html").toString();
const first = new Set([...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]));

function follow(name) {
  for (const match of read(name).toString().matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) {
    const next = `assets/${match[1]}`;
    if (!first.has(next)) {
      first.add(next);
      follow(next);
    }
  }
}
for (const name of [...first]) if (name.endsWith(".js")) follow(name);

const kb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
let script = 0;
for (const name of first) if (name.endsWith(".js")) script += size(name);
console.log(`first load, scripts: ${kb(script)} (limit 250 kB)`);
for (const name of readdirSync(join(root, "assets")).sort()) {
  console.log(`${first.has(`assets/${name}`) ? "*" : " "} ${kb(size(`assets/${name}`)).padStart(10)}  ${name}`);
}
if (script > 250_000) process.exit(1);
