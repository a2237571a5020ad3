import { CloudError } from "../../../lib/cloud/cloud-error";
import { parseFilter } from "../../../lib/cloud/front/filter";

const item = {
  name: "prod-1",
  description: 'the "first" one',
  labels: { env: "prod", team: "web" },
  managed: { state: "ACTIVE", domains: ["example.com", "*.example.com"], attempts: [{ domain: "a" }, { domain: "b" }] },
  count: 10,
  ratio: 0.5,
  enabled: true,
  empty: "",
  createTime: "2026-11-21T00:00:00Z",
};

test.each<[filter: string, holds: boolean]>([
  ["", true],
  ["   ", true],
  ["name = prod-1", true],
  ["name=prod-1", true],
  ["name = prod", false],
  ["name = prod-*", true],
  ["name = *-1", true],
  ["name = p*d*1", true],
  ["name = p*x*1", false],
  ["name = prod-1*prod-1", false],
  ["name != prod-1", false],
  ["name != prod-2", true],
  ["missing != anything", true],
  ["missing = anything", false],
  ['missing = ""', false],
  ['empty = ""', true],
  ["name:prod", true],
  ["name:PROD", true],
  ["name:dev", false],
  ["name:*", true],
  ["missing:*", false],
  ["labels.env = prod", true],
  ["labels.env:*", true],
  ["labels:env", true],
  ["labels:color", false],
  ["managed.state = ACTIVE", true],
  ['managed.domains:"example.com"', true],
  ['managed.domains = "*.example.com"', true],
  ["managed.domains = example.org", false],
  ["managed.attempts.domain = b", true],
  ["managed.attempts.domain = c", false],
  ['description = "the \\"first\\" one"', true],
  ["description = 'the \"first\" one'", true],
  ["count > 9", true],
  ["count >= 10", true],
  ["count < 10", false],
  ["count <= 10", true],
  ["ratio < 0.75", true],
  ["enabled = true", true],
  ['createTime > "2026-11-20T00:00:00Z"', true],
  ['createTime < "2026-11-20T00:00:00Z"', false],
  ['create_time > "2026-11-20T00:00:00Z"', true],
  ["name = prod-1 AND labels.env = prod", true],
  ["name = prod-1 AND labels.env = dev", false],
  ["name = prod-1 labels.env = dev", false],
  ["name = prod-1 labels.env = prod", true],
  ["name = x OR labels.env = prod", true],
  ["name = x OR labels.env = dev", false],
  // OR binds tighter: (true or true) and false, not true or (true and false).
  ["name = prod-1 OR count = 10 AND labels.env = dev", false],
  ["labels.env = dev AND name = prod-1 OR count = 10", false],
  ["(labels.env = dev AND name = prod-1) OR count = 10", true],
  ["NOT name = prod-1", false],
  ["NOT NOT name = prod-1", true],
  ["-name = prod-1", false],
  ["-name:dev", true],
  ["NOT (name = x OR labels.env = dev)", true],
  ["-(name = x OR labels.env = dev)", true],
  ["((((name = prod-1))))", true],
  ["name eq prod-.*", true],
  ["name eq prod", false],
  ["name ne prod-.*", false],
  ['name eq "prod-[0-9]"', true],
  ["missing ne .*", true],
  ["__proto__.x = y", false],
  ["constructor:*", false],
])("a filter %s matches: %s", (filter, holds) => {
  expect(parseFilter(filter)(item)).toBe(holds);
});

test.each([
  ["name", "a field is followed by one of = != : < <= > >= eq ne"],
  ["name =", "a value is missing"],
  ["= x", "a field is expected, not '='"],
  ["name = x AND", "a field is expected at the end"],
  ["name = x OR OR", "a field is followed by one of"],
  ["(name = x", "a bracket is not closed"],
  ["name = x)", "')' is not expected"],
  ['"name" = x', "a field is expected, not 'name'"],
  ['name = "open', "what is meant at character 8"],
  ["name = x!", "what is meant at character 9"],
  ["name eq (", "a value is missing"],
  ['name eq "("', "'(' is not a regular expression"],
  [`${"(".repeat(60)}a=b${")".repeat(60)}`, "nested more than 50 levels deep"],
  ["NOT ".repeat(60), "nested more than 50 levels deep"],
  ["a".repeat(10_001), "longer than 10000 characters"],
])("a filter is refused for %s, with the reason", (filter, why) => {
  expect(() => parseFilter(filter)).toThrow(CloudError);
  expect(() => parseFilter(filter)).toThrow(why);
});

it("a filter is fast for input that makes regular expressions slow", () => {
  const holds = parseFilter('name eq "(a+)+b" OR name = *a*a*a*a*a*b');
  expect(holds({ name: "a".repeat(20_000) })).toBe(false);
});
