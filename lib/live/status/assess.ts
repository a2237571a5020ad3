import type { LiveCertificate, LiveEntry } from "../../google";
import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import { traitsOf } from "../../plan";
import { withoutProject } from "../../resource-names";
import {
  authorizedDomain,
  isCertificateId,
  type SourceCertificate,
  type SourceEntry,
  type SourceMigration,
} from "../../source";
import { commandLine } from "../../text/command-line";
import type { RecordCheck } from "../records";
import { assess } from "../wait";
import { type StatusOwnCode, statusCodes } from "./codes";
import { type HostnameStatus, type Observed, type StepState, type StepStatus, stepNames } from "./model";
import { certificateReason, recordReason, servingReason } from "./reasons";
import type { StatusVerification, VerifiedServing } from "./verification";

/** What a step shows beside its number and name. */
type Finding = Pick<StepStatus, "state" | "code" | "reason" | "next">;

/**
 * Returns the status of every hostname of a migration, in the migration's order.
 *
 * @param verification results of handshakes; without them, step 7 is unknown
 */
export function assessStatus(
  migration: SourceMigration,
  observed: Observed,
  verification?: StatusVerification,
): readonly HostnameStatus[] {
  return [...eachStatus(migration, observed, verification)];
}

/** Returns the same one after the other: the statuses of 20,000 hostnames take much memory. */
export function* eachStatus(
  migration: SourceMigration,
  observed: Observed,
  verification?: StatusVerification,
): Generator<HostnameStatus> {
  const index = indexOf(migration, observed, verification);
  const addresses = balancerAddresses(migration, observed);
  for (const { hostname, certificate } of hostnamesOf(migration)) {
    const before = [
      certificateMade(certificate, index),
      recordPublished(hostname, certificate, observed, index),
      certificateActive(certificate, index),
      ...entrySteps(hostname, migration, index),
      attached(migration, observed),
    ];
    const findings = [
      ...before,
      served(hostname, addresses, verification, before.every(isThrough), index),
      migration.servingProxies === undefined
        ? trafficMoved(hostname, addresses, observed)
        : needless("The load balancer serves the hostname already, and its addresses stay."),
    ];
    const steps = findings.map((finding, index): StepStatus => {
      return { step: index + 1, name: stepNames[index] ?? stepNames[0], ...finding };
    });
    const current = steps.find(({ state }) => state !== "done" && state !== "none");
    yield { migration: migration.path, hostname, steps, ...defined({ current }) };
  }
}

/** A hostname that a migration serves. */
export interface ServedHostname {
  readonly hostname: string;
  /** The first certificate of its entry. */
  readonly certificate: SourceCertificate | undefined;
  /** Ids of all certificates of its entry, in their order: clients get one by its key type. */
  readonly certificateIds: readonly (string | undefined)[];
}

/** Returns the hostnames of a migration that have an entry. Without a map, returns the domains of its certificates. */
export function hostnamesOf({ entries, certificates }: SourceMigration): readonly ServedHostname[] {
  const named = entries.filter(({ hostname }) => hostname !== "PRIMARY");
  if (named.length === 0) {
    return certificates.flatMap((certificate) =>
      certificate.domains.map((hostname) => ({ hostname, certificate, certificateIds: [certificate.id] })),
    );
  }
  const certificateOf = new Map(certificates.map((certificate) => [certificate.name, certificate]));
  const idOf = (name: string) => certificateOf.get(name)?.id ?? (isCertificateId(name) ? name : undefined);
  return named.map((entry) => ({
    hostname: entry.hostname,
    certificate: certificateOf.get(entry.certificates[0] ?? ""),
    certificateIds: entry.certificates.map(idOf),
  }));
}

/** Data by hostname, because there may be ten thousand hostnames. */
interface Index {
  readonly certificates: ReadonlyMap<string, SourceCertificate>;
  readonly entries: ReadonlyMap<string, SourceEntry>;
  /** Domains that have an authorization record in the migration. */
  readonly proved: ReadonlySet<string>;
  readonly liveCertificates: ReadonlyMap<string, LiveCertificate>;
  readonly liveEntries: ReadonlyMap<string, LiveEntry>;
  readonly verified: ReadonlyMap<string, readonly VerifiedServing[]>;
}

function indexOf(
  { certificates, entries, records }: SourceMigration,
  observed: Observed,
  verification: StatusVerification | undefined,
): Index {
  return {
    certificates: new Map(certificates.map((certificate) => [certificate.name, certificate])),
    entries: new Map(entries.map((entry) => [entry.hostname, entry])),
    proved: new Set(records.map(({ domain }) => domain)),
    liveCertificates: new Map(observed.certificates.map((certificate) => [certificate.name, certificate])),
    liveEntries: new Map(observed.entries.map((entry) => [entry.hostname, entry])),
    verified: groupBy(verification?.results ?? [], ({ hostname }) => hostname),
  };
}

const done: Finding = { state: "done" };

function needless(reason: string): Finding {
  return { state: "none", reason };
}

/** @param next a remedy that is more specific than the remedy of the code */
function because(
  state: StepState,
  code: StatusOwnCode,
  reason: string,
  next: string = statusCodes[code].remedy,
): Finding {
  return { state, code, reason, next };
}

function todo(code: StatusOwnCode, reason: string): Finding {
  return because("todo", code, reason);
}

/** Reports whether the step is complete, so that the results of the next step can be expected. */
function isThrough({ state }: Finding): boolean {
  return state === "done" || state === "none" || state === "unknown";
}

function certificateMade(certificate: SourceCertificate | undefined, { liveCertificates }: Index): Finding {
  if (certificate?.id === undefined) {
    return because("unknown", "certificate-id-unknown", "The certificate's id is not known.");
  }
  if (liveCertificates.has(certificate.id)) return done;
  return todo("certificate-not-made", `The certificate ${certificate.id} does not exist yet.`);
}

function recordPublished(
  hostname: string,
  certificate: SourceCertificate | undefined,
  observed: Observed,
  { proved }: Index,
): Finding {
  if (certificate !== undefined && certificate.kind !== "managed") {
    return needless("The certificate is not issued by a DNS authorization.");
  }
  const domain = authorizedDomain(hostname);
  if (!proved.has(domain)) {
    return needless("The authorization was made elsewhere, and its CNAME with it.");
  }
  const check = observed.records.get(domain);
  if (check === undefined) {
    return todo("authorization-not-made", `The authorization for ${domain} does not exist yet.`);
  }
  return check === "published" ? done : recordStanding(check);
}

/** Returns the standing of a CNAME record that is not published as it should be. */
export function recordStanding(check: RecordCheck): Finding {
  const { verdict, fix } = check;
  const isMissing = verdict === "record-missing" || verdict === "record-under-wildcard";
  const state = isMissing ? "todo" : verdict === "record-unanswered" ? "unknown" : "failed";
  return { state, code: verdict, reason: recordReason(check), ...defined({ next: fix }) };
}

function certificateActive(certificate: SourceCertificate | undefined, { liveCertificates }: Index): Finding {
  const live = liveCertificates.get(certificate?.id ?? "");
  if (live === undefined) return todo("certificate-not-made", "The certificate does not exist yet.");
  const [standing] = assess([live.name], [live]).resources;
  const [worst] = standing?.findings ?? [];
  if (standing === undefined || worst === undefined) return done;
  const failed = standing.state === "FAILED";
  const nextStep = worst.code === "certificate-failed" ? "" : "; then raise 'generation' and apply";
  return {
    state: failed ? "failed" : "waiting",
    code: worst.code,
    reason: certificateReason(standing),
    next: failed
      ? `${worst.remedy}${nextStep}`
      : worst.severity === "error"
        ? worst.remedy
        : `cert-migration wait --certificate ${live.name}`,
  };
}

function entrySteps(
  hostname: string,
  migration: SourceMigration,
  { certificates, entries, liveEntries }: Index,
): readonly [Finding, Finding] {
  if (traitsOf(migration.loadBalancer).presents === "certificates") {
    const direct = needless("The certificate is attached to the proxy itself.");
    return [direct, direct];
  }
  const notMade = todo("entry-not-made", "The map entry does not exist yet.");
  const planned = entries.get(hostname);
  if (planned === undefined) {
    const reason = `The migration is in phase "${migration.phase}", which makes no map entries.`;
    return [todo("phase-issue", reason), notMade];
  }
  const live = liveEntries.get(hostname);
  if (live === undefined) return [todo("entry-not-made", "The map has no entry for the hostname."), notMade];
  if (planned.id !== undefined && live.name !== planned.id) {
    const reason = `The entry ${live.name} has the hostname, and this migration has not made it.`;
    return [because("failed", "entry-foreign", reason), notMade];
  }
  const wanted = planned.certificates.map(
    (listed) => certificates.get(listed)?.id ?? (listed.includes("/") ? listed : undefined),
  );
  const has = live.certificates.map(withoutProject);
  if (wanted.every((id) => id !== undefined && !has.includes(withoutProject(id)))) {
    const reason = `The entry names ${live.certificates.join(", ") || "no certificate"} instead of its certificate.`;
    return [
      todo("entry-other-certificate", reason),
      todo("entry-other-certificate", "The entry does not name its certificate yet."),
    ];
  }
  if (live.state === "ACTIVE") return [done, done];
  const reason = `The entry is ${live.state}: not every front end has it yet.`;
  const next = `cert-migration wait --for entries --entry ${live.name}`;
  return [done, { state: "waiting", code: "entry-pending", reason, next }];
}

function attached(migration: SourceMigration, { map }: Observed): Finding {
  if (traitsOf(migration.loadBalancer).presents === "certificates") {
    return because("unknown", "attachment-unseen", "Certificate Manager does not list the proxies of the certificate.");
  }
  if (map === undefined) return todo("map-not-made", "The certificate map does not exist yet.");
  if (map.proxies.length === 0) return todo("map-not-attached", "No target proxy has the certificate map.");
  const has = map.proxies.map(withoutProject);
  const wanted = [...migration.proxies, ...(migration.servingProxies ?? [])].flatMap(({ id }) => id ?? []);
  const without = [...new Set(wanted)].filter((id) => !has.includes(withoutProject(id)));
  if (without.length === 0) return done;
  return todo("map-not-attached", `The certificate map is not attached to ${without.join(", ")}.`);
}

function served(
  hostname: string,
  addresses: readonly string[],
  verification: StatusVerification | undefined,
  isExpected: boolean,
  { verified, liveEntries }: Index,
): Finding {
  const verify = (where: readonly string[]) =>
    commandLine(
      "cert-migration",
      "verify",
      "--hostname",
      hostname,
      ...where.flatMap((address) => ["--address", address]),
    );
  if (verification === undefined) {
    const reason = "Only a handshake shows whether the hostname is served.";
    return because("unknown", "not-verified", reason, verify(addresses));
  }
  // Another migration may have the hostname too, at another load balancer.
  const results = (verified.get(hostname) ?? []).filter(
    ({ address }) => addresses.length === 0 || addresses.includes(address),
  );
  const bad = results.find(({ ok }) => !ok);
  if (bad !== undefined) {
    const { code = "not-verified", address, remedy = verify([address]) } = bad;
    // Before the map is attached, the hostname cannot be served.
    return { state: isExpected ? "failed" : "todo", code, reason: servingReason(bad), next: remedy };
  }
  const { updateTime } = liveEntries.get(hostname) ?? {};
  if (results.length > 0 && verification.time !== undefined && updateTime !== undefined) {
    const verifiedAt = verification.time.toISOString();
    if (verifiedAt < updateTime) {
      const reason = `The hostname was verified at ${verifiedAt}, and the entry was changed at ${updateTime}.`;
      return because("unknown", "verification-outdated", reason, verify(addresses));
    }
  }
  const unseen = addresses.filter((address) => !results.some((result) => result.address === address));
  if (results.length === 0)
    return because("unknown", "not-verified", "The hostname has not been verified.", verify(addresses));
  if (unseen.length === 0) return done;
  const reason = `The hostname has not been verified at ${unseen.join(", ")}.`;
  return because("unknown", "not-verified-everywhere", reason, verify(unseen));
}

function trafficMoved(hostname: string, addresses: readonly string[], observed: Observed): Finding {
  if (hostname.startsWith("*.")) return needless("A wildcard has no address of its own to look up.");
  const expected = new Set(addresses);
  if (expected.size === 0)
    return because("unknown", "addresses-unknown", "The addresses of the load balancer are not known.");
  const answer = observed.addresses.get(hostname);
  if (answer === undefined || !answer.ok) {
    const reason = `DNS did not answer for the hostname (${answer?.detail ?? "not asked"}).`;
    return because("unknown", "address-unanswered", reason);
  }
  const matchCount = answer.data.filter((address) => expected.has(address)).length;
  if (matchCount > 0 && matchCount === answer.data.length) return done;
  if (answer.data.length === 0) return todo("address-missing", "The hostname has no address.");
  const led = answer.data.join(", ");
  return matchCount > 0
    ? because("failed", "traffic-split", `The hostname leads to the load balancer and elsewhere at once: ${led}.`)
    : todo("traffic-elsewhere", `The hostname leads to ${led}, and not to the load balancer.`);
}

/** Returns the addresses of the load balancer, from the plan and from the map. */
export function balancerAddresses({ addresses }: SourceMigration, { map }: Pick<Observed, "map">): readonly string[] {
  return [...new Set([...addresses.ipv4, ...addresses.ipv6, ...(map?.addresses ?? [])])];
}
