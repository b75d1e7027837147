import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
if (!globalThis.matchMedia) {
  globalThis.matchMedia = ((query: string) => ({ matches: false, media: query, addEventListener: () => undefined, removeEventListener: () => undefined })) as never;
}
