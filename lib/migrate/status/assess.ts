import { commandLine } from "../command-line";
import { authorizedDomain, type SourceCertificate, type SourceMigration } from "../source";
import { assess, describeReason } from "../wait";
import { type StatusOwnCode, statusCodes } from "./codes";
import { type HostnameStatus, type Observed, type StepState, type StepStatus, stepNames } from "./model";
import type { StatusVerification } from "./verification";

type Finding = Pick<StepStatus, "state" | "code" | "reason" | "next">;

/**
 * Where every hostname of a migration stands, in the order of the migration.
 *
 * @param verification what handshakes have shown; without it the seventh step is not known
 */
export function assessStatus(
  migration: SourceMigration,
  observed: Observed,
  verification?: StatusVerification,
): readonly HostnameStatus[] {
  return hostnamesOf(migration).map(({ hostname, certificate }) => {
    const before = [
      certificateMade(certificate, observed),
      recordPublished(hostname, certificate, migration, observed),
      certificateActive(certificate, observed),
      ...entrySteps(hostname, migration, observed),
      attached(migration, observed),
    ];
    const findings = [
      ...before,
      served(hostname, migration, observed, verification, before.every(isThrough)),
      trafficMoved(hostname, migration, observed),
    ];
    const steps = findings.map((finding, index): StepStatus => {
      return { step: index + 1, name: stepNames[index] ?? stepNames[0], ...finding };
    });
    const current = steps.find(({ state }) => state !== "done" && state !== "none");
    return { migration: migration.path, hostname, steps, ...(current === undefined ? {} : { current }) };
  });
}

/** The hostnames of a migration that have an entry; where there is no map (yet), the domains of its certificates. */
export function hostnamesOf({
  entries,
  certificates,
}: SourceMigration): readonly { readonly hostname: string; readonly certificate: SourceCertificate | undefined }[] {
  const named = entries.filter(({ hostname }) => hostname !== "PRIMARY");
  if (named.length === 0) {
    return certificates.flatMap((certificate) => certificate.domains.map((hostname) => ({ hostname, certificate })));
  }
  return named.map(({ hostname, certificates: listed }) => ({
    hostname,
    certificate: certificates.find(({ name }) => name === listed[0]),
  }));
}

const done: Finding = { state: "done" };

function needless(reason: string): Finding {
  return { state: "none", reason };
}

/** @param reason what was seen; @param next where the remedy of the code can be said better */
function because(
  state: StepState,
  code: StatusOwnCode,
  reason: string,
  next: string = statusCodes[code].remedy,
): Finding {
  return { state, code, reason, next };
}

/** Whether what comes after a step can be expected to be there. */
function isThrough({ state }: Finding): boolean {
  return state === "done" || state === "none" || state === "unknown";
}

function liveOf(certificate: SourceCertificate | undefined, { certificates }: Observed) {
  return certificates.find(({ name }) => name === certificate?.id);
}

function certificateMade(certificate: SourceCertificate | undefined, observed: Observed): Finding {
  if (certificate?.id === undefined) {
    return because("unknown", "certificate-id-unknown", "the certificate's id is not known");
  }
  if (liveOf(certificate, observed) !== undefined) return done;
  return because("todo", "certificate-not-made", `there is no ${certificate.id}`);
}

function recordPublished(
  hostname: string,
  certificate: SourceCertificate | undefined,
  migration: SourceMigration,
  observed: Observed,
): Finding {
  if (certificate !== undefined && certificate.kind !== "managed") {
    return needless("the certificate is not issued by a DNS authorization");
  }
  const domain = authorizedDomain(hostname);
  if (!migration.records.some((record) => record.domain === domain)) {
    return needless("the authorization was made elsewhere, and its CNAME with it");
  }
  const check = observed.records.get(domain);
  if (check === undefined) {
    return because("todo", "authorization-not-made", `the authorization for ${domain} is not made yet`);
  }
  const { verdict, found, fix } = check;
  if (verdict === "published") return done;
  const state = verdict === "record-missing" ? "todo" : verdict === "record-unanswered" ? "unknown" : "failed";
  const reason = `${verdict}${found.length === 0 ? "" : `: ${found.join(", ")}`}`;
  return { state, code: verdict, reason, ...(fix === undefined ? {} : { next: fix }) };
}

function certificateActive(certificate: SourceCertificate | undefined, observed: Observed): Finding {
  const live = liveOf(certificate, observed);
  if (live === undefined) return because("todo", "certificate-not-made", "the certificate is not made yet");
  const [standing] = assess([live.name], [live]).standings;
  const [worst, ...others] = standing?.findings ?? [];
  if (standing === undefined || worst === undefined) return done;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const failed = standing.state === "FAILED";
  const anew = worst.code === "certificate-failed" ? "" : "; then raise 'generation' and apply";
  return {
    state: failed ? "failed" : "waiting",
    code: worst.code,
    reason: `${standing.state}: ${describeReason(worst)}${more}`,
    next: failed
      ? `${worst.remedy}${anew}`
      : worst.severity === "error"
        ? worst.remedy
        : `cert-migration wait --certificate ${live.name}`,
  };
}

function entrySteps(hostname: string, migration: SourceMigration, observed: Observed): readonly [Finding, Finding] {
  if (migration.loadBalancer !== "globalExternal") {
    const direct = needless("the certificate is attached to the proxy itself");
    return [direct, direct];
  }
  const notMade = because("todo", "entry-not-made", "the entry is not made yet");
  const planned = migration.entries.find((entry) => entry.hostname === hostname);
  if (planned === undefined) return [because("todo", "phase-issue", `phase is ${migration.phase}`), notMade];
  const live = observed.entries.find((entry) => entry.hostname === hostname);
  if (live === undefined) return [because("todo", "entry-not-made", "the map has no entry for it"), notMade];
  if (planned.id !== undefined && live.name !== planned.id) {
    return [because("failed", "entry-foreign", `${live.name} has the hostname`), notMade];
  }
  const wanted = planned.certificates.map((listed) => {
    return (
      migration.certificates.find(({ name }) => name === listed)?.id ?? (listed.includes("/") ? listed : undefined)
    );
  });
  const has = live.certificates.map(withoutProject);
  if (wanted.every((id) => id !== undefined && !has.includes(withoutProject(id)))) {
    const other = because(
      "todo",
      "entry-other-certificate",
      `the entry names ${live.certificates.join(", ") || "none"}`,
    );
    return [other, because("todo", "entry-other-certificate", "the entry does not name its certificate yet")];
  }
  if (live.state === "ACTIVE") return [done, done];
  const next = `cert-migration wait --for entries --entry ${live.name}`;
  return [done, { state: "waiting", code: "entry-pending", reason: `${live.state}: not on every front end yet`, next }];
}

/** Projects have a number beside their id, and the service may say either. */
function withoutProject(name: string): string {
  return name.replace(/^.*?projects\/[^/]+\//, "");
}

function attached(migration: SourceMigration, { map }: Observed): Finding {
  if (migration.loadBalancer !== "globalExternal") {
    return because(
      "unknown",
      "attachment-unseen",
      "Certificate Manager does not say which proxies have the certificate",
    );
  }
  if (map === undefined) return because("todo", "map-not-made", "there is no map yet");
  if (map.proxies.length === 0) return because("todo", "map-not-attached", "no target proxy has the map");
  const has = map.proxies.map(withoutProject);
  const without = migration.proxies.flatMap(({ id }) =>
    id === undefined || has.includes(withoutProject(id)) ? [] : [id],
  );
  if (without.length === 0) return done;
  return because("todo", "map-not-attached", `the map is not attached to ${without.join(", ")}`);
}

function served(
  hostname: string,
  migration: SourceMigration,
  observed: Observed,
  verification: StatusVerification | undefined,
  isExpected: boolean,
): Finding {
  const addresses = balancerAddresses(migration, observed);
  const verify = (where: readonly string[]) =>
    commandLine("cert-migration", "verify", "--hostname", hostname, ...where.flatMap((one) => ["--address", one]));
  if (verification === undefined) {
    return because("unknown", "not-verified", "only a handshake tells", verify(addresses));
  }
  const results = verification.results.filter((result) => result.hostname === hostname);
  const bad = results.find(({ ok }) => !ok);
  if (bad !== undefined) {
    const { code = "not-verified", address, detail, remedy = verify([address]) } = bad;
    const reason = `${code} at ${address}${detail === undefined ? "" : ` (${detail})`}`;
    // Before the map is attached nothing else can be expected.
    return { state: isExpected ? "failed" : "todo", code, reason, next: remedy };
  }
  const { updateTime } = observed.entries.find((entry) => entry.hostname === hostname) ?? {};
  if (results.length > 0 && verification.time !== undefined && updateTime !== undefined) {
    const verifiedAt = verification.time.toISOString();
    if (verifiedAt < updateTime) {
      const reason = `verified at ${verifiedAt}, and the entry was changed at ${updateTime}`;
      return because("unknown", "verification-outdated", reason, verify(addresses));
    }
  }
  const unseen = addresses.filter((address) => !results.some((result) => result.address === address));
  if (results.length === 0) return because("unknown", "not-verified", "nobody has verified it", verify(addresses));
  if (unseen.length === 0) return done;
  return because("unknown", "not-verified-everywhere", `not verified at ${unseen.join(", ")}`, verify(unseen));
}

function trafficMoved(hostname: string, migration: SourceMigration, observed: Observed): Finding {
  if (hostname.startsWith("*.")) return needless("a wildcard has no one address to look up");
  const own = new Set(balancerAddresses(migration, observed));
  if (own.size === 0) return because("unknown", "addresses-unknown", "the load balancer's addresses are not known");
  const answer = observed.addresses.get(hostname);
  if (answer === undefined || !answer.ok) {
    return because("unknown", "address-unanswered", `DNS did not answer (${answer?.detail ?? "not asked"})`);
  }
  const there = answer.data.filter((address) => own.has(address)).length;
  if (there > 0 && there === answer.data.length) return done;
  if (answer.data.length === 0) return because("todo", "address-missing", "it has no address");
  const reason = `it leads to ${answer.data.join(", ")}`;
  return there > 0 ? because("failed", "traffic-split", reason) : because("todo", "traffic-elsewhere", reason);
}

/** Where the load balancer answers: as planned, and as the map says. */
export function balancerAddresses({ addresses }: SourceMigration, { map }: Pick<Observed, "map">): readonly string[] {
  return [...new Set([...addresses.ipv4, ...addresses.ipv6, ...(map?.addresses ?? [])])];
}
