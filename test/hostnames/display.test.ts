import { domainToASCII } from "node:url";
import fc from "fast-check";
import { parseHostname, toUnicodeForDisplay } from "../../lib/hostnames";

test("displays an internationalized name in a form that parses to the same name", () => {
  const letters = fc.stringMatching(/^[äöüéèñçøåλжщя中文字かな한국]{1,12}$/).map((text) => `${text}.com`);
  fc.assert(
    fc.property(letters, fc.boolean(), (name, wildcard) => {
      const hostname = parseHostname(wildcard ? `*.${name}` : name);
      expect(hostname.endsWith(domainToASCII(name))).toBe(true);
      expect(parseHostname(toUnicodeForDisplay(hostname))).toBe(hostname);
    }),
  );
});

test.each([
  ["shop.example.com", "shop.example.com"],
  ["*.xn--bcher-kva.example", "*.bücher.example"],
  ["xn--e1afmkfd.xn--p1ai", "пример.рф"],
])("displays %s as %s", (name, shown) => {
  expect(toUnicodeForDisplay(parseHostname(name))).toBe(shown);
});

test("displays a name with an invisible joiner in A-labels", () => {
  const withJoiner = parseHostname("क्\u200dष.com");

  expect(withJoiner).toMatch(/^xn--/);
  expect(toUnicodeForDisplay(withJoiner)).toBe(withJoiner);
});
