import { checks, type MigrationSpec, planMigration } from "../../lib/plan";
import messages from "../fixtures/checks/messages.json";
import { checkCases } from "./check-cases";

const now = new Date("2026-11-21T00:00:00Z");
/** Checks that look at proxies of the app, which only the constructs know. */
const ofAppProxies = ["proxy-holds-other-map", "proxy-in-other-stack", "proxy-kind-mismatch"];

const codesOf = (spec: MigrationSpec) => planMigration(spec, { now }).findings.map(({ code }) => code);

test("every check has a case", () => {
  const tested = [...checkCases.map(({ code }) => code), ...ofAppProxies].sort();
  expect(tested).toEqual(Object.keys(checks).sort());
});

describe.each(checkCases)("$code", ({ code, refused, accepted }) => {
  test("is found, and said so that it can be mended", () => {
    const found = planMigration(refused, { now }).findings.find((finding) => finding.code === code);
    expect(found?.severity).toBe(checks[code].severity);
    expect(found?.message).toBe((messages as Record<string, string>)[code]);
  });

  test("is not found in the closest spec that is right", () => {
    expect(codesOf(accepted)).not.toContain(code);
    const errors = planMigration(accepted, { now }).findings.filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
  });
});

test("all mistakes are told at once, errors first", () => {
  const codes = codesOf({
    name: "shop",
    certificates: [{ domains: ["localhost", "example.com"] }, { name: "B", domains: ["example.com"] }],
    dns: { kind: "cloudDns", zones: { "example.com": "com", "example.net": "net" } },
    labels: { Team: "web" },
  });
  expect(codes).toEqual([
    "hostname-in-two-certificates",
    "hostname-not-public",
    "label-key-invalid",
    "name-invalid",
    "zone-unused",
  ]);
});
