import { Resolver } from "node:dns/promises";
import { type Answer, makeZone, startTestCloud, type TestCloud } from "../../support/cloud";

const zones = "/dns/v1/projects/p1/managedZones";

export interface TestZone {
  readonly path: string;
  readonly dnsName: string;
  readonly nameServers: readonly string[];
}

export let cloud: TestCloud;
/** Queries the name server. */
export let resolver: Resolver;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud();
  resolver = new Resolver({ tries: 1, timeout: 20_000 });
  resolver.setServers([cloud.endpoints.dns]);
});
afterAll(() => cloud.stop());

/** Creates a separate zone for each test, with an A record of `www`. */
export async function freshZone(): Promise<TestZone> {
  const name = `z${++count}`;
  const dnsName = `${name}.example.`;
  await makeZone(cloud, name, dnsName);
  const path = `${zones}/${name}`;
  await cloud.make("POST", `${path}/rrsets`, { ...www(dnsName) });
  await cloud.clock.advance(1_000);
  return { path, dnsName, nameServers: (await cloud.make("GET", path)).nameServers as readonly string[] };
}

export const www = (dnsName: string) => ({
  name: `www.${dnsName}`,
  type: "A",
  ttl: 300,
  rrdatas: ["192.0.2.1", "192.0.2.2"],
});

export interface Change {
  readonly additions?: readonly object[];
  readonly deletions?: readonly object[];
}

export const reasonOf = ({ status, body }: Answer) => {
  const { error } = body as { error?: { errors: readonly { reason: string }[] } };
  return `${status} ${error?.errors[0]?.reason ?? "done"}`;
};

export async function recordsOf({ path }: TestZone): Promise<readonly string[]> {
  const { rrsets } = (await cloud.make("GET", `${path}/rrsets`)) as {
    rrsets?: readonly { name: string; type: string; rrdatas: readonly string[] }[];
  };
  return (rrsets ?? []).map(({ name, type, rrdatas }) => `${name} ${type} ${rrdatas.join(" ")}`);
}

export const set = (name: string, type: string, ...rrdatas: readonly string[]) => ({ name, type, ttl: 300, rrdatas });
