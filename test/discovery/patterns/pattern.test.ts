import fc from "fast-check";
import { RE2JS } from "re2js";
import { patternBudget, patternMatcher } from "../../../lib/discovery/patterns/pattern";
import { patternCost, patternSize, worstSteps } from "../../../lib/discovery/patterns/pattern-cost";
import { adversary, pattern } from "../../support/arbitrary-pattern";
import { cpuTimeOf, leastCpuTimeOf } from "../../support/cpu-time";
import { runs } from "../../support/runs";

const slowest = 100;

/** Returns whether RE2 accepts the pattern; RE2 limits nested repetitions. */
function isRe2(source: string): boolean {
  try {
    RE2JS.compile(source);
    return true;
  } catch {
    return false;
  }
}

const timeOf = (work: () => unknown) => leastCpuTimeOf(work, slowest);

describe("matches only a whole value", () => {
  test.each([
    ["a+", "aaa", true],
    ["a+", "aaab", false],
    ["^a+$", "aaa", true],
    ["^a+", "aaab", false],
    ["a+$", "baaa", false],
    ["C.+|my_customer", "my_customer", true],
    ["C.+|my_customer", "C0123", true],
    ["C.+|my_customer", "xmy_customer", false],
    ["^projects/[^/]+$", "projects/a", true],
    ["^projects/[^/]+$", "projects/a/b", false],
    ["", "", true],
    ["", "a", false],
  ])("%p and %p: %p", (source, value, matches) => {
    expect(patternMatcher(source)(value)).toBe(matches);
  });
});

describe("interprets a pattern as RE2 does:", () => {
  test.each([
    ["case is ignored after (?i)", "(?i)(url:|origin:)?http(s)?://.*", "ORIGIN:HTTPS://x", true],
    ["a dot is all but a line feed", "a.b", "a\rb", true],
    ["a dot does not match a line feed", "a.b", "a\nb", false],
    ["a dot is one character beyond the basic plane", "a.b", "a🦁b", true],
    ["a dot in a class is a dot", "[.]", "x", false],
    ["an escaped dot is a dot", "a\\.b", "axb", false],
    ["white space is that of ASCII", "a\\sb", "a\u00a0b", false],
    ["white space is that of ASCII in a class, too", "a[\\s]b", "a\u00a0b", false],
    ["no white space is all else", "a\\Sb", "a\u00a0b", true],
    ["no white space in a class, too", "a[\\S]b", "a\u00a0b", true],
    ["a bracket first in a class is its member", "[]a[b]", "]", true],
    ["named groups and text boundaries are known", "\\A(?P<x>a)\\z", "a", true],
    ["a slash needs no escape and may have one", "a\\/b", "a/b", true],
    ["punctuation may be escaped", "a\\-b\\@", "a-b@", true],
  ])("%s", (_, source, value, matches) => {
    expect(patternMatcher(source)(value)).toBe(matches);
  });

  test("agrees with RE2 on random patterns and values", () => {
    fc.assert(
      fc.property(pattern.filter(isRe2), fc.array(adversary, { minLength: 1, maxLength: 8 }), (source, values) => {
        const expression = RE2JS.compile(source);
        for (const value of values) {
          expect([value, patternMatcher(source)(value)]).toEqual([value, expression.matcher(value).matches()]);
        }
      }),
      runs(400),
    );
  });
});

describe("reports that it can't evaluate:", () => {
  test.each([
    ["broken syntax", "(a", "a"],
    ["look-ahead, which RE2 hasn't", "(?=a)a", "a"],
    ["back references, which RE2 hasn't", "(a)\\1", "aa"],
    ["repeats beyond those of RE2", "a{2,1}", "a"],
    ["repeats of repeats of repeats", "((a{1000}){1000}){1000}", "a"],
    ["a pattern longer than any", "a".repeat(5_000), "a"],
  ])("%s", (_, source, value) => {
    expect(patternMatcher(source)(value)).toBeUndefined();
  });

  test("distinguishes a value that is too long from a pattern that can't be evaluated", () => {
    expect(patternMatcher("a|b(c|c)*")("a".repeat(65_537))).toBe("too-long");
    expect(patternMatcher("(?:[a-z]{0,500}){2}x")("a".repeat(20_000))).toBe("too-long");
  });
});

describe("values that share a budget", () => {
  const quick = ".*/.*";

  test("may each use what a single value could, until the budget is spent", () => {
    const budget = patternBudget();
    const verdicts = Array.from({ length: 200 }, () => patternMatcher("(a+)+b")("a".repeat(20_000), budget));

    expect(verdicts[0]).toBe(false);
    expect(verdicts.at(-1)).toBe("unchecked");
    expect(patternMatcher("(a+)+b")("a".repeat(20_000))).toBe(false);
  });

  test("are checked by the linear engine after V8's share is spent", () => {
    const budget = { ...patternBudget(), quickSteps: 0 };

    expect(patternMatcher(quick)("a/b", budget)).toBe(true);
    expect(patternMatcher(quick)("ab", budget)).toBe(false);
    expect(budget.linearSteps).toBeLessThan(patternBudget().linearSteps);
  });

  test("are sufficient for tens of thousands of names", () => {
    const budget = patternBudget();
    const name = patternMatcher("[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?");

    expect(Array.from({ length: 30_000 }, (_, at) => name(`backend-${at}`, budget)).every(Boolean)).toBe(true);
    expect(name("Backend", budget)).toBe(false);
  });
});

describe("never blocks the process:", () => {
  const filters = "(.+[<,<=,==,>=,>,<>].+,)*(.+[<,<=,==,>=,>,<>].+)";

  test.each([
    ["the one published pattern that can", filters, `${"a,".repeat(200)}\n`],
    ["repeats in repeats", "(a+)+$", `${"a".repeat(20_000)}b`],
    ["a choice of the same", "(a|a)*b", "a".repeat(20_000)],
    ["a choice that overlaps", "(a|ab|aba)*c", "ab".repeat(10_000)],
    ["a choice in rounds that end clearly", "(?:(?:a|a)b)*c", "ab".repeat(10_000)],
    ["optional ones in rounds that end clearly", "(?:a?a?b)*c", "ab".repeat(10_000)],
    ["repeats in rounds that end clearly", "(?:a*a*b)*c", "aab".repeat(8_000)],
    ["nothing, repeated", "(a*)*b", "a".repeat(20_000)],
    ["nothing or something, repeated", "(a|)+b", "a".repeat(20_000)],
    ["bounded repeats in bounded ones", "(a{1,50}){1,50}b", "a".repeat(20_000)],
    ["many optional ones", `${"a?".repeat(40)}${"a".repeat(40)}`, "a".repeat(39)],
    ["many repeats in a row", "a*a*a*a*a*a*a*a*b", "a".repeat(20_000)],
    ["dots in a row", ".*.*.*.*=.*", "a".repeat(20_000)],
    ["mail addresses", "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}$", `${"a".repeat(10_000)}!`],
    ["names of hosts", "^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(20_000)],
    ["what needs a large program", "(?:[a-z]{0,500}){2}x", "a".repeat(20_000)],
    ["repeats that V8 finds too large", "(?:ab{1000}c){10}", "abc".repeat(1_000)],
    ["groups in groups", `${"(".repeat(1_000)}a${")*".repeat(1_000)}`, "a".repeat(1_000)],
    ["long repeats, one after another", "[a-z]{1000}".repeat(370), "a".repeat(1_000)],
    ["a long text, repeated", `(?:${"ab".repeat(1_900)}){1000}`, "ab".repeat(1_000)],
    ["a long text that isn't read here, repeated", `(?i)(?:${"ab".repeat(1_900)}){1000}`, "ab".repeat(1_000)],
  ])("%s", (_, source, value) => {
    const firstMs = cpuTimeOf(() => expect(patternMatcher(source)(value)).not.toBe(true));
    const againMs = timeOf(() => patternMatcher(source)(value));

    expect(Math.min(firstMs, againMs)).toBeLessThan(slowest);
    expect(firstMs).toBeLessThan(5 * slowest);
  });

  test("for random patterns and values that backtrack heavily", () => {
    fc.assert(
      fc.property(
        pattern,
        fc.array(adversary, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 500 }),
        (source, values, times) => {
          const matcher = patternMatcher(source);
          for (const value of values) expect(timeOf(() => matcher(`${value.repeat(times)}!`))).toBeLessThan(slowest);
        },
      ),
      runs(50),
    );
  });
});

describe("the estimate of V8's time", () => {
  test.each([
    ["^projects/[^/]+/locations/[^/]+$", { degree: 0, choices: [] }],
    ["[a-z]([-a-z0-9]*[a-z0-9])?", { degree: 1, choices: [] }],
    ["operations/.*", { degree: 0, choices: [] }],
    [".*/.*", { degree: 1, choices: [] }],
    ["a{1,5}a", { degree: 0, choices: [5] }],
    ["(?:ab|ac)d", { degree: 0, choices: [2] }],
    ["(?:[a-z]+,)*[a-z]+", { degree: 1, choices: [] }],
  ])("estimates %s", (source, cost) => {
    expect(patternCost(source)).toEqual(cost);
  });

  test.each(["(a+)+", "(a|a)*", "(?:(?:a|a?)c)*", "(?i)a", "\\ba", "(?=a)", "[[:alpha:]]", "a**", "(?:(?:a|ab)c)*"])(
    "returns no estimate for %s",
    (source) => {
      expect(patternCost(source)).toBeUndefined();
    },
  );

  test("is reliable: patterns that it considers fast are fast in V8 on values that backtrack heavily", () => {
    let judgedQuick = 0;
    fc.assert(
      fc.property(pattern, adversary, fc.integer({ min: 1, max: 2_000 }), (source, value, times) => {
        const cost = patternCost(source);
        const long = `${value.repeat(times)}\u0001`.slice(-65_536);
        if (cost === undefined || worstSteps(cost, long.length) > 4_000_000) return;
        judgedQuick++;
        const expression = new RegExp(`^(?:${source})$`, "u");
        expect(timeOf(() => expression.test(long))).toBeLessThan(slowest);
      }),
      runs(150),
    );
    expect(judgedQuick).toBeGreaterThan(50);
  });

  test("counts repetitions as if they were written out", () => {
    expect(patternSize("a{10}")).toBe(11);
    expect(patternSize("(?:ab{10}){10}")).toBeGreaterThan(100);
    expect(patternSize("(?i)a{3,100}")).toBe(1_200);
  });
});
