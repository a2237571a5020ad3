import { codesOf, problemsOf, withMethod } from "../../support/descriptions";

const variable = { type: "string", location: "path", required: true };

/** The path of a request whose only variable, `x`, has this value. */
function pathOf(path: string, x: string, fullyEncodeReservedExpansion = true): string {
  const api = withMethod({ path, parameters: { x: variable } }, { fullyEncodeReservedExpansion });
  return api.request("zoo.get", { parameters: { x } }).url.replace("https://zoo.example/", "");
}

describe("encodes a value in a path", () => {
  test.each([
    // value, {x}, {+x} with full encoding, {+x} without
    ["a/b", "a%2Fb", "a/b", "a/b"],
    ["a b", "a%20b", "a%20b", "a%20b"],
    ["a?b", "a%3Fb", "a%3Fb", "a%3Fb"],
    ["a#c", "a%23c", "a%23c", "a%23c"],
    ["a%20b", "a%2520b", "a%2520b", "a%2520b"],
    ["a:b", "a%3Ab", "a%3Ab", "a:b"],
    ["a+b", "a%2Bb", "a%2Bb", "a+b"],
    ["*.x", "%2A.x", "%2A.x", "*.x"],
    ["a@b", "a%40b", "a%40b", "a@b"],
    ["!$&'()*,;=", "%21%24%26%27%28%29%2A%2C%3B%3D", "%21%24%26%27%28%29%2A%2C%3B%3D", "!$&'()*,;="],
    ["[x]", "%5Bx%5D", "%5Bx%5D", "[x]"],
    ["-._~", "-._~", "-._~", "-._~"],
    ["a\\b", "a%5Cb", "a%5Cb", "a%5Cb"],
    ['"<>^`{|}', "%22%3C%3E%5E%60%7B%7C%7D", "%22%3C%3E%5E%60%7B%7C%7D", "%22%3C%3E%5E%60%7B%7C%7D"],
    ["é€🦁", "%C3%A9%E2%82%AC%F0%9F%A6%81", "%C3%A9%E2%82%AC%F0%9F%A6%81", "%C3%A9%E2%82%AC%F0%9F%A6%81"],
    ["\0\t\r\n", "%00%09%0D%0A", "%00%09%0D%0A", "%00%09%0D%0A"],
  ])("%p: {x} %s, {+x} %s, without full encoding %s", (value, simple, full, reserved) => {
    expect([pathOf("{x}", value), pathOf("{+x}", value), pathOf("{+x}", value, false)]).toEqual([
      simple,
      full,
      reserved,
    ]);
    expect(pathOf("{x}", value, false)).toBe(simple);
  });

  test("and keeps fixed text unchanged", () => {
    expect(pathOf("v1/{+x}/$export", "a/b:c")).toBe("v1/a/b%3Ac/$export");
    expect(pathOf("v1/{x}:feed", "a:b")).toBe("v1/a%3Ab:feed");
    expect(pathOf("v1/zoo-{x}.json", "a")).toBe("v1/zoo-a.json");
    expect(pathOf("v1/été %20/{x}", "a")).toBe("v1/%C3%A9t%C3%A9%20%20/a");
  });
});

describe("refuses a segment that URL parsers resolve as relative:", () => {
  test.each([
    ["{x}", "."],
    ["{x}", ".."],
    ["{+x}", "../../x"],
    ["{+x}", "a/./b"],
    ["{+x}", "a/.."],
    ["v1/{+x}:feed", "a/../b"],
    [".{x}", "."],
  ])("%s with %p", (path, value) => {
    expect(codesOf(() => pathOf(path, value))).toEqual(["parameter-dot-segment"]);
    expect(codesOf(() => pathOf(path, value, false))).toEqual(["parameter-dot-segment"]);
  });

  test.each([
    ["{+x}", "...", "..."],
    ["{+x}", ".a/b./a..b", ".a/b./a..b"],
    ["{x}:feed", "..", "..:feed"],
    ["{+x}:feed", "a/..", "a/..:feed"],
    ["{+x}", "%2e%2E/%2e", "%252e%252E/%252e"],
    ["{x}", "../a", "..%2Fa"],
  ])("but not %s with %p", (path, value, written) => {
    const url = new URL(`https://zoo.example/${written}`);

    expect(pathOf(path, value)).toBe(written);
    // The URL parser that `fetch` uses keeps the path unchanged.
    expect(url.pathname).toBe(`/${written}`);
  });

  test("names each variable that causes one, with all other mistakes", () => {
    const api = withMethod({
      path: "{a}/{+b}/{c}",
      parameters: { a: variable, b: variable, c: variable, d: { type: "integer" } },
    });
    const parameters = { a: "..", b: "x/./y", c: "c", d: "many" };

    expect(problemsOf(() => api.request("zoo.get", { parameters }))).toMatchObject([
      { code: "parameter-type", parameter: "d" },
      { code: "parameter-dot-segment", parameter: "a", value: ".." },
      { code: "parameter-dot-segment", parameter: "b", value: "x/./y" },
    ]);
  });
});

test("inserts the same value wherever a path has its variable", () => {
  expect(pathOf("{x}/again/{x}", "a b")).toBe("a%20b/again/a%20b");
});

test("refuses half of a surrogate pair, which no URL can contain", () => {
  expect(codesOf(() => pathOf("{x}", "\ud800"))).toEqual(["parameter-encoding"]);
  expect(codesOf(() => pathOf("{+x}", "a/\udc00"))).toEqual(["parameter-encoding"]);
});
