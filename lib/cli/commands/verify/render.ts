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
import * as load from "../../load";
import type { CheckedMigration } from "../../source";
import { safe } from "../../text";

/** Contract of `verify --json`: the results with when and what was verified. docs/json-output.md describes it. */
export interface VerifyJson extends VerifyReport {
  /** Time of the end, RFC 3339. */
  readonly time: string;
  readonly startedAt: string;
  readonly migrations: readonly CheckedMigration[];
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

export function summaryLines(report: VerifyReport): readonly string[] {
  return [
    ...report.results.map(resultLine),
    ...report.fallbacks.map(fallbackLine),
    ...report.comparisons.flatMap(comparisonLines),
    ...report.findings.map(({ severity, subject, code, message, remedy }) => {
      return `${severity}: ${subject}: ${message} - ${remedy} [${code}]`;
    }),
    ...(report.freeze === undefined ? [] : [freezeLine(report.freeze)]),
  ].map(safe);
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

const sourceWords: Readonly<Record<NonNullable<ProviderComparison["oldFrom"]>, string>> = {
  given: "as given",
  plan: "according to the plan",
  alias: "according to DNS for the plan's alias",
  dns: "according to DNS",
};

function comparisonLines(comparison: ProviderComparison): readonly string[] {
  const { hostname, old, oldFrom, furtherOld = [], new: now, furtherNew = [] } = comparison;
  const source = oldFrom === undefined ? "" : ` (${sourceWords[oldFrom]})`;
  return [
    ...(old === undefined ? [] : [`${hostname}: previous provider${source} ${capabilitiesOf(old)}`]),
    ...furtherOld.map((side) => `${hostname}: previous provider ${capabilitiesOf(side)}`),
    ...(now === undefined ? [] : [`${hostname}: load balancer ${capabilitiesOf(now)}`]),
    ...furtherNew.map((side) => `${hostname}: load balancer ${capabilitiesOf(side)}`),
  ];
}

function capabilitiesOf({ address, protocols, keyTypes, alpn, withoutSni }: TlsCapabilities): string {
  const lists = [protocols, keyTypes, alpn].map((list) => list.join(" ") || "-");
  return `at ${address}: ${lists.join(", ")}, ${withoutSni ? "serves" : "does not serve"} it without SNI`;
}

function freezeLine({ verdict, findings, asOf }: FreezeReport): string {
  if (verdict === "clear-as-of") return `freeze: clear as of ${asOf}`;
  const { isViolation } = load.audit();
  const reasons = verdict === "violations" ? findings.filter(isViolation) : findings;
  const [first] = reasons;
  const more = reasons.length > 1 ? ` and ${reasons.length - 1} more` : "";
  return `freeze: ${verdict}: ${first?.message ?? ""}${more} - see 'cert-migration audit guard'`;
}

/** Escapes text for an XML element or attribute. Characters that XML cannot represent are first written as numbers. */
function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  return safe(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

interface Case {
  readonly className: string;
  readonly name: string;
  /** Failure of the case. @default - the case passed */
  readonly failure?: { readonly type: string; readonly message: string; readonly text: string };
}

/**
 * Formats the report as JUnit XML for pipelines. Each hostname and address is a test case, and so is each finding of
 * severity `error`.
 */
export function junitXml(report: VerifyReport): string {
  const cases = casesOf(report);
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`;
  const lines = cases.map(({ className, name, failure }) => {
    const open = `<testcase classname="${xml(className)}" name="${xml(name)}"`;
    if (failure === undefined) return `    ${open}/>`;
    const { type, message, text } = failure;
    return `    ${open}><failure type="${xml(type)}" message="${xml(message)}">${xml(text)}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="cert-migration" ${counts}>`,
    `  <testsuite name="verify" ${counts}>`,
    ...lines,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function casesOf({ results, findings, freeze }: VerifyReport): readonly Case[] {
  return [
    ...results.map((result): Case => {
      const named = { className: `verify.${result.hostname}`, name: subjectOf(result) };
      return result.ok ? named : { ...named, failure: failureOf(result) };
    }),
    ...findings
      .filter(({ severity }) => severity === "error")
      .map((finding): Case => {
        const { code, subject } = finding;
        return { className: `verify.${subject}`, name: `${subject}: ${code}`, failure: failureOf(finding) };
      }),
    ...(freeze === undefined ? [] : [freezeCase(freeze)]),
  ];
}

function failureOf({ code, message, remedy }: Finding): NonNullable<Case["failure"]> {
  return { type: code, message: `${code}: ${message}`, text: remedy };
}

function freezeCase(freeze: FreezeReport): Case {
  const named = { className: "verify.freeze", name: "the freeze was kept" };
  if (freeze.verdict === "clear-as-of") return named;
  return { ...named, failure: { type: freeze.verdict, message: freezeLine(freeze), text: "" } };
}

/** GitHub shows at most ten annotations of each kind for each step. */
const mostAnnotations = 10;

export function annotationLines(report: VerifyReport): readonly string[] {
  const errors = casesOf(report).flatMap(({ name, failure }) =>
    failure === undefined ? [] : [{ title: name, message: `${failure.message} ${failure.text}`.trimEnd() }],
  );
  const warnings = report.findings
    .filter(({ severity }) => severity === "warning")
    .map(({ code, subject, message, remedy }) => ({ title: `${subject}: ${code}`, message: `${message} ${remedy}` }));
  return [...annotate("error", errors), ...annotate("warning", warnings)];
}

function annotate(
  kind: "error" | "warning",
  all: readonly { readonly title: string; readonly message: string }[],
): readonly string[] {
  const shown = all.length > mostAnnotations ? all.slice(0, mostAnnotations - 1) : all;
  const rest = all.length - shown.length;
  return [
    ...shown.map(({ title, message }) => `::${kind} title=${property(title)}::${data(message)}`),
    ...(rest === 0 ? [] : [`::${kind} title=cert-migration verify::and ${rest} more`]),
  ];
}

/** Escapes text after the second colons: percent signs and line ends are not allowed there. */
function data(text: string): string {
  return safe(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Escapes text of a property: colons and commas would also end it. */
function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
