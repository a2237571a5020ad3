import fc from "fast-check";
import { annotationLines, junitXml, summaryLines, type VerifyReport } from "../../lib/cli/commands/verify/render";
import type { VerifyFailure } from "../../lib/live/verify";
import { anyText } from "../support/any-text";

function failure(message: string, hostname = "example.com"): VerifyFailure {
  return {
    hostname,
    address: "2001:db8::7",
    ok: false,
    code: "handshake-failed",
    severity: "error",
    subject: hostname,
    message,
    remedy: "look at it",
    handshakes: 1,
    bad: 1,
  };
}

function reportOf(results: VerifyReport["results"]): VerifyReport {
  return { results, fallbacks: [], comparisons: [], findings: [], exact: { checked: false, reason: "no plan" } };
}

/** Matches text that XML 1.0 allows, without the characters that it reserves. */
const xmlText = /^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}])*$/u;

test("JUnit XML has one test case for each check", () => {
  const report = reportOf([failure('<a b="c">&\u0007\u{1f600}')]);
  expect(junitXml(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cert-migration" tests="1" failures="1" errors="0">
  <testsuite name="verify" tests="1" failures="1" errors="0">
    <testcase classname="verify.example.com" name="example.com at 2001:db8::7"><failure type="handshake-failed" message="handshake-failed: &lt;a b=&quot;c&quot;&gt;&amp;\\u{7}\u{1f600}">look at it</failure></testcase>
  </testsuite>
</testsuites>
`);
});

test("JUnit XML is well-formed for any server text", () => {
  fc.assert(
    fc.property(anyText(), (message) => {
      const xml = junitXml(reportOf([failure(message)]));
      expect(xml).toMatch(xmlText);
      const [, attribute = ""] = /message="([^"]*)">look at it<\/failure>/.exec(xml) ?? [];
      expect(attribute).not.toMatch(/[<>'\n]|&(?!(?:amp|lt|gt|quot|apos);)/);
      expect(xml.split("\n")).toHaveLength(7);
    }),
  );
});

test("annotations escape delimiters in the title and in the message", () => {
  expect(annotationLines(reportOf([failure("50%, a::b\r\nc", "a,b.example.com")]))).toEqual([
    "::error title=a%2Cb.example.com at 2001%3Adb8%3A%3A7::handshake-failed: 50%25, a::b\\u{d}\\u{a}c look at it",
  ]);
});

test("an annotation is one line for any server text, and starts no other command", () => {
  fc.assert(
    fc.property(anyText(), anyText(), (message, hostname) => {
      const [line = "", ...others] = annotationLines(reportOf([failure(message, hostname)]));
      expect(others).toEqual([]);
      expect(line).toMatch(/^::error title=[^:,\p{Cc}]*::[^\p{Cc}]*$/u);
    }),
  );
});

test("GitHub shows ten annotations of a kind: the tenth states how many more exist", () => {
  const lines = annotationLines(reportOf(Array.from({ length: 25 }, () => failure("x"))));
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("::error title=cert-migration verify::and 16 more");
});

test("lines for a terminal contain no control characters", () => {
  expect(summaryLines(reportOf([failure("\u001b[2Jgone")]))).toEqual([
    "example.com at 2001:db8::7: \\u{1b}[2Jgone - look at it [handshake-failed]",
  ]);
});

test.each([
  ["handshake-refused (alert 40)", "192.0.2.7: clients without SNI get no certificate: handshake-refused (alert 40)"],
  [
    "stopped (the run was stopped)",
    "192.0.2.7: what clients without SNI get is unknown: stopped (the run was stopped)",
  ],
])("reports clients refused for an address that failed with '%s' only if a client was refused", (detail, line) => {
  const fallback = { address: "192.0.2.7", client: "no-sni", detail } as const;
  expect(summaryLines({ ...reportOf([]), fallbacks: [fallback] })).toEqual([line]);
});
