/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { pdfResources } from "./scripts/pdf-resources.ts";

const api = process.env.FAMULUS_API ?? "http://127.0.0.1:8710";

export default defineConfig({
  plugins: [react(), pdfResources()],
  resolve: { alias: { "~": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../src/famulus/web_dist",
    emptyOutDir: true,
    // The page's policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 800,
    // What the first view needs comes in one file: twenty small ones wait for each other on six connections.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } } },
  },
  server: {
    port: 5173,
    proxy: { "/api": { target: api }, "/openapi.json": { target: api } },
  },
  preview: { port: 5174 },
  test: { environment: "node", include: ["tests/**/*.test.{ts,tsx}"], restoreMocks: true },
});
