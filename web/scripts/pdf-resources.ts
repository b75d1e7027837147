/** Puts pdf.js' character maps, standard fonts and image decoders beside the page, so that the viewer asks nobody else for them. */
import { cpSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const folders = ["cmaps", "standard_fonts"];

export function pdfResources(): Plugin {
  const source = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  let target = "";
  return {
    name: "famulus-pdf-resources",
    apply: "build",
    configResolved(config) {
      target = join(config.root, config.build.outDir, "pdf");
    },
    closeBundle() {
      for (const folder of folders) {
        const from = join(source, folder);
        if (existsSync(from)) cpSync(from, join(target, folder), { recursive: true });
      }
    },
  };
}
