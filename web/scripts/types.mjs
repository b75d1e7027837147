// Writes src/api/schema.d.ts from the server's own OpenAPI document: `npm run types` with a server on 127.0.0.1:8710, or `npm run types -- FILE`.
import { spawnSync } from "node:child_process";

const source = process.argv[2] ?? "http://127.0.0.1:8710/openapi.json";
const done = spawnSync("npx", ["openapi-typescript", source, "-o", "src/api/schema.d.ts"], { stdio: "inherit" });
process.exit(done.status ?? 1);
