import type { FreezeReport } from "../../../audit";
import type { Finding } from "../../../findings/finding";
import type {
  Fallback,
  ProviderComparison,
  TlsCapabilities,
  TrustedPool,
  VerifyFinding,
  VerifyResult,
} from "../../../live/verify";
import { lastPart } from "../../../resource-names";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import * as load from "../../load";
import type { FoundResult } from "../../results";
import type { CheckedMigration } from "../../source";
import { writeLine, writeSeverity } from "../../text";
import { type VerdictLine, verdictText, writeState } from "../../verdict";
import { freezeStates } from "../audit/freeze";

/** Contract of `verify --json`: the results with when and what was verified. docs/json-output.md describes it. */
export interface VerifyJson extends VerifyReport {
  /** Time of the end, RFC 3339. */
  readonly time: string;
  readonly startedAt: string;
  readonly migrations: readonly CheckedMigration[];
  /** The part of the hostnames that was verified, as in `2/10`. @default - all */
  readonly shard?: string;
  readonly ok: boolean;
}

/** Holds all results of a run; `--json` prints it unchanged. */
export interface VerifyReport {
  /** One result for each hostname, address and, if there are several, key type. */
  readonly results: readonly VerifyResult[];
  /** Certificates for clients without SNI, or with an unknown name, at each address. */
  readonly fallbacks: readonly Fallback[];
  /** Capabilities of clients at the previous provider and at the load balancer; empty without `--against`. */
  readonly comparisons: readonly ProviderComparison[];
  readonly findings: readonly VerifyFinding[];
  /**
   * Whether the certificates were compared with those of the plan, and the reason if not. `unknown` counts targets with
   * certificates whose ids are not known.
   */
  readonly exact:
    | { readonly checked: true; readonly unknown: number }
    | { readonly checked: false; readonly reason: string };
  /** CA pools whose roots were trusted, each only for its names; absent without `--trust-pool`. */
  readonly trustedPools?: readonly TrustedPool[];
  readonly freeze?: FreezeReport;
}

/** A report with its judgement. */
export interface JudgedReport extends VerifyReport {
  /** Whether the exit code is 0, apart from a freeze whose verdict is unknown. */
  readonly ok: boolean;
}

/** Prints the results, one line each; on a terminal with the state of each. */
export function printReport(report: VerifyReport, io: Pick<Io, "stdout" | "env" | "color">): void {
  for (const result of report.results) writeState(result.ok ? "done" : "failed", resultLine(result), io, "stdout");
  const facts = [...report.fallbacks.map(fallbackLine), ...report.comparisons.flatMap(comparisonLines)];
  for (const line of facts) writeLine(line, io, "stdout");
  for (const { severity, subject, code, message, remedy } of report.findings) {
    writeSeverity(severity, `: ${subject}: ${message} - ${remedy} [${code}]`, io);
  }
  if (report.freeze !== undefined)
    writeState(freezeStates[report.freeze.verdict], freezeLine(report.freeze), io, "stdout");
}

/** Returns the words for what a result is about, as in `example.com at 203.0.113.7 with rsa`. */
export function subjectOf({ hostname, address, client }: VerifyResult): string {
  return `${hostname} at ${address}${client === undefined ? "" : ` with ${client}`}`;
}

function resultLine(result: VerifyResult): string {
  const subject = subjectOf(result);
  if (!result.ok) return `${subject}: ${result.message} - ${result.remedy} [${result.code}]`;
  const { protocol, certificate, confirmed, httpStatus, planned, bad } = result;
  return [
    `${subject}: ok`,
    protocol,
    certificate.keyType,
    `until ${certificate.notAfter.slice(0, 10)}`,
    certificate.issuer,
    ...(planned === undefined ? [] : [`is ${lastPart(planned)}`]),
    ...(httpStatus === undefined ? [] : [`HTTP ${httpStatus}`]),
    ...(confirmed ? [] : ["not confirmed by the server"]),
    ...(bad === 0 ? [] : [`after ${countOf(bad, "bad handshake")}`]),
  ].join(", ");
}

const clientWords = { "no-sni": "clients without SNI", "unknown-name": "clients with an unknown name" } as const;

function fallbackLine({ address, client, certificate, detail }: Fallback): string {
  if (detail?.startsWith("stopped ")) return `${address}: what ${clientWords[client]} get is unknown: ${detail}`;
  const served =
    certificate === undefined
      ? "no certificate"
      : `the certificate for ${certificate.dnsNames.slice(0, 5).join(", ") || "no name"}`;
  return `${address}: ${clientWords[client]} get ${served}${detail === undefined ? "" : `: ${detail}`}`;
}

const sourceWords: Readonly<Record<NonNullable<ProviderComparison["previousFrom"]>, string>> = {
  given: "as given",
  plan: "according to the plan",
  alias: "according to DNS for the plan's alias",
  dns: "according to DNS",
};

function comparisonLines(comparison: ProviderComparison): readonly string[] {
  const { hostname, previous, previousFrom, furtherPrevious = [], loadBalancer, furtherLoadBalancer = [] } = comparison;
  const source = previousFrom === undefined ? "" : ` (${sourceWords[previousFrom]})`;
  return [
    ...(previous === undefined ? [] : [`${hostname}: previous provider${source} ${capabilitiesOf(previous)}`]),
    ...furtherPrevious.map((side) => `${hostname}: previous provider ${capabilitiesOf(side)}`),
    ...(loadBalancer === undefined ? [] : [`${hostname}: load balancer ${capabilitiesOf(loadBalancer)}`]),
    ...furtherLoadBalancer.map((side) => `${hostname}: load balancer ${capabilitiesOf(side)}`),
  ];
}

function capabilitiesOf({ address, protocols, keyTypes, alpn, withoutSni }: TlsCapabilities): string {
  const lists = [protocols, keyTypes, alpn].map((list) => list.join(" ") || "-");
  return `at ${address}: ${lists.join(", ")}, ${withoutSni ? "serves" : "does not serve"} it without SNI`;
}

function freezeLine(freeze: FreezeReport): string {
  if (freeze.verdict === "clear-as-of") return `freeze: clear as of ${freeze.asOf}`;
  const reasons = reasonsOf(freeze);
  const [first] = reasons;
  const more = reasons.length > 1 ? ` and ${reasons.length - 1} more` : "";
  return `freeze: ${freeze.verdict}: ${first?.message ?? ""}${more} - see 'cert-migration audit guard'`;
}

/** Returns the findings to which a verdict other than "clear" is due. */
function reasonsOf({ verdict, findings }: FreezeReport) {
  return verdict === "violations" ? findings.filter(load.audit().isViolation) : findings;
}

export function verifyVerdict({ results, freeze, ok }: JudgedReport): VerdictLine {
  const good = results.filter((result) => result.ok).length;
  return {
    state: !ok ? "failed" : freeze?.verdict === "unknown" ? "unknown" : "done",
    headline: `${good} of ${countOf(results.length, "name served as it", "names served as they")} should be`,
  };
}

/** Returns the report for the formats of other tools: a check for each hostname and address, and for the freeze. */
export function verifyResult(report: JudgedReport): FoundResult {
  const { ok, results, findings, freeze } = report;
  const served = results.map((result) => ({
    name: subjectOf(result),
    group: result.hostname,
    failure: result.ok ? undefined : failureOf(result),
  }));
  return {
    ok,
    summary: verdictText(verifyVerdict(report)),
    checks: [...served, ...(freeze === undefined ? [] : [freezeCheck(freeze)])],
    findings,
  };
}

function failureOf(result: Extract<VerifyResult, { readonly ok: false }>): Finding {
  const { code, severity, message, remedy, hostname } = result;
  return { code, severity, subject: subjectOf(result), message, remedy, hostnames: [hostname] };
}

function freezeCheck(freeze: FreezeReport) {
  const check = { name: "the freeze was kept", group: "freeze" };
  if (freeze.verdict === "clear-as-of") return check;
  const [first] = reasonsOf(freeze);
  const failure: Finding = {
    code: first?.code ?? "freeze-unknown",
    severity: "error",
    subject: "",
    message: freezeLine(freeze),
    remedy: "",
  };
  return { ...check, failure };
}
