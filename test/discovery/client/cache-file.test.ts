import fc from "fast-check";
import {
  type CachedAnswer,
  cacheFileName,
  readCacheFile,
  writeCacheFile,
} from "../../../lib/discovery/client/cache-folder";

const answer: CachedAnswer = {
  url: "https://apis.example.com/discovery/v1/apis",
  etag: '"e-1"',
  fetchedAtMs: 1_795_219_200_000,
  maxAgeSeconds: 300,
  body: Buffer.from('{"kind":"discovery#directoryList",\n"items":[]}'),
};

const answers: fc.Arbitrary<CachedAnswer> = fc.record(
  {
    url: fc.webUrl({ withQueryParameters: true }),
    etag: fc.constantFrom('"a"', 'W/"b"', '""'),
    fetchedAtMs: fc.maxSafeNat(),
    maxAgeSeconds: fc.nat(),
    body: fc.uint8Array({ maxLength: 500 }),
  },
  { requiredKeys: ["url", "fetchedAtMs", "maxAgeSeconds", "body"] },
);

const readable = (read: CachedAnswer | undefined) => read && { ...read, body: [...read.body] };

test("reads exactly the bytes that were written", () => {
  fc.assert(
    fc.property(answers, (written) => {
      expect(readable(readCacheFile(writeCacheFile(written), written.url))).toEqual(readable(written));
    }),
  );
});

test("refuses a truncated file at every length", () => {
  const file = writeCacheFile(answer);
  const lengths = Array.from({ length: file.length }, (_, length) => length);
  expect(lengths.filter((length) => readCacheFile(file.subarray(0, length), answer.url))).toEqual([]);
});

test("refuses a file with any single bit changed", () => {
  const file = writeCacheFile(answer);
  const bits = Array.from({ length: file.length * 8 }, (_, bit) => bit);
  const taken = bits.filter((bit) => {
    const damaged = Buffer.from(file);
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
    return readCacheFile(damaged, answer.url);
  });
  expect(taken).toEqual([]);
});

test("refuses any other bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(readCacheFile(Buffer.from(bytes), answer.url)).toBeUndefined();
    }),
  );
});

test("refuses a file that was moved to the name of another URL", () => {
  expect(readCacheFile(writeCacheFile(answer), `${answer.url}?preferred=true`)).toBeUndefined();
});

test.each([
  ["an entity tag that would write headers", { etag: '"a"\r\nauthorization: b' }],
  ["an invalid time", { fetchedAtMs: Number.NaN }],
  ["a negative age", { maxAgeSeconds: -1 }],
  ["an age that is not an integer", { maxAgeSeconds: 1.5 }],
])("refuses a complete file with %s", (_, wrong) => {
  expect(readCacheFile(writeCacheFile({ ...answer, ...wrong }), answer.url)).toBeUndefined();
});

test("uses no part of the URL in a file's name that a file system could read as a path", () => {
  expect(cacheFileName("https://h/../../etc/passwd?a=\u0000")).toMatch(/^[0-9a-f]{64}\.cache$/);
  expect(cacheFileName("https://h/a")).not.toBe(cacheFileName("https://h/A"));
});
