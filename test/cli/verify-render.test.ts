import { printReport, type VerifyReport } from "../../lib/cli/commands/verify/render";
import type { VerifyFailure } from "../../lib/live/verify";
import { testIo } from "../support/io";

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

function printed(report: VerifyReport): string {
  const io = testIo();
  printReport(report, io);
  return io.out();
}

test("lines for a terminal contain no control characters", () => {
  expect(printed(reportOf([failure("\u001b[2Jgone")]))).toBe(
    "example.com at 2001:db8::7: \\u{1b}[2Jgone - look at it [handshake-failed]\n",
  );
});

test.each([
  ["handshake-refused (alert 40)", "192.0.2.7: clients without SNI get no certificate: handshake-refused (alert 40)"],
  [
    "stopped (the run was stopped)",
    "192.0.2.7: what clients without SNI get is unknown: stopped (the run was stopped)",
  ],
])("reports clients refused for an address that failed with '%s' only if a client was refused", (detail, line) => {
  const fallback = { address: "192.0.2.7", client: "no-sni", detail } as const;
  expect(printed({ ...reportOf([]), fallbacks: [fallback] })).toBe(`${line}\n`);
});
