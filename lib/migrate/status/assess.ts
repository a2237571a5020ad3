import { authorizedDomain, type SourceCertificate, type SourceMigration } from "../source";
import { assess } from "../wait";
import { type HostnameStatus, type Observed, type StepState, type StepStatus, stepNames } from "./model";

type Finding = Pick<StepStatus, "state" | "reason" | "next">;

/** Where every hostname of a migration stands, in the order of the migration. */
export function assessStatus(migration: SourceMigration, observed: Observed): readonly HostnameStatus[] {
  return hostnamesOf(migration).map(({ hostname, certificate }) => {
    const findings = [
      certificateMade(certificate, observed),
      recordPublished(hostname, certificate, migration, observed),
      certificateActive(certificate, observed),
      ...entrySteps(hostname, migration, observed),
      attached(migration, observed),
      served(hostname, migration, observed),
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
const apply = "terraform apply";

function finding(state: StepState, reason: string, next?: string): Finding {
  return { state, reason, ...(next === undefined ? {} : { next }) };
}

function liveOf(certificate: SourceCertificate | undefined, { certificates }: Observed) {
  return certificates.find(({ name }) => name === certificate?.id);
}

function certificateMade(certificate: SourceCertificate | undefined, observed: Observed): Finding {
  if (certificate?.id === undefined)
    return finding("unknown", "the certificate's id is not known", "give --project, or --outputs");
  return liveOf(certificate, observed) === undefined ? finding("todo", `there is no ${certificate.id}`, apply) : done;
}

function recordPublished(
  hostname: string,
  certificate: SourceCertificate | undefined,
  migration: SourceMigration,
  observed: Observed,
): Finding {
  if (certificate !== undefined && certificate.kind !== "managed") {
    return finding("none", "the certificate is not issued by a DNS authorization");
  }
  const domain = authorizedDomain(hostname);
  if (!migration.records.some((record) => record.domain === domain)) {
    return finding("none", "the authorization was made elsewhere, and its CNAME with it");
  }
  const check = observed.records.get(domain);
  if (check === undefined) return finding("todo", `the authorization for ${domain} is not made yet`, apply);
  if (check.verdict === "published") return done;
  const seen = check.found.length === 0 ? "" : `: ${check.found.join(", ")}`;
  const state =
    check.verdict === "record-missing" ? "todo" : check.verdict === "record-unanswered" ? "unknown" : "failed";
  return finding(state, `${check.verdict}${seen}`, check.fix);
}

function certificateActive(certificate: SourceCertificate | undefined, observed: Observed): Finding {
  const live = liveOf(certificate, observed);
  if (live === undefined) return finding("todo", "the certificate is not made yet");
  const [standing] = assess([live.name], [live]).standings;
  if (standing === undefined || standing.state === "ACTIVE") return done;
  const reason = [standing.state, ...standing.reasons].join("; ");
  return standing.state === "FAILED"
    ? finding("failed", reason, "mend the cause, raise 'generation', terraform apply")
    : finding("waiting", reason, `cert-migration wait --certificate ${live.name}`);
}

function entrySteps(hostname: string, migration: SourceMigration, observed: Observed): readonly [Finding, Finding] {
  if (migration.loadBalancer !== "globalExternal") {
    const direct = finding("none", "the certificate is attached to the proxy itself");
    return [direct, direct];
  }
  const planned = migration.entries.find((entry) => entry.hostname === hostname);
  if (planned === undefined) {
    const later = finding("todo", `phase is ${migration.phase}`, "set phase to serve, terraform apply");
    return [later, finding("todo", "the entry is not made yet")];
  }
  const live = observed.entries.find((entry) => entry.hostname === hostname);
  if (live === undefined)
    return [finding("todo", "the map has no entry for it", apply), finding("todo", "the entry is not made yet")];
  if (planned.id !== undefined && live.name !== planned.id) {
    const foreign = finding(
      "failed",
      `${live.name} has the hostname`,
      "import that entry, or delete it where nothing is served by it",
    );
    return [foreign, finding("todo", "the entry is not made yet")];
  }
  if (live.state === "ACTIVE") return [done, done];
  return [
    done,
    finding(
      "waiting",
      `${live.state}: not on every front end yet`,
      `cert-migration wait --for entries --entry ${live.name}`,
    ),
  ];
}

function attached(migration: SourceMigration, { map }: Observed): Finding {
  if (migration.loadBalancer !== "globalExternal") {
    return finding(
      "unknown",
      "Certificate Manager does not say which proxies have the certificate",
      "cert-migration verify",
    );
  }
  if (map === undefined) return finding("todo", "there is no map yet", apply);
  return map.proxies.length > 0 ? done : finding("todo", "no target proxy has the map", "attach it to a target proxy");
}

function served(hostname: string, migration: SourceMigration, observed: Observed): Finding {
  const addresses = balancerAddresses(migration, observed);
  const where = addresses.map((address) => ` --address ${address}`).join("");
  return finding("unknown", "only a handshake tells", `cert-migration verify --hostname '${hostname}'${where}`);
}

function trafficMoved(hostname: string, migration: SourceMigration, observed: Observed): Finding {
  if (hostname.startsWith("*.")) return finding("none", "a wildcard has no one address to look up");
  const own = new Set(balancerAddresses(migration, observed));
  if (own.size === 0) return finding("unknown", "the load balancer's addresses are not known", "give --outputs");
  const answer = observed.addresses.get(hostname);
  if (answer === undefined || !answer.ok) {
    return finding("unknown", `DNS did not answer (${answer?.detail ?? "not asked"})`, "ask again");
  }
  const there = answer.data.filter((address) => own.has(address)).length;
  if (there > 0 && there === answer.data.length) return done;
  const reason = answer.data.length === 0 ? "it has no address" : `it leads to ${answer.data.join(", ")}`;
  return finding(there > 0 ? "failed" : "todo", reason, "verify, then set traffic.to to loadBalancer and apply");
}

/** Where the load balancer answers: as planned, and as the map says. */
function balancerAddresses({ addresses }: SourceMigration, { map }: Pick<Observed, "map">): readonly string[] {
  return [...new Set([...addresses.ipv4, ...addresses.ipv6, ...(map?.addresses ?? [])])];
}
