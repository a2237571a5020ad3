import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCloud } from "../lib/cloud";
import { groupBy } from "../lib/json/group-by";

/** Where the command finds the cloud, and what it monitors. */
export interface MonitoredCloud {
  readonly endpoint: string;
  readonly dnsServer: string;
  /** URL from which the command takes the load balancer's listening address on this machine. */
  readonly control: string;
}

interface AuthorizationRecord {
  readonly name: string;
  readonly data: string;
}

const project = "projects/p1";
const parent = `${project}/locations/global`;
const compute = `compute/v1/${project}/global`;
const zone = `dns/v1/${project}/managedZones`;
const map = `${parent}/certificateMaps/bench`;
const atTheSameTime = 16;
const recordsPerChange = 500;
const hostnamesPerCertificate = 10;

/**
 * Runs a cloud in which a migration of a number of hostnames has ended, and writes its outputs to a
 * folder. Prints a `MonitoredCloud`, and ends when its standard input ends.
 */
async function main(): Promise<void> {
  const [folder = "", count = ""] = process.argv.slice(2);
  const cloud = await startCloud({ behavior: { operationMs: 0, propagationMs: 0 } });
  const { http, dns, control } = cloud.endpoints;
  const call = async (httpMethod: string, path: string, body?: object) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(new URL(path, http), { method: httpMethod, ...given });
    if (!response.ok) throw new Error(`${httpMethod} ${path}: ${await response.text()}`);
    return response.json() as Promise<{ readonly dnsResourceRecord?: AuthorizationRecord }>;
  };
  const hosts = Array.from({ length: Number(count) }, (_, index) => `h${index}`);
  const forAll = async <Item>(items: readonly Item[], make: (item: Item) => Promise<unknown>) => {
    const left = items.values();
    const work = async () => {
      for (const item of left) await make(item);
    };
    await Promise.all(Array.from({ length: atTheSameTime }, work));
  };

  await call("POST", `v1/${parent}/certificateMaps?certificateMapId=bench`, {});
  await call("POST", `${compute}/urlMaps`, {
    name: "bench",
    defaultUrlRedirect: { httpsRedirect: true, stripQuery: false },
  });
  await call("POST", `${compute}/targetHttpsProxies`, {
    name: "bench",
    urlMap: `${project}/global/urlMaps/bench`,
    certificateMap: `//certificatemanager.googleapis.com/${map}`,
  });
  await call("POST", `${compute}/forwardingRules`, {
    name: "bench",
    target: `${project}/global/targetHttpsProxies/bench`,
    portRange: "443",
    loadBalancingScheme: "EXTERNAL_MANAGED",
  });
  await cloud.loadBalancers.settle();
  const [{ ipAddress: address } = { ipAddress: "" }] = cloud.loadBalancers.listeners();

  await call("POST", zone, { name: "bench", dnsName: "bench.example.com.", description: "" });
  const records = new Map<string, AuthorizationRecord>();
  await forAll(hosts, async (host) => {
    const domain = `${host}.bench.example.com`;
    await call("POST", `v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${host}`, { domain });
    const { dnsResourceRecord } = await call("GET", `v1/${parent}/dnsAuthorizations/${host}`);
    if (dnsResourceRecord !== undefined) records.set(host, dnsResourceRecord);
  });
  const additions = [...records].flatMap(([host, { name, data }]) => [
    { name, type: "CNAME", ttl: 300, rrdatas: [data] },
    { name: `${host}.bench.example.com.`, type: "A", ttl: 300, rrdatas: [address] },
  ]);
  for (let from = 0; from < additions.length; from += recordsPerChange) {
    await call("POST", `${zone}/bench/changes`, { additions: additions.slice(from, from + recordsPerChange) });
  }
  await forAll(groupsOf(hosts), ({ name, members }) =>
    call("POST", `v1/${parent}/certificates?certificateId=${name}`, {
      managed: {
        domains: members.map((host) => `${host}.bench.example.com`),
        dnsAuthorizations: members.map((host) => `${parent}/dnsAuthorizations/${host}`),
      },
    }),
  );
  await forAll(hosts, (host) =>
    call("POST", `v1/${map}/certificateMapEntries?certificateMapEntryId=${host}`, {
      hostname: `${host}.bench.example.com`,
      certificates: [certificateOf(host)],
    }),
  );
  await cloud.clock.advance(3_600_000);
  await cloud.loadBalancers.settle();

  writeFileSync(join(folder, "outputs.json"), JSON.stringify(outputsFor(records, address)));
  const monitored: MonitoredCloud = { endpoint: http, dnsServer: dns, control };
  process.stdout.write(`${JSON.stringify(monitored)}\n`);
  process.stdin.resume().once("end", () => process.exit(0));
}

/** Returns groups of hosts that share a certificate, because the cloud makes a key for each certificate. */
function groupsOf(hosts: readonly string[]): readonly { readonly name: string; readonly members: readonly string[] }[] {
  return [...groupBy(hosts, nameOf)].map(([name, members]) => ({ name, members }));
}

function certificateOf(host: string): string {
  return `${parent}/certificates/${nameOf(host)}`;
}

function nameOf(host: string): string {
  return `c${Math.floor(Number(host.slice(1)) / hostnamesPerCertificate)}`;
}

/** Returns what `terraform output -json` prints for the migration. */
function outputsFor(records: ReadonlyMap<string, AuthorizationRecord>, address: string): object {
  const named = [...records].map(([host, record]) => ({ host, domain: `${host}.bench.example.com`, record }));
  const migration = {
    name: "bench/bench",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    addresses: { ipv4: [address], ipv6: [] },
    authorizations: named.map(({ host, domain }) => ({ domain, id: `${parent}/dnsAuthorizations/${host}` })),
    certificates: groupsOf([...records.keys()]).map(({ name, members }) => ({
      name,
      id: `${parent}/certificates/${name}`,
      kind: "managed",
      domains: members.map((host) => `${host}.bench.example.com`),
      location: "global",
      scope: "DEFAULT",
    })),
    entries: named.map(({ host, domain }) => ({
      hostname: domain,
      id: `${map}/certificateMapEntries/${host}`,
      certificates: [certificateOf(host)],
    })),
    map,
    proxies: [`${project}/global/targetHttpsProxies/bench`],
    records: named.map(({ domain, record: { name, data } }) => ({
      domain,
      name,
      type: "CNAME",
      data,
      published: "cloudDns",
    })),
  };
  return { cert_migration: { value: { version: 1, migrations: { "bench/bench": migration } } } };
}

void main();
