import fc from "fast-check";
import { ServiceError } from "../../lib/errors";
import { maskSecrets, quote } from "../../lib/text/quote";
import { anyText } from "../support/any-text";

test.each([
  ["shop.example.com", "'shop.example.com'"],
  ["it's", "'it\\'s'"],
  ["a\\b", "'a\\\\b'"],
  ["a b", "'a b'"],
  ["a\u00a0b", "'a\\u{a0}b'"],
  ["line\nbreak", "'line\\u{a}break'"],
  ["\u001b[31mred", "'\\u{1b}[31mred'"],
  ["\u009b31m", "'\\u{9b}31m'"],
  ["a\u202eb", "'a\\u{202e}b'"],
  ["zero\u200bwidth", "'zero\\u{200b}width'"],
  ["\ud800", "'\\u{d800}'"],
  ["bücher 中文 💩", "'bücher 中文 💩'"],
  ["a".repeat(120), `'${"a".repeat(120)}'`],
  ["a".repeat(121), `'${"a".repeat(120)}…' (121 characters)`],
])("quotes %j as %s", (text, expected) => {
  expect(quote(text)).toBe(expected);
});

test("quotes two different short texts differently", () => {
  const text = anyText({ maxLength: 8 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(quote(a) === quote(b)).toBe(a === b);
    }),
  );
});

test.each([
  ["the header was Bearer ya29.SECRET-1_x.y", "the header was Bearer ***"],
  ["bearer SECRETSECRET is expired", "bearer *** is expired"],
  ["a bearer token is missing", "a bearer token is missing"],
  ["'ya29.a0AbC-d_e.f'", "'ya29.***'"],
  ["eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl is not valid", "*** is not valid"],
  ["GET /v1?key=AIzaSECRET&access_token=SECRET, twice", "GET /v1?key=***&access_token=***, twice"],
  ["AIzaSyA1234567890abcdefghijklmnopqrstuv is disabled", "*** is disabled"],
  ['{"access_token": "SECRET", "expires_in": 3600}', '{"access_token": "***", "expires_in": 3600}'],
  ["Invalid value for field 'key': it is empty", "Invalid value for field 'key': it is empty"],
])("masks secrets of the service error %j: %j", (text, masked) => {
  const error = new ServiceError(text, { code: "service-refused", reason: text, retryable: false });
  expect([error.message, error.reason]).toEqual([masked, masked]);
});

test("masks a megabyte of text that resembles signed tokens immediately", () => {
  const text = "eyJ-".repeat(250_000);
  expect(maskSecrets(text)).toBe(text);
  expect(maskSecrets(`${text}eyJhbGciOiJ9.e30.c2ln`)).toBe("***");
});
