import { groupBy } from "../../json/group-by";
import type { ProjectCertificate, ProjectInventory } from "../../project-inventory";
import { lastPart } from "../../resource-names";
import { endpointLabel } from "./describe-balancers";

/** A line of the table: a certificate at an address. */
export interface ProjectRow {
  /** Address and port. */
  readonly address: string;
  /** Resource name of the proxy, with its region. */
  readonly proxy: string;
  /** Resource name of the certificate, and for a map the hostname of the entry. */
  readonly certificate: string;
  readonly names: readonly string[];
  /** Common name or organization of the CA; `-` if the certificate is not issued. */
  readonly issuer: string;
  /** Date; `-` if the certificate is not issued. */
  readonly expires: string;
  /**
   * `private CA`: Google renews the certificate from a CA pool. `-` if the proxy has no certificate, or the certificate
   * could not be read.
   */
  readonly renewedBy: "google" | "private CA" | "you" | "-";
}

type Shown = Pick<ProjectInventory, "forwardingRules" | "proxies" | "certificates" | "maps">;

/**
 * Returns one row for each certificate of each proxy, in the order of the proxies. Addresses of one proxy share its
 * rows. A certificate in several entries of a map has one row.
 */
export function projectTable({ forwardingRules, proxies, certificates, maps }: Shown): readonly ProjectRow[] {
  const byId = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  const entries = new Map(maps.map((map) => [map.id, map.entries]));
  const rules = groupBy(forwardingRules, ({ proxyId }) => proxyId);
  return proxies.flatMap(({ id, name, region, mapId, certificateIds }) => {
    const places = (rules.get(id) ?? []).map(({ ipAddress, port }) => endpointLabel(ipAddress, port));
    const address = places.join(", ") || "-";
    const proxy = region === undefined ? name : `${name} (${region})`;
    const own =
      mapId === undefined ? certificateIds : (entries.get(mapId) ?? []).flatMap((entry) => entry.certificateIds);
    const nothing = { certificate: "-", names: [], issuer: "-", expires: "-", renewedBy: "-" as const };
    const rows = [...new Set(own)].map((certificate) => {
      const found = byId.get(certificate);
      const described = found === undefined ? { ...nothing, certificate: lastPart(certificate) } : describe(found);
      return { address, proxy, ...described };
    });
    return rows.length > 0 ? rows : [{ address, proxy, ...nothing }];
  });
}

function describe({ name, domains, issuer, notAfter, renewedBy, validation }: ProjectCertificate) {
  return {
    certificate: name,
    names: domains,
    issuer: issuer === undefined ? "-" : shortIssuer(issuer),
    expires: notAfter?.slice(0, 10) ?? "-",
    renewedBy: validation === "privateCa" ? ("private CA" as const) : renewedBy,
  };
}

/** Returns the organization and the common name of a distinguished name; the whole name if it has neither. */
function shortIssuer(issuer: string): string {
  const part = (key: string) => new RegExp(`(?:^|, )${key}=(.*?)(?=, [A-Za-z]+=|$)`).exec(issuer)?.[1];
  return [part("O"), part("CN")].filter((text) => text !== undefined).join(" ") || issuer;
}
