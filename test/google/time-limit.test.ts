import { ServiceError } from "../../lib/errors";
import { certificateReader, resourceLister } from "../../lib/google";
import { type LoopbackServer, startServer } from "../support/loopback";
import { until } from "../support/until";

const parent = "projects/p/locations/global";
/** A service that accepts requests and never responds. */
let service: LoopbackServer;

beforeAll(async () => {
  service = await startServer(() => undefined);
});

afterAll(() => service[Symbol.asyncDispose]());

const reads: readonly [string, (endpoint: string, timeoutMs: number, signal: AbortSignal) => Promise<unknown>][] = [
  ["one certificate", (at, ms, signal) => certificateReader(at, ms).read([`${parent}/certificates/a`], signal)],
  [
    "certificates by name",
    (at, ms, signal) =>
      certificateReader(at, ms).read([`${parent}/certificates/a`, `${parent}/certificates/b`], signal),
  ],
  ["certificates", (at, ms, signal) => resourceLister(at, ms).certificates(parent, signal)],
  ["authorizations", (at, ms, signal) => resourceLister(at, ms).authorizations(parent, signal)],
  ["a map", (at, ms, signal) => resourceLister(at, ms).map(`${parent}/certificateMaps/m`, signal)],
  ["entries", (at, ms, signal) => resourceLister(at, ms).entries(`${parent}/certificateMaps/m`, signal)],
];

test.each(reads)(
  "fails a request for %s that is never answered within the time limit, and allows a retry",
  async (_, read) => {
    const { signal } = new AbortController();
    const error = await read(service.url, 200, signal).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: "service-unreachable", retryable: true });
    expect((error as Error).message).toMatch(/^reading .*: no answer within 0\.2 s$/);
  },
);

test.each(reads)("ends a request for %s as soon as it is aborted, with the reason", async (_, read) => {
  const stopping = new AbortController();
  const asked = service.requests.length;
  const reading = read(service.url, 30_000, stopping.signal);
  await until(
    () => service.requests.length,
    (count) => count > asked,
  );
  stopping.abort(new Error("stopped by SIGINT"));

  await expect(reading).rejects.toThrow("stopped by SIGINT");
});
