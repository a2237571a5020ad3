import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DescriptionClient, type DescriptionClientOptions } from "../../../lib/discovery";
import type { Problem } from "../../../lib/errors";
import { createHttpClient, type HttpClientOptions } from "../../../lib/http";

/** A folder for the length of a test. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "api-descriptions-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A client whose clock the test moves, and whose retries take no time. */
export function testClient(options: DescriptionClientOptions, http: HttpClientOptions = {}) {
  const clock = { now: new Date("2026-11-21T00:00:00Z") };
  const warnings: Problem[] = [];
  const client = new DescriptionClient({
    http: createHttpClient({
      sleep: async () => undefined,
      retry: { maxAttempts: 2 },
      ...http,
      limits: { timeoutMs: 5_000, ...http.limits },
    }),
    now: () => clock.now,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  const pass = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1_000);
  };
  return { client, warnings, pass };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

/** What `rejects` would hide where a test compares several things of one error. */
export async function errorOf(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  const outcome = await promise.then(
    () => undefined,
    (error: Error) => error,
  );
  if (outcome === undefined) throw new Error("nothing was thrown");
  return outcome;
}
