import fc from "fast-check";
import { InputError } from "../../lib/errors";
import {
  baseDomain,
  compareHostnames,
  isPrivateDomain,
  isWildcard,
  parseHostname,
  readHostname,
} from "../../lib/hostnames";
import { anyText } from "../support/any-text";
import { runs } from "../support/runs";

/** Labels as registries allow them. */
const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/).filter((text) => !text.startsWith("xn--"));
const plainName = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.constantFrom("com", "net", "org", "de", "app", "xn--p1ai"))
  .map(([labels, tld]) => [...labels, tld].join("."))
  .filter((name) => "hostname" in readHostname(name));

function codeOf(text: string): string {
  const reading = readHostname(text);
  return "problem" in reading ? reading.problem.code : `accepted as ${reading.hostname}`;
}

const octets63 = "a".repeat(63);
const octets253 = `${"abcdefghi.".repeat(24)}abcdefghi.com`;

describe("parses a hostname as", () => {
  test.each([
    ["example.com", "example.com"],
    ["*.example.com", "*.example.com"],
    ["Shop.EXAMPLE.Com", "shop.example.com"],
    ["example.com.", "example.com"],
    ["  example.com\t\r\n", "example.com"],
    ["\u00a0example.com\ufeff", "example.com"],
    ["*.example.com.", "*.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["BÜCHER.example", "xn--bcher-kva.example"],
    ["bu\u0308cher.example", "xn--bcher-kva.example"],
    ["faß.de", "xn--fa-hia.de"],
    ["*.bücher.example", "*.xn--bcher-kva.example"],
    ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
    ["XN--E1AFMKFD.xn--p1ai", "xn--e1afmkfd.xn--p1ai"],
    ["例え.テスト例.jp", "xn--r8jz45g.xn--zckzah4162a.jp"],
    ["shop。example．com｡", "shop.example.com"],
    ["ｓｈｏｐ.example.com", "shop.example.com"],
    ["r3---sn-aigl6n7k.example.com", "r3---sn-aigl6n7k.example.com"],
    ["1.2.3.4.example.com", "1.2.3.4.example.com"],
    ["0x7f.example.com", "0x7f.example.com"],
    ["123.com", "123.com"],
    ["token.1password.com", "token.1password.com"],
    ["Token.1password.com", "token.1password.com"],
    [`${octets63}.com`, `${octets63}.com`],
    [octets253, octets253],
    [`${octets253}.`, octets253],
    ["a.xn--p1ai", "a.xn--p1ai"],
    ["example.co.uk", "example.co.uk"],
    ["*.example.co.uk", "*.example.co.uk"],
    ["www.ck", "www.ck"],
    ["a.top-level-of-next-year", "a.top-level-of-next-year"],
  ])("%j: %s", (text, expected) => {
    expect(parseHostname(text)).toBe(expected);
  });
});

describe("accepts names for documentation", () => {
  test.each(["shop.example", "example.com", "www.example.net", "*.example.org"])("%s", (name) => {
    expect(parseHostname(name)).toBe(name);
  });
});

describe("treats suffixes of companies like any other domain", () => {
  test.each(["github.io", "*.github.io", "shop.run.app", "*.run.app"])("%s", (name) => {
    expect(parseHostname(name)).toBe(name);
  });
});

test.each([
  ["hostname-empty", ""],
  ["hostname-empty", " \t\n"],
  ["hostname-empty", "."],
  ["hostname-is-reference", `\${var.domain}`],
  ["hostname-is-reference", `shop.\${var.domain}`],
  ["hostname-is-reference", `\${TfToken[TOKEN.12]}`],
  ["hostname-is-reference", "#{TfToken[TOKEN.12]}"],
  ["hostname-is-reference", "TfToken[TOKEN.12]"],
  ["hostname-is-reference", "%{ if true }a.com%{ endif }"],
  ["hostname-is-reference", `host${-8.109562212591379e298}.example.com`],
  ["hostname-control-character", "shop\u0000.example.com"],
  ["hostname-control-character", "shop.example.com\nwww.example.com"],
  ["hostname-control-character", "shop\u001b[31m.example.com"],
  ["hostname-control-character", "shop\u2028.example.com"],
  ["hostname-control-character", "\ud800.example.com"],
  ["hostname-has-scheme", "https://shop.example.com"],
  ["hostname-has-scheme", "//shop.example.com/"],
  ["hostname-has-path", "shop.example.com/"],
  ["hostname-has-path", "shop.example.com/cart"],
  ["hostname-has-path", "shop.example.com?a=b"],
  ["hostname-has-path", "shop.example.com#top"],
  ["hostname-has-path", "shop\\example.com"],
  ["hostname-has-user-info", "me@shop.example.com"],
  ["hostname-has-user-info", "me:secret@shop.example.com"],
  ["hostname-has-port", "shop.example.com:443"],
  ["hostname-has-port", "shop.example.com:https"],
  ["hostname-has-port", "shop.example.com:"],
  ["hostname-has-port", "203.0.113.7:443"],
  ["hostname-is-ip-address", "203.0.113.7"],
  ["hostname-is-ip-address", "203.0.113.7."],
  ["hostname-is-ip-address", "１２７.０.０.１"],
  ["hostname-is-ip-address", "127。0。0。1"],
  ["hostname-is-ip-address", "127.1"],
  ["hostname-is-ip-address", "0x7f.1"],
  ["hostname-is-ip-address", "0X7F.0x1"],
  ["hostname-is-ip-address", "0177.0.0.01"],
  ["hostname-is-ip-address", "2130706433"],
  ["hostname-is-ip-address", "10.0.0.0/8"],
  ["hostname-is-ip-address", "2001:db8::7"],
  ["hostname-is-ip-address", "2001:db8::/32"],
  ["hostname-is-ip-address", "[2001:db8::7]"],
  ["hostname-is-ip-address", "[2001:db8::7]:443"],
  ["hostname-is-ip-address", "::ffff:203.0.113.7"],
  ["hostname-is-ip-address", "fe80::1%eth0"],
  ["hostname-numeric-tld", "shop.example.123"],
  ["hostname-numeric-tld", "1.2.3.4.5"],
  ["hostname-numeric-tld", "256.256.256.256"],
  ["hostname-numeric-tld", "shop.example.0xff"],
  ["hostname-single-label", "shop"],
  ["hostname-single-label", "com"],
  ["hostname-single-label", "xn--p1ai"],
  ["hostname-empty-label", ".example.com"],
  ["hostname-empty-label", "shop..example.com"],
  ["hostname-empty-label", "example.com.."],
  ["hostname-empty-label", ".."],
  ["hostname-empty-label", "*..example.com"],
  ["hostname-empty-label", "\u00ad.example.com"],
  ["hostname-empty-label", "shop.。example.com"],
  ["hostname-label-too-long", `${octets63}a.com`],
  ["hostname-label-too-long", `${"é".repeat(60)}.com`],
  ["hostname-too-long", `a${octets253}`],
  ["hostname-too-long", `*.${octets253}`],
  ["hostname-too-long", "é.".repeat(1000)],
  ["hostname-bad-wildcard", "*"],
  ["hostname-bad-wildcard", "*."],
  ["hostname-bad-wildcard", "*example.com"],
  ["hostname-bad-wildcard", "s*p.example.com"],
  ["hostname-bad-wildcard", "shop.*.example.com"],
  ["hostname-bad-wildcard", "shop.*"],
  ["hostname-bad-wildcard", "*.*.example.com"],
  ["hostname-bad-wildcard", "**.example.com"],
  ["hostname-bad-wildcard", "＊.example.com"],
  ["hostname-wildcard-over-public-suffix", "*.com"],
  ["hostname-wildcard-over-public-suffix", "*.co.uk"],
  ["hostname-wildcard-over-public-suffix", "*.CO.UK."],
  ["hostname-wildcard-over-public-suffix", "*.рф"],
  ["hostname-wildcard-over-public-suffix", "*.anything.ck"],
  ["hostname-wildcard-over-public-suffix", "*.example"],
  ["hostname-is-public-suffix", "co.uk"],
  ["hostname-is-public-suffix", "anything.ck"],
  ["hostname-not-public", "localhost"],
  ["hostname-not-public", "*.localhost"],
  ["hostname-not-public", "printer.local"],
  ["hostname-not-public", "Printer.LOCAL."],
  ["hostname-not-public", "metadata.google.internal"],
  ["hostname-not-public", "nas.home.arpa"],
  ["hostname-not-public", "home.arpa"],
  ["hostname-not-public", "7.113.0.203.in-addr.arpa"],
  ["hostname-not-public", "8.b.d.0.1.0.0.2.ip6.arpa"],
  ["hostname-not-public", "shop.test"],
  ["hostname-not-public", "shop.invalid"],
  ["hostname-not-public", "expyuzz4wqqyqhjn.onion"],
  ["hostname-not-public", "name.alt"],
  ["hostname-not-public", "router.lan"],
  ["hostname-not-public", "ad.corp"],
  ["hostname-not-public", "router.home"],
  ["hostname-not-public", "mx.mail"],
  ["hostname-not-public", "wiki.intranet"],
  ["hostname-not-public", "db.private"],
  ["hostname-underscore", "_acme-challenge.example.com"],
  ["hostname-underscore", "my_shop.example.com"],
  ["hostname-underscore", "＿shop.example.com"],
  ["hostname-hyphen-at-edge", "-shop.example.com"],
  ["hostname-hyphen-at-edge", "shop-.example.com"],
  ["hostname-hyphen-at-edge", "shop.-example.com"],
  ["hostname-bad-character", "shop example.com"],
  ["hostname-bad-character", "%41.com"],
  ["hostname-bad-character", "a.com,b.com"],
  ["hostname-bad-character", "a:b:c"],
  ["hostname-bad-character", "é%41.com"],
  ["hostname-bad-idn", "xn--a.com"],
  ["hostname-bad-idn", "xn--zzzz.com"],
  ["hostname-bad-idn", "\u0301a.com"],
  ["hostname-bad-idn", "shop\u202ecom.example.com"],
  ["hostname-bad-idn", "a\u200db.example.com"],
  ["hostname-bad-idn", "a／b.example.com"],
])("refuses a hostname as %s: %j", (code, text) => {
  expect(codeOf(text)).toBe(code);
});

test.each([
  ["", "'' is not a hostname: write the name that clients connect to, as in 'shop.example.com'"],
  [
    `\${var.domain}`,
    `'\${var.domain}' is a reference, and a hostname must be known before Terraform runs: write the name itself, as in 'shop.example.com'`,
  ],
  [
    "a\nb.example.com",
    "'a\\u{a}b.example.com' contains a control character: a hostname is one line of letters, digits, '-' and dots; remove it",
  ],
  [
    "https://example.com/",
    "'https://example.com/' is a URL: write the hostname alone, without 'https://' and whatever follows the name",
  ],
  [
    "example.com/cart",
    "'example.com/cart' contains '/', so it is more than a hostname: paths and queries belong to the URL map; write the name alone",
  ],
  ["me@example.com", "'me@example.com' has a user or mailbox before '@': write the hostname alone, without it"],
  [
    "example.com:443",
    "'example.com:443' has a port: a certificate is for every port of a name; write the name without ':' and what follows",
  ],
  ["0x7f.1", "'0x7f.1' is an IP address: certificates are for DNS names only; give the name that clients connect to"],
  [
    "2001:db8::7",
    "'2001:db8::7' is an IP address: certificates are for DNS names only; give the name that clients connect to",
  ],
  [
    "example.123",
    "'example.123' ends in the number '123': a top-level domain has a letter, or the name is read as an IP address; correct the last label",
  ],
  [
    "shop",
    "'shop' is a single label: no public CA certifies names without a domain; write the whole name, as in 'shop.example.com'",
  ],
  ["a..example.com", "'a..example.com' has an empty label: a label has 1 to 63 characters; remove the extra dot"],
  [`${octets63}a.com`, `label '${octets63}a' of '${octets63}a.com' has 64 octets: a label has at most 63; shorten it`],
  [
    `a${octets253}`,
    `'a${octets253.slice(0, 119)}…' (254 characters) has 254 octets: a DNS name has at most 253; shorten it`,
  ],
  [
    "s*p.example.com",
    "'s*p.example.com' has a '*' where none may be: it stands alone, once and leftmost, as in '*.example.com'; list other names one by one",
  ],
  [
    "*.co.uk",
    "'*.co.uk' is a wildcard over the public suffix 'co.uk': CAs refuse these; put '*.' before a domain that you registered, as in '*.example.com'",
  ],
  [
    "co.uk",
    "'co.uk' is a public suffix, below which others register their domains: CAs don't certify it; write the whole name, as in 'shop.co.uk'",
  ],
  [
    "printer.local",
    "'printer.local': no public CA certifies 'local' (RFC 6762, section 3); use a registered domain or a private CA",
  ],
  [
    "my_shop.example.com",
    "'my_shop.example.com' contains '_', which no public CA certifies: use a-z, 0-9 and '-' in labels; rename the host, or serve it by a wildcard",
  ],
  [
    "-shop.example.com",
    "label '-shop' of '-shop.example.com' has a hyphen at its edge: labels begin and end with a letter or digit; correct the name",
  ],
  [
    "a b.example.com",
    "'a b.example.com' contains ' ': labels are made of letters, digits and '-' and are separated by dots; correct the name",
  ],
  [
    "xn--a.com",
    "'xn--a.com' is not a valid internationalized name: labels hold letters and digits of IDNA (UTS 46) or their 'xn--' form; copy the name from your registrar",
  ],
])("explains in a refusal what is wrong, what is allowed and what to do: %j", (text, message) => {
  expect(readHostname(text)).toEqual({ problem: { code: codeOf(text), message } });
});

test("throws from parseHostname with the code and message of the refusal", () => {
  const thrown = (() => {
    try {
      return parseHostname("*.co.uk");
    } catch (error) {
      return error;
    }
  })();

  expect(thrown).toBeInstanceOf(InputError);
  expect((thrown as InputError).problems).toEqual([
    (readHostname("*.co.uk") as { problem: { code: string; message: string } }).problem,
  ]);
});

describe("for any input", () => {
  const anything = fc.oneof(
    anyText({ maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.stringMatching(/^[a-zA-Z0-9.*:/_%\u3002ü ß-]{0,40}$/),
    fc.tuple(plainName, anyText({ maxLength: 3 }), fc.nat(60)).map(([name, extra, at]) => {
      return name.slice(0, at) + extra + name.slice(at);
    }),
  );

  test("returns a hostname or one problem in one line without control characters", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const reading = readHostname(text);
        if ("problem" in reading) {
          expect(reading.problem.code).toMatch(/^hostname-[a-z-]+$/);
          expect(reading.problem.message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        } else {
          expect(reading.hostname).toMatch(/^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$/);
          expect(reading.hostname.length).toBeLessThanOrEqual(253);
        }
      }),
      runs(1_000),
    );
  });

  test("parses a parsed hostname to itself", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const reading = readHostname(text);
        if ("hostname" in reading) expect(readHostname(reading.hostname)).toEqual(reading);
        else expect(readHostname(text)).toEqual(reading);
      }),
      runs(1_000),
    );
  });
});

test("ignores upper case, surrounding space and a trailing dot", () => {
  fc.assert(
    fc.property(plainName, fc.constantFrom("", " ", "\t", "\n"), fc.boolean(), (name, space, dot) => {
      expect(parseHostname(`${space}${name.toUpperCase()}${dot ? "." : ""}${space}`)).toBe(name);
    }),
  );
});

test.each([
  ["*.example.com", true, "example.com"],
  ["example.com", false, "example.com"],
  ["*.shop.example.com", true, "shop.example.com"],
])("%s: wildcard %s, authorized by %s", (name, wildcard, domain) => {
  expect([isWildcard(parseHostname(name)), baseDomain(parseHostname(name))]).toEqual([wildcard, domain]);
});

test("sorts hostnames by code units", () => {
  expect(["b.com", "a.com", "*.a.com", "a-b.com", "a.com"].sort(compareHostnames)).toEqual([
    "*.a.com",
    "a-b.com",
    "a.com",
    "a.com",
    "b.com",
  ]);
});

test.each([
  ["corp.internal.", true],
  ["corp.internal", true],
  ["b.local.", true],
  ["example.com.", false],
  ["co.uk.", false],
  ["internal.", true],
  ["not a name", false],
])("knows whether public DNS lacks the domain %s", (name, isPrivate) => {
  expect(isPrivateDomain(name)).toBe(isPrivate);
});
