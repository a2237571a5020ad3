import { isAllowedBy } from "../../lib/issuance-policy";

const dns = (...dnsNames: readonly string[]) => ({ dnsNames });

test.each([
  [
    "all names below a domain",
    'subject_alt_names.all(san, san.type == DNS && (san.value.endsWith(".corp.internal") || san.value == "corp.internal"))',
    dns("status.corp.internal", "corp.internal"),
    true,
  ],
  [
    "a name outside the domain",
    'subject_alt_names.all(san, san.type == DNS && san.value.endsWith(".corp.internal"))',
    dns("status.corp.internal", "shop.example.com"),
    false,
  ],
  ["one of the names", "subject_alt_names.exists(s, s.value.startsWith('a.'))", dns("b.test", "a.test"), true],
  ["a list", "subject_alt_names.all(s, s.value in ['a.test', 'b.test'])", dns("b.test"), true],
  ["a pattern", "subject_alt_names.all(s, s.value.matches('^[a-z]+\\\\.test$'))", dns("a1.test"), false],
  ["the subject", 'subject.common_name != "x" && true', dns("a.test"), true],
  ["a negation", "!subject_alt_names.exists(s, s.value.contains('*'))", dns("*.a.test"), false],
])("evaluates %s", (_, expression, request, expected) => {
  expect(isAllowedBy(expression, request)).toBe(expected);
});

test.each([
  ["an unknown function", "subject_alt_names.map(s, s.value).size() > 0"],
  ["an unknown member", "subject.serial_number == '1'"],
  ["an inherited member", "subject.constructor == '1'"],
  ["text after the expression", "true true"],
  ["an open text", "'a"],
  ["a result that is not a boolean", "subject.common_name"],
  ["a pattern that can't be read", "subject_alt_names.all(s, s.value.matches('('))"],
])("returns no result for %s", (_, expression) => {
  expect(isAllowedBy(expression, dns("a.test"))).toBeUndefined();
});
