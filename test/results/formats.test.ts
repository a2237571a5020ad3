import fc from "fast-check";
import type { CodeMeaning } from "../../lib/findings/codes";
import {
  annotationLines,
  type CommandResult,
  commentLimit,
  junitXml,
  markdownText,
  type PlacedFinding,
  sarifLog,
} from "../../lib/results";
import { anyText } from "../support/any-text";
import { junitErrors, sarifErrors } from "../support/result-schemas";

const refused: PlacedFinding = {
  code: "entry-deleted",
  severity: "error",
  subject: "google_certificate_manager_certificate_map_entry.shop",
  message: "shop.example.com loses its entry",
  remedy: "keep the entry",
  hostnames: ["shop.example.com"],
  command: "terraform state show x",
  place: { path: "infra/main.tf", line: 7 },
};
const allowed: PlacedFinding = { ...refused, subject: "entry.allowed", allowed: true };
const warned: PlacedFinding = {
  ...refused,
  code: "traffic-moves",
  severity: "warning",
  place: { path: "infra/dns.tf" },
};
const noted: PlacedFinding = { ...refused, code: "note", severity: "info", subject: "", remedy: "", hostnames: [] };

const result: CommandResult = {
  command: "check-plan",
  version: "0.1.0",
  ok: false,
  summary: "the plan is refused: 1 danger, 1 warning",
  checks: [
    { name: "pay.example.com: the plan has no danger", group: "pay.example.com" },
    { name: "step 3", group: "steps", failure: { ...refused, code: "step-failed", subject: "step 3", hostnames: [] } },
  ],
  findings: [noted, warned, allowed, refused],
  tables: [{ title: "Effect on each hostname", head: ["Hostname", "After"], rows: [["shop.example.com", "a|b"]] }],
};

const nothing: CommandResult = { ...result, ok: true, summary: "0 warnings", checks: [], findings: [], tables: [] };

const explain = (code: string): CodeMeaning | undefined =>
  code === "entry-deleted" ? { severity: "error", meaning: "The entry is deleted", remedy: "keep it" } : undefined;

const withMessage = (message: string): CommandResult => ({ ...nothing, findings: [{ ...refused, message }] });

describe("JUnit XML", () => {
  test("has a case for each check and each finding that fails the run, and none for allowed findings and warnings", () => {
    expect(junitXml(result)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cert-migration" tests="3" failures="2" errors="0">
  <testsuite name="check-plan" tests="3" failures="2" errors="0">
    <testcase classname="check-plan.pay.example.com" name="pay.example.com: the plan has no danger"/>
    <testcase classname="check-plan.steps" name="step 3"><failure type="step-failed" message="step-failed: shop.example.com loses its entry">keep the entry</failure></testcase>
    <testcase classname="check-plan.google_certificate_manager_certificate_map_entry.shop" name="google_certificate_manager_certificate_map_entry.shop: entry-deleted"><failure type="entry-deleted" message="entry-deleted: shop.example.com loses its entry">keep the entry</failure></testcase>
  </testsuite>
</testsuites>
`);
  });

  test.each([
    ["with failures", result],
    ["without findings and checks", nothing],
    ["with characters that XML reserves or forbids", withMessage('<a b="c">&\u0007\u{1f600}]]>')],
  ])("is valid %s", async (_, written) => {
    expect(await junitErrors(junitXml(written))).toEqual([]);
  });

  test("is refused by the schema without a test case, so that the schema can fail", async () => {
    const xml = junitXml(nothing).replace(/ *<testcase.*\n/, "");
    expect(await junitErrors(xml)).toHaveLength(1);
  });

  test("is well-formed for any text of a server", () => {
    fc.assert(
      fc.property(anyText(), (message) => {
        const xml = junitXml(withMessage(message));
        expect(xml).toMatch(/^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}])*$/u);
        const [, attribute = ""] = /message="([^"]*)">keep the entry<\/failure>/.exec(xml) ?? [];
        expect(attribute).not.toMatch(/[<>'\n]|&(?!(?:amp|lt|gt|quot|apos);)/);
        expect(xml.split("\n")).toHaveLength(7);
      }),
    );
  });
});

test.each([
  ["with findings", result],
  ["without findings", nothing],
])("a SARIF log is valid %s", (_, written) => {
  expect(sarifErrors(sarifLog(written, explain))).toEqual([]);
});

test("a SARIF log is refused by the schema with an unknown level, so that the schema can fail", () => {
  const log = JSON.parse(JSON.stringify(sarifLog(result, explain)).replace('"level":"note"', '"level":"trivial"'));
  expect(sarifErrors(log)).toContain("/runs/0/results/4/level must be equal to one of the allowed values");
});

test("a SARIF log has the place in the repository, the address and the hostname of a finding", () => {
  const [run] = sarifLog({ ...result, checks: [], findings: [refused] }, explain).runs;
  expect(run?.results).toEqual([
    {
      ruleId: "entry-deleted",
      ruleIndex: 0,
      level: "error",
      message: {
        text: "google_certificate_manager_certificate_map_entry.shop: shop.example.com loses its entry. What to do: keep the entry.",
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "infra/main.tf", uriBaseId: "%SRCROOT%" },
            region: { startLine: 7 },
          },
          logicalLocations: [
            { fullyQualifiedName: "google_certificate_manager_certificate_map_entry.shop", kind: "resource" },
            { name: "shop.example.com", kind: "namespace" },
          ],
        },
      ],
      partialFingerprints: { "certMigration/v1": expect.stringMatching(/^[0-9a-f]{32}$/) as string },
    },
  ]);
  expect(run?.tool.driver.rules).toEqual([
    {
      id: "entry-deleted",
      shortDescription: { text: "The entry is deleted" },
      fullDescription: { text: "The entry is deleted" },
      help: { text: "keep it. Run 'cert-migration explain entry-deleted' for the meaning and the remedy." },
      defaultConfiguration: { level: "error" },
    },
  ]);
});

const fingerprintsOf = (findings: readonly PlacedFinding[]) =>
  sarifLog({ ...nothing, findings }, explain).runs[0]?.results?.map(
    ({ partialFingerprints }) => partialFingerprints?.["certMigration/v1"],
  ) ?? [];

test.each<[string, Partial<PlacedFinding>]>([
  ["another message", { message: "19 days left" }],
  ["another line", { place: { path: "infra/main.tf", line: 90 } }],
  ["another order of hostnames", { hostnames: ["a.example.com", "shop.example.com"] }],
])("a SARIF log has the same fingerprint with %s", (_, change) => {
  const before = { ...refused, hostnames: ["shop.example.com", "a.example.com"] };
  expect(fingerprintsOf([{ ...before, ...change }])).toEqual(fingerprintsOf([before]));
});

test("a SARIF log has other fingerprints for another code, subject or hostname, and for an equal finding", () => {
  const changes = [{ code: "x" }, { subject: "y" }, { hostnames: [] }, {}];
  const all = fingerprintsOf([refused, ...changes.map((change) => ({ ...refused, ...change }))]);
  expect(new Set(all).size).toBe(5);
});

test("a SARIF log suppresses what the user has allowed", () => {
  const [run] = sarifLog({ ...nothing, findings: [allowed] }, explain).runs;
  expect(run?.results?.[0]?.suppressions).toEqual([{ kind: "external", justification: "allowed by --allow" }]);
});

test("a SARIF log keeps the 5,000 most severe results that GitHub shows, and counts the others", () => {
  const [run] = sarifLog({ ...nothing, findings: [...Array(5_001).fill(noted), refused] }, explain).runs;
  expect([run?.results?.length, run?.results?.[0]?.level]).toEqual([5_000, "error"]);
  expect(run?.invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toBe("2 more findings");
});

describe("annotations of GitHub", () => {
  test("are at the place of each failure and warning; an allowed error is a warning", () => {
    expect(annotationLines(result)).toEqual([
      "::error file=infra/main.tf,line=7,title=step 3%3A step-failed::shop.example.com loses its entry; keep the entry",
      "::error file=infra/main.tf,line=7,title=google_certificate_manager_certificate_map_entry.shop%3A entry-deleted::shop.example.com loses its entry; keep the entry",
      "::warning file=infra/main.tf,line=7,title=entry.allowed%3A entry-deleted::shop.example.com loses its entry; keep the entry",
      "::warning file=infra/dns.tf,title=google_certificate_manager_certificate_map_entry.shop%3A traffic-moves::shop.example.com loses its entry; keep the entry",
    ]);
  });

  test("are ten of a kind at most: the tenth counts the rest", () => {
    const lines = annotationLines({ ...nothing, findings: Array(25).fill(refused) });
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("::error title=cert-migration check-plan::and 16 more");
  });

  test("are one line for any text of a server, and start no other command", () => {
    fc.assert(
      fc.property(anyText(), anyText(), (message, subject) => {
        const [line = "", ...others] = annotationLines({ ...nothing, findings: [{ ...refused, message, subject }] });
        expect(others).toEqual([]);
        expect(line).toMatch(/^::error file=infra\/main.tf,line=7,title=[^:,\p{Cc}]*::[^\p{Cc}]*$/u);
      }),
    );
  });
});

describe("Markdown", () => {
  test("has the verdict, the findings by severity and the tables", () => {
    expect(markdownText({ ...result, checks: [], findings: [warned, refused] })).toBe(`## ❌ cert-migration check-plan

the plan is refused: 1 danger, 1 warning

### Errors (1)

- \`google_certificate_manager_certificate_map_entry.shop\`: shop.example.com loses its entry (\`entry-deleted\`, \`infra/main.tf:7\`)
  - What to do: keep the entry
  - Run: \`terraform state show x\`

### Warnings (1)

- \`google_certificate_manager_certificate_map_entry.shop\`: shop.example.com loses its entry (\`traffic-moves\`, \`infra/dns.tf\`)
  - What to do: keep the entry
  - Run: \`terraform state show x\`

### Effect on each hostname

| Hostname | After |
| --- | --- |
| shop.example.com | a\\|b |
`);
  });

  test("fits a comment on a pull request, and counts the lines that it leaves out", () => {
    const text = markdownText({ ...nothing, findings: Array(2_000).fill(refused) });
    expect(text.length).toBeLessThan(commentLimit);
    expect(text).toMatch(/_\d{4} more lines left out: /);
  });

  test.each([
    ["a mention", "@octocat", "@<!-- -->octocat"],
    ["a link", "[x](https://evil.example)", "\\[x\\](https://evil.example)"],
    [
      "markup",
      "<img src=x> `a` *b* _c_ #1 ~d~ | $e$ &amp;",
      "\\<img src=x\\> \\`a\\` \\*b\\* \\_c\\_ \\#1 \\~d\\~ \\| \\$e\\$ \\&amp;",
    ],
    ["a control character", "a\u001b[2J", "a\\\\u\\{1b\\}\\[2J"],
  ])("takes %s in a message as text", (_, message, shown) => {
    expect(markdownText(withMessage(message))).toContain(`: ${shown} (`);
  });

  test.each([
    ["a`b``c", "``` a`b``c ```"],
    ["a|b", "`a\\|b`"],
  ])("writes the subject '%s' as code", (subject, shown) => {
    expect(markdownText({ ...nothing, findings: [{ ...refused, subject }] })).toContain(`- ${shown}: `);
  });
});
