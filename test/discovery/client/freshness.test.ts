import {
  ageInWords,
  isEtag,
  isFresh,
  isSameContent,
  maxAgeOf,
  readKeeping,
} from "../../../lib/discovery/client/freshness";

describe("the freshness lifetime of an answer", () => {
  test.each([
    ["what max-age says", "public, max-age=300", undefined, 300],
    ["whatever the case, with quotes or without", 'Public,MAX-AGE="300"', undefined, 300],
    ["less what it spent in caches on the way", "max-age=300", "100", 200],
    ["not at all once it spent that in caches", "max-age=300", "400", 0],
    ["the least of two, since they contradict each other", "max-age=300, max-age=20", undefined, 20],
    ["not at all with no-cache", "no-cache, max-age=300", undefined, 0],
    ["not at all where max-age can't be read", "max-age=soon", undefined, 0],
    ["not at all where max-age is negative", "max-age=-1", undefined, 0],
    ["at most 2^31 seconds", "max-age=99999999999999999999", undefined, 2 ** 31],
    ["an hour where there is no max-age: s-maxage is for shared caches", "public, s-maxage=20", undefined, 3_600],
    ["an hour where the header is empty", "", undefined, 3_600],
    ["an hour without a header", undefined, undefined, 3_600],
  ])("is %s", (_, cacheControl, age, expected) => {
    expect(maxAgeOf(readKeeping(cacheControl, age))).toBe(expected);
  });

  it("stays unchanged if a renewal states none", () => {
    expect(maxAgeOf(readKeeping(undefined, undefined), { maxAgeSeconds: 20 })).toBe(20);
  });

  test.each([
    ["no-store", false],
    ["max-age=300, No-Store", false],
    ["max-age=300, must-revalidate", true],
    ['x="no-store"', true],
  ])("%s allows storing: %s", (cacheControl, store) => {
    expect(readKeeping(cacheControl, undefined).store).toBe(store);
  });

  test.each([
    ["as old as allowed, less a millisecond", 299_999, true],
    ["as old as allowed", 300_000, false],
    ["from the future, as another clock wrote it", -1, false],
    ["new", 0, true],
  ])("an answer that is %s is fresh: %s", (_, ageMs, fresh) => {
    expect(isFresh({ fetchedAtMs: 1_000_000, maxAgeSeconds: 300 }, new Date(1_000_000 + ageMs))).toBe(fresh);
  });
});

test.each([
  ['"abc"', true],
  ['W/"abc"', true],
  ['""', true],
  ["abc", false],
  ['"a"b"', false],
  ['"a\r\nx: y"', false],
  [`"${"a".repeat(2_000)}"`, false],
])("%j is an entity tag: %s", (text, expected) => {
  expect(isEtag(text)).toBe(expected);
});

test.each([
  ['"a"', 'W/"a"', true],
  ['"a"', '"b"', false],
])("%s and %s mean the same content: %s", (a, b, expected) => {
  expect(isSameContent(a, b)).toBe(expected);
});

test.each([
  [0, "0 seconds"],
  [1_000, "1 second"],
  [119_999, "119 seconds"],
  [120_000, "2 minutes"],
  [7_199_999, "119 minutes"],
  [7_200_000, "2 hours"],
  [172_799_999, "47 hours"],
  [172_800_000, "2 days"],
  [-5, "0 seconds"],
])("%d ms are %s", (ms, words) => {
  expect(ageInWords(ms)).toBe(words);
});
