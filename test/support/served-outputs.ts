import { parent } from "./cloud";

interface Served {
  /** Id of the certificate of example.com. */
  readonly certificate: string;
  /** Address of the load balancer. */
  readonly address: string;
  /** Data of the CNAME of the authorization; undefined if the migration has no record. */
  readonly data?: string | undefined;
  /** @default "shop" */
  readonly path?: string;
}

/** Returns what `terraform output -json` prints for a migration with one hostname whose steps are all done. */
export function servedOutputs({ certificate, address, data, path = "shop" }: Served) {
  const record = { domain: "example.com", name: "_acme-challenge.example.com.", type: "CNAME", published: "cloudDns" };
  const migration = {
    name: path,
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    addresses: { ipv4: [address], ipv6: [] },
    authorizations: [{ domain: "example.com", id: `${parent}/dnsAuthorizations/example-com` }],
    certificates: [
      {
        name: "shop",
        id: certificate,
        kind: "managed",
        domains: ["example.com"],
        location: "global",
        scope: "DEFAULT",
      },
    ],
    entries: [
      {
        hostname: "example.com",
        id: `${parent}/certificateMaps/shop/certificateMapEntries/e0`,
        certificates: [certificate],
      },
    ],
    map: `${parent}/certificateMaps/shop`,
    proxies: ["projects/p1/global/targetHttpsProxies/shop"],
    records: data === undefined ? [] : [{ ...record, data }],
  };
  return { cert_migration: { value: { version: 1, migrations: { [path]: migration } } } };
}
