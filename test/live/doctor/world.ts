import {
  createRestApi,
  listRecordSets,
  listZones,
  loadBalancerReader,
  privateCaReader,
  projectReader,
  type ResourceLister,
  resourceLister,
} from "../../../lib/google";
import { createHttpClient } from "../../../lib/http";
import {
  createDnsView,
  type DoctorFinding,
  type DoctorOptions,
  type DoctorReport,
  examine,
} from "../../../lib/live/doctor";
import { type SourceMigration, sourceFromSpec } from "../../../lib/source";
import { startTestCloud, type TestCloud } from "../../support/cloud";

/** A label that does not exist in any zone. */
const unusedLabel = "nobody-uses-this";
const now = new Date("2026-11-21T12:00:00Z");

/**
 * A separate project and domain for each case, in a shared cloud, with everything that a migration needs, including URL
 * maps and a reserved address.
 */
export interface Place {
  /** As in `p7`. */
  readonly project: string;
  /** As in `shop7.com`. */
  readonly domain: string;
  /** Address of its load balancer. */
  readonly address: string;
  /** Resource name of the domain's zone. */
  readonly zone: string;
}

export interface World extends AsyncDisposable {
  readonly cloud: TestCloud;
  /** A new project with a zone, in which `DOMAIN` and `www.DOMAIN` have an address. */
  place(records?: (domain: string) => readonly RecordOfTest[]): Promise<Place>;
  /** Returns the ids of a spec's resources before they exist. */
  planned(spec: SpecOfTest, place: { readonly project: string | undefined }): SourceMigration;
  /** Like `examine`, for migrations from another source. */
  look(migrations: readonly SourceMigration[], place: Place, change?: DoctorChange): Promise<DoctorReport>;
  readonly resources: ResourceLister;
  zone(project: string, name: string, domain: string, more?: object): Promise<void>;
  /** Publishes records in a zone of the project. */
  publish(place: Pick<Place, "project">, records: readonly RecordOfTest[], zone?: string): Promise<void>;
  examine(spec: SpecOfTest, place: Place, change?: DoctorChange): Promise<DoctorReport>;
}

export type RecordOfTest = readonly [name: string, type: string, ttl: number, ...rrdatas: readonly string[]];

export async function startWorld(): Promise<World> {
  const cloud = await startTestCloud({ startAt: now });
  // Requests are not paced for a project's quota, because each place is a separate project.
  const resources: ResourceLister = resourceLister(cloud.endpoints.http, undefined, async () => {});
  // Injected faults fail at once, without retries.
  const http = createHttpClient({ retry: { maxAttempts: 1 } });
  const api = createRestApi({ endpoint: cloud.endpoints.http, http });
  let count = 0;
  const world: World = {
    cloud,
    place: async (records) => {
      count += 1;
      // RFC 2544: the cloud assigns addresses of the documentation ranges, which could conflict with a later place.
      const place = { project: `p${count}`, domain: `shop${count}.com`, address: `198.18.0.${count}`, zone: "shop" };
      await world.zone(place.project, place.zone, place.domain);
      const base = `/compute/v1/projects/${place.project}`;
      for (const scope of ["global", "regions/europe-west1"]) {
        const service = { name: "shop", loadBalancingScheme: "EXTERNAL_MANAGED" };
        await cloud.make("POST", `${base}/${scope}/backendServices`, service);
        const urlMap = { name: "shop", defaultService: `${scope}/backendServices/shop` };
        await cloud.make("POST", `${base}/${scope}/urlMaps`, urlMap);
      }
      await cloud.make("POST", `${base}/global/addresses`, { name: "shop", address: place.address });
      await world.publish(
        place,
        records?.(place.domain) ?? [
          [place.domain, "A", 60, "198.51.100.1"],
          [`www.${place.domain}`, "A", 60, "198.51.100.1"],
        ],
      );
      return place;
    },
    planned: (spec, { project }) => {
      const options = { source: "migration.yaml", ...(project === undefined ? {} : { project }) };
      const [migration] = sourceFromSpec(JSON.stringify(spec), options).migrations;
      return migration as SourceMigration;
    },
    zone: async (project, name, domain, more = {}) => {
      const body = { name, dnsName: `${domain}.`, description: "", ...more };
      await cloud.make("POST", `/dns/v1/projects/${project}/managedZones`, body);
      await cloud.clock.advance(1_000);
    },
    publish: async ({ project }, records, zone = "shop") => {
      if (records.length === 0) return;
      const additions = records.map(([name, type, ttl, ...rrdatas]) => ({ name: `${name}.`, type, ttl, rrdatas }));
      await cloud.make("POST", `/dns/v1/projects/${project}/managedZones/${zone}/changes`, { additions });
      await cloud.clock.advance(1_000);
    },
    resources,
    examine: (spec, place, change = {}) => {
      const { migrations, plan } = sourceFromSpec(JSON.stringify(spec), {
        source: "migration.yaml",
        project: place.project,
      });
      return world.look(migrations, place, { ...change, source: { plan, ...change.source } });
    },
    look: (migrations, place, change = {}) => {
      const { signal } = new AbortController();
      const [address = "", port = ""] = cloud.endpoints.dns.split(":");
      return examine(migrations, {
        google: {
          projects: projectReader(api),
          balancers: loadBalancerReader(api),
          resources,
          privateCas: privateCaReader(api),
          zones: (project, stop) => listZones(api, project, stop),
          recordSets: (project, record, stop) => listRecordSets(api, project, record, stop),
        },
        dns: createDnsView({
          resolvers: [{ address, port: Number(port) }],
          nameServerPort: "none",
          signal,
          timeoutMs: 1_000,
          attempts: 1,
        }),
        now,
        signal,
        ...change,
        source: { project: place.project, ...change.source },
        lookUps: { unusedLabel, ...change.lookUps },
      });
    },
    [Symbol.asyncDispose]: () => cloud.stop(),
  };
  return world;
}

/** Changes of the options of an examination; the members of a group that it leaves out keep their values. */
export interface DoctorChange extends Partial<Omit<DoctorOptions, "lookUps">> {
  readonly lookUps?: Partial<DoctorOptions["lookUps"]>;
}

/** A migration as data, which each case changes. */
export type SpecOfTest = Readonly<Record<string, unknown>>;

/** Returns a migration of `DOMAIN` and `www.DOMAIN` without problems. */
export function healthySpec({ domain, zone, address }: Place): SpecOfTest {
  const www = `www.${domain}`;
  return {
    name: "shop",
    certificates: [{ domains: [domain, www], primary: true }],
    dns: { kind: "cloudDns", zones: { [domain]: zone } },
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "global/urlMaps/shop", forwardingRules: { ipv4Address: address } },
    },
    traffic: { to: "previous", previous: { [domain]: { a: ["198.51.100.1"] }, [www]: { a: ["198.51.100.1"] } } },
  };
}

/** Returns the code and subject of each finding. */
export function named(findings: readonly DoctorFinding[]): readonly string[] {
  return findings.map(({ code, subject }) => `${code} ${subject}`).sort();
}
