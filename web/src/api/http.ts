/** One request to the server. Everything that leaves the page goes through here or through `stream.ts` and `upload.ts`. */
import { parseNamed } from "./names";
import type { Problem } from "./types";

export const base = "/api/v1";

export class ApiError extends Error {
  constructor(readonly status: number, readonly problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = "ApiError";
  }
}

/** The status of a request that no server answered. */
export const unanswered = 0;
export const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.status === unanswered;

let timezone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
let onSignedOut: () => void = () => undefined;

/** The zone that `X-User-Timezone` carries from now on. */
export function useTimezone(zone: string): void {
  timezone = zone;
}

/** Called whenever the server answers that nobody is signed in. */
export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback;
}

export function headers(extra: Record<string, string> = {}): Record<string, string> {
  return { "X-User-Timezone": timezone, ...extra };
}

export async function problemOf(response: Response): Promise<ApiError> {
  if (response.status === 401) onSignedOut();
  let problem: Problem = { title: response.statusText || String(response.status), status: response.status };
  try {
    const body: unknown = await response.json();
    if (body && typeof body === "object" && "title" in body) problem = body as Problem;
  } catch {
    // Not a problem document: the status line has to do.
  }
  return new ApiError(response.status, problem);
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export function address(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `${base}${path}${text ? `?${text}` : ""}`;
}

/** `fetch`, where no answer at all is an `ApiError` too. */
async function answered(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(unanswered, { title: "The server could not be reached." });
  }
}

/** The answer's JSON, or undefined where it has none. Throws `ApiError`. */
export async function call<T>(method: string, path: string, options: { query?: Query; body?: unknown; signal?: AbortSignal } = {}): Promise<T> {
  const response = await answered(address(path, options.query), {
    method,
    headers: headers(options.body === undefined ? { Accept: "application/json" } : { Accept: "application/json", "Content-Type": "application/json" }),
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
    credentials: "same-origin",
  });
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  return (text ? parseNamed(text) : undefined) as T;
}
