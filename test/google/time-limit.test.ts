import { ServiceError } from "../../lib/errors";
import { certificateReader, resourceLister } from "../../lib/google";
import { type LoopbackServer, startServer } from "../support/loopback";

const { signal } = new AbortController();
const parent = "projects/p/locations/global";
/** A service that takes requests and never answers. */
let service: LoopbackServer;

beforeAll(async () => {
  service = await startServer(() => undefined);
});

afterAll(() => service[Symbol.asyncDispose]());

test.each<[string, (endpoint: string) => Promise<unknown>]>([
  ["one certificate", (at) => certificateReader(at, 200).read([`${parent}/certificates/a`], signal)],
  [
    "certificates by name",
    (at) => certificateReader(at, 200).read([`${parent}/certificates/a`, `${parent}/certificates/b`], signal),
  ],
  ["certificates", (at) => resourceLister(at, 200).certificates(parent, signal)],
  ["authorizations", (at) => resourceLister(at, 200).authorizations(parent, signal)],
  ["a map", (at) => resourceLister(at, 200).map(`${parent}/certificateMaps/m`, signal)],
  ["entries", (at) => resourceLister(at, 200).entries(`${parent}/certificateMaps/m`, signal)],
])("a request for %s that is never answered fails in time, and may be tried again", async (_, read) => {
  const error = await read(service.url).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: "service-unreachable", retryable: true });
  expect((error as Error).message).toMatch(/^reading .*: no answer within 0\.2 s$/);
});
