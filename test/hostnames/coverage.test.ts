import fc from "fast-check";
import {
  covers,
  groupByRegistrableDomain,
  type Hostname,
  longestSuffix,
  parseHostname,
  registrableDomain,
} from "../../lib/hostnames";
import { runs } from "../support/runs";

const shortLabel = fc.constantFrom("a", "b", "shop", "a-b", "example");
const name = fc
  .tuple(fc.boolean(), fc.array(shortLabel, { minLength: 1, maxLength: 4 }), fc.constantFrom("com", "org"))
  .map(([wildcard, labels, tld]) => parseHostname(`${wildcard ? "*." : ""}${labels.join(".")}.${tld}`));

describe("coverage", () => {
  test.each([
    ["example.com", "example.com", true],
    ["example.com", "shop.example.com", false],
    ["*.example.com", "shop.example.com", true],
    ["*.example.com", "example.com", false],
    ["*.example.com", "eu.shop.example.com", false],
    ["*.example.com", "shop.notexample.com", false],
    ["*.example.com", "shop.example.com.evil.org", false],
    ["*.example.com", "*.example.com", true],
    ["*.example.com", "*.shop.example.com", false],
    ["shop.example.com", "*.example.com", false],
    ["*.xn--bcher-kva.example", "www.bücher.example", true],
  ])("%s over %s is %s", (subject, host, expected) => {
    expect(covers(parseHostname(subject), parseHostname(host))).toBe(expected);
  });

  test("equals a comparison label by label", () => {
    const naive = (subject: Hostname, host: Hostname): boolean => {
      const left = subject.split(".");
      const right = host.split(".");
      if (left.length !== right.length) return false;
      return left.every((label, index) => label === right[index] || (index === 0 && label === "*"));
    };
    fc.assert(
      fc.property(name, name, (subject, host) => {
        // Only the same wildcard covers a wildcard: in a comparison by labels, `*` would also match the label `*`.
        expect(covers(subject, host)).toBe(host.startsWith("*.") ? subject === host : naive(subject, host));
      }),
      runs(700),
    );
  });
});

describe("the registrable domain", () => {
  test.each([
    ["example.com", "example.com"],
    ["*.eu.shop.example.com", "example.com"],
    ["shop.example.co.uk", "example.co.uk"],
    ["*.example.co.uk", "example.co.uk"],
    ["shop.github.io", "github.io"],
    ["www.ck", "www.ck"],
    ["www.shop.anything.ck", "shop.anything.ck"],
    ["a.b.xn--p1ai", "b.xn--p1ai"],
    ["a.b.top-level-of-next-year", "b.top-level-of-next-year"],
  ])("of %s is %s", (hostname, expected) => {
    expect(registrableDomain(parseHostname(hostname))).toBe(expected);
  });
});

describe("grouping by registrable domain", () => {
  test("sorts groups and hostnames, and keeps each hostname once", () => {
    const hostnames = [
      "www.example.net",
      "example.com",
      "*.example.com",
      "shop.example.co.uk",
      "example.com",
      "a.example.com",
    ];

    expect([...groupByRegistrableDomain(hostnames.map(parseHostname))]).toEqual([
      ["example.co.uk", ["shop.example.co.uk"]],
      ["example.com", ["*.example.com", "a.example.com", "example.com"]],
      ["example.net", ["www.example.net"]],
    ]);
  });

  test("does not depend on the input order", () => {
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const forwards = [...groupByRegistrableDomain(names)];
        expect([...groupByRegistrableDomain([...names].reverse())]).toEqual(forwards);
        expect(new Set(forwards.flatMap(([, group]) => group))).toEqual(new Set(names));
      }),
    );
  });
});

describe("the longest suffix", () => {
  test.each([
    ["shop.example.com", ["example.com", "com"], "example.com"],
    ["shop.example.com", ["com", "shop.example.com", "example.com"], "shop.example.com"],
    ["notexample.com", ["example.com"], undefined],
    ["example.com", ["shop.example.com"], undefined],
    ["Shop.Example.COM.", ["example.com"], "example.com"],
    ["shop.example.com", ["EXAMPLE.com."], "EXAMPLE.com."],
    ["shop.example.com", ["example.com.", "example.com"], "example.com."],
    ["*.example.com", ["example.com"], "example.com"],
    ["shop.example.com", [], undefined],
    ["shop.example.com", ["", "."], undefined],
  ])("of %s among %j is %s", (domain, candidates, expected) => {
    expect(longestSuffix(domain, candidates)).toBe(expected);
  });
});
