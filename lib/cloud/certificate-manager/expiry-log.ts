import { locationIn, projectIn, writeProject } from "../../resource-names";
import type { LogEntries } from "../log-entries";
import { projectNumberOf } from "../projects";
import type { Clock, Collection } from "../state";
import type { CertificateResource } from "./certificates";

const dayMs = 24 * 3_600_000;
/** Days before its end from which an uploaded certificate is logged; for managed ones 5 to 10, by their lifetime. */
const leastDays = 5;
const mostDays = 10;

type ExpiryState = "CLOSE_TO_EXPIRY" | "EXPIRED";

/**
 * Writes the log `certificatemanager.googleapis.com/certificates_expiry` once a day: an entry for each project,
 * location and state with the certificates that are near their end or have expired.
 *
 * @see https://cloud.google.com/certificate-manager/docs/logs-metrics
 */
export function keepExpiryLog(clock: Clock, certificates: Collection<CertificateResource>, log: LogEntries): void {
  const write = () => {
    clock.after(dayMs, write);
    const now = clock.now().getTime();
    const groups = new Map<string, { readonly state: ExpiryState; readonly found: CertificateResource[] }>();
    for (const certificate of certificates.values()) {
      const state = stateAt(certificate, now);
      if (state === undefined) continue;
      const place = certificate.name.split("/certificates/")[0] ?? "";
      const key = `${place} ${state}`;
      const group = groups.get(key) ?? { state, found: [] };
      group.found.push(certificate);
      groups.set(key, group);
    }
    for (const { state, found } of groups.values()) log.write(entryOf(state, found));
  };
  clock.after(dayMs, write);
}

function stateAt({ expireTime, managed }: CertificateResource, now: number): ExpiryState | undefined {
  if (expireTime === undefined) return undefined;
  const leftMs = Date.parse(expireTime) - now;
  if (leftMs <= 0) return "EXPIRED";
  // Certificates with an issuance config last 21 to 30 days, so they are renewed later than 10 days before their end.
  const days = managed?.issuanceConfig === undefined ? mostDays : leastDays;
  return leftMs <= days * dayMs ? "CLOSE_TO_EXPIRY" : undefined;
}

/** Names of certificates in one entry; further ones are only counted, as the service samples them. */
const mostNames = 100;

function entryOf(state: ExpiryState, found: readonly CertificateResource[]) {
  const [first] = found;
  const project = projectIn(first?.name ?? "") ?? "";
  const ends = found.map(({ expireTime = "" }) => expireTime).sort();
  return {
    logName: `${writeProject(project)}/logs/${encodeURIComponent("certificatemanager.googleapis.com/certificates_expiry")}`,
    resource: {
      type: "certificatemanager.googleapis.com/Project",
      labels: {
        resource_container: writeProject(projectNumberOf(project)),
        location: locationIn(first?.name ?? "") ?? "",
      },
    },
    severity: state === "EXPIRED" ? "ERROR" : "WARNING",
    jsonPayload: {
      "@type": "type.googleapis.com/google.cloud.certificatemanager.logging.v1.CertificatesExpiry",
      state,
      count: String(found.length),
      certificates: found.slice(0, mostNames).map(({ name }) => name),
      expireTime: ends[0],
    },
  };
}
