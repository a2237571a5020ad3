import fc from "fast-check";
import { readCacheFile, writeCacheFile } from "../../../lib/discovery/client/cache-folder";
import { createDescriptionService } from "../../../lib/discovery/service";
import { anyText } from "../../support/any-text";
import { sampleDescription } from "./samples";

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const runs = { numRuns: 20_000, seed };

jest.setTimeout(300_000);

beforeAll(() => console.log(`seed ${seed} (SEED=${seed} repeats it)`));

const text = fc.oneof(anyText(), fc.string(), fc.constantFrom("%", "..", "\u0000", "__proto__"));

test("answers every request in its own form", () => {
  const { answer } = createDescriptionService({ descriptions: [sampleDescription("shop:v1")] });
  const segment = fc.oneof(text, fc.constantFrom("discovery", "v1", "apis", "shop", "rest", "batch"));
  const path = fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join("/")}`);
  const name = fc.constantFrom("name", "preferred", "alt", "fields", "prettyPrint", "key", "x", "");
  const query = fc.array(fc.tuple(fc.oneof(name, text), text), { maxLength: 6 });
  const headers = fc.record({ host: fc.oneof(text, fc.constant("h:1")), "if-none-match": text }, { requiredKeys: [] });
  const method = fc.oneof(fc.constantFrom("GET", "HEAD", "POST"), text);
  fc.assert(
    fc.property(method, path, query, headers, (verb, before, after, given) => {
      const url = `${before}?${after.map((pair) => pair.join("=")).join("&")}`;
      const { status, headers: answered, body } = answer({ method: verb, url, headers: given });
      expect([200, 304, 400, 404, 405]).toContain(status);
      expect(Object.values(answered).join()).toMatch(/^[\x20-\x7e]*$/);
      if (body !== "") JSON.parse(body);
    }),
    runs,
  );
});

test("returns the copy or no copy for any damaged cache file", () => {
  const url = "https://apis.example.com/";
  const file = writeCacheFile({ url, fetchedAtMs: 1, maxAgeSeconds: 1, body: Buffer.from("{}\n".repeat(100)) });
  const damage = fc.record({ at: fc.nat(file.length), remove: fc.nat(50), insert: fc.uint8Array({ maxLength: 50 }) });
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
      const damaged = damages.reduce(
        (bytes, { at, remove, insert }) => Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]),
        file,
      );
      expect(readCacheFile(damaged, url) !== undefined).toBe(damaged.equals(file));
    }),
    runs,
  );
});
