import { createHash } from "node:crypto";
import type { MigrationSpec } from "../../../lib/plan";
import type { StackJson } from "../../../lib/rehearsal/stack";
import { rehearsalLoadBalancerAddress as newAddress } from "../../../lib/rehearsed";

/**
 * Returns a managed migration as the reference pages of the resources suggest: all resources at once, no gate, and
 * `create_before_destroy` only where Terraform requires it.
 *
 * @param spec complete, with zones by name and current addresses as A records
 */
export function plainStackOf(spec: MigrationSpec, project: string): StackJson {
  const { certificates, phase, traffic, dns } = spec;
  const zones = dns.kind === "cloudDns" ? dns.zones : {};
  const zoneOf = (name: string) => {
    const suffix = Object.keys(zones).filter((zone) => name === zone || name.endsWith(`.${zone}`));
    const zone = zones[suffix.sort((one, other) => other.length - one.length)[0] ?? ""];
    return typeof zone === "string" ? { managed_zone: zone } : { managed_zone: zone?.name, project: zone?.project };
  };
  const domains = certificates.map((certificate) => certificate.domains ?? []);
  const bases = [...new Set(domains.flat().map((domain) => domain.replace(/^\*\./, "")))];
  const hosts = traffic === undefined ? [] : Object.entries(traffic.previous);
  const records = Object.fromEntries(
    hosts.flatMap(([host, previous]) => {
      const rrdatas = traffic?.to === "loadBalancer" ? [newAddress] : "a" in previous ? (previous.a ?? []) : [];
      const block = { ...zoneOf(host), name: `${host}.`, type: "A", ttl: traffic?.ttlSeconds ?? 60, rrdatas };
      return [[`traffic-${label(host)}`, block]];
    }),
  );
  return {
    terraform: { required_providers: { google: { source: "google", version: "6.50.0" } } },
    provider: { google: [{ project }] },
    import: hosts.map(([host]) => ({
      id: `${zoneOf(host).project ?? project}/${zoneOf(host).managed_zone}/${host}./A`,
      to: `google_dns_record_set.traffic-${label(host)}`,
    })),
    resource: {
      google_certificate_manager_dns_authorization: blocks(bases, (base) => ({ name: label(base), domain: base })),
      google_dns_record_set: {
        ...records,
        ...Object.fromEntries(
          bases.map((base) => [
            `proof-${label(base)}`,
            {
              ...zoneOf(base),
              name: `\${${authorizationOf(base)}.dns_resource_record[0].name}`,
              type: "CNAME",
              ttl: 300,
              rrdatas: [`\${${authorizationOf(base)}.dns_resource_record[0].data}`],
            },
          ]),
        ),
      },
      google_certificate_manager_certificate: certificatesOf(domains),
      ...(phase === "issue" ? {} : frontOf(domains)),
    },
  };
}

/** Returns the address of the authorization of a domain. */
function authorizationOf(base: string): string {
  return `google_certificate_manager_dns_authorization.${label(base)}`;
}

function certificatesOf(domains: readonly (readonly string[])[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    domains.map((names, index) => [
      `certificate-${index}`,
      {
        name: `certificate-${index}-${createHash("sha256").update(names.join()).digest("hex").slice(0, 8)}`,
        managed: {
          domains: names,
          dns_authorizations: [...new Set(names.map((name) => name.replace(/^\*\./, "")))].map(
            (base) => `\${${authorizationOf(base)}.id}`,
          ),
        },
        lifecycle: { create_before_destroy: true },
      },
    ]),
  );
}

function frontOf(domains: readonly (readonly string[])[]): Readonly<Record<string, unknown>> {
  const entries = domains.flatMap((names, index) => names.map((name) => ({ name, index })));
  return {
    google_certificate_manager_certificate_map: { map: { name: "map" } },
    google_certificate_manager_certificate_map_entry: Object.fromEntries(
      entries.map(({ name, index }) => [
        label(name),
        {
          name: label(name),
          map: "${google_certificate_manager_certificate_map.map.name}",
          hostname: name,
          certificates: [`\${google_certificate_manager_certificate.certificate-${index}.id}`],
        },
      ]),
    ),
    google_compute_target_https_proxy: {
      proxy: {
        name: "proxy",
        url_map: "rehearsal",
        certificate_map: "//certificatemanager.googleapis.com/${google_certificate_manager_certificate_map.map.id}",
      },
    },
    google_compute_global_forwarding_rule: {
      rule: {
        name: "rule",
        ip_address: newAddress,
        ip_protocol: "TCP",
        port_range: "443",
        load_balancing_scheme: "EXTERNAL_MANAGED",
        target: "${google_compute_target_https_proxy.proxy.id}",
      },
    },
  };
}

/** Returns a name for resources, unique for each domain of the scenarios. */
function label(domain: string): string {
  return `n-${domain.replace(/^\*/, "any").replace(/\./g, "-")}`;
}

function blocks(names: readonly string[], blockOf: (name: string) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [label(name), blockOf(name)]));
}
